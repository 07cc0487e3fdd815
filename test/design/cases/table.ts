import type { Index, Table } from "../../../src/model/design.ts";
import type { Model } from "../../../src/model/model.ts";
import type { Case } from "./cases.ts";
import type { Measured } from "./measure.ts";
import type { Mix } from "./mixes.ts";

/** Parts of docs/designer-cases.md. Each row is made of one case under one mix, so that few can be compared alone. */

export const head = [
  "| case | mix | expert: tables, indexes | round trips | $ a month | designer: tables, indexes | round trips | $ a month | less | with no more indexes: by | tables, indexes | round trips | $ a month |",
  "| --- | --- | --- | ---: | ---: | --- | ---: | ---: | ---: | --- | --- | ---: | ---: |",
];

export function row(
  one: Case,
  mix: Mix,
  expert: Measured,
  ours: Measured,
  /** With no more indexes than the expert's. */
  few: Measured,
): string {
  const share = 1 - ours.total / expert.total;
  const less = `${(share * 100).toFixed(1)} %`;
  const hot = one.tooHot?.includes(mix) ? " †" : "";
  const fewer = one.moreIndexes?.[mix]?.fewer;
  const by = fewer === undefined ? "the same" : `\`${fewer}\``;
  const cells = [one.title, mix, ...sideOf(expert, hot), ...sideOf(ours), less, by, ...sideOf(few)];
  return `| ${cells.join(" | ")} |`;
}

function sideOf({ tables, indexes, roundTrips, total }: Measured, mark = ""): readonly string[] {
  return [`${tables}, ${indexes}`, roundTrips.toFixed(2), `${total.toFixed(2)}${mark}`];
}

/** Both designs of a case side by side, under the balanced mix. */
export function section(one: Case, expert: Measured, ours: Measured): readonly string[] {
  return [
    `### ${one.title}`,
    "",
    `Source: ${one.source}.`,
    "",
    "| expert | designer |",
    "| --- | --- |",
    `| ${designText(expert.model)} | ${designText(ours.model)} |`,
    "",
    ...one.differs.map((sentence) => `- ${sentence}`),
    ...(one.fails ?? []).map(
      ({ mixes, what }) => `- Not as it should be (${mixes.join(", ")}): ${what}.`,
    ),
    ...Object.entries(one.moreIndexes ?? {}).map(
      ([mix, { ours: count, why }]) => `- ${count} indexes under the ${mix} mix: ${why}`,
    ),
    "",
  ];
}

function designText({ design }: Model): string {
  return [...(design?.tables.values() ?? [])].map(tableText).join("<br>");
}

function tableText(table: Table): string {
  const keys = [...table.placements.values()].map(({ entity, key, embeds, splits }) => {
    const inside = embeds.map((one) => `, with each ${one.entity} inside`);
    const apart = splits.map(({ attributes }) => `, ${attributes.join(", ")} apart`);
    const made = key.map(({ text }) => `\`${text.text}\``).join(", ");
    return [`${entity} ${made}`, ...inside, ...apart].join("");
  });
  const guards = table.unique.length === 0 ? "" : `, guards ${guardsText(table)}`;
  const lines = [...table.indexes.values()].map((index) => `– ${indexText(index)}`);
  return [`**${table.name}**: ${keys.join("; ") || "look-up items"}${guards}`, ...lines].join(
    "<br>",
  );
}

function guardsText({ unique }: Table): string {
  return unique.map(({ entity, attribute }) => `${entity}.${attribute}`).join(", ");
}

function indexText({ name, partition, sort, projection, local, members }: Index): string {
  const names = (list: readonly { readonly name: string }[]): string =>
    list.map((one) => one.name).join(", ");
  const held = typeof projection === "string" ? projection : `${projection.length} attributes`;
  const made = [...members.values()].flatMap(({ entity, sets }) =>
    sets.length === 0 ? [] : [`${entity} ${sets.map(({ text }) => `\`${text.text}\``).join(", ")}`],
  );
  const by = [names(partition), names(sort)].filter((text) => text !== "").join("; ");
  return `${name}${local ? " (local)" : ""}: ${by}${made.length === 0 ? "" : ` = ${made.join("; ")}`}; ${held}`;
}
