import { pathText } from "../../document/path.ts";
import type { Index, Table } from "../../model/design.ts";
import { amplificationSentence, limitSentence, unitsText } from "../heat/words.ts";
import { priced } from "../lint/bills.ts";
import { withIndex } from "../lint/what-if.ts";
import { bytesText, listText, moneyText, numberText } from "../lint/words.ts";
import { structureName } from "../plans/plan.ts";
import { partitionReasons, sortReasons } from "./design-keys.ts";
import { billingText, callsText, decided, said } from "./design-table.ts";
import {
  type Block,
  code,
  heading,
  image,
  joined,
  type Line,
  type ListItem,
  list,
  spansOf,
  strong,
} from "./markdown.ts";
import type { Material } from "./material.ts";
import { askedText } from "./requirement-patterns.ts";
import { notStated, patternList, percentOf } from "./words.ts";

/** An index with its reasons. */
export function indexSection(
  material: Material,
  table: Table,
  index: Index,
  picture: string | undefined,
): readonly Block[] {
  const name = structureName(table, index);
  const keys = (attributes: Index["sort"]): Line =>
    joined(
      attributes.map((one) => [code(one.name), ` (${one.type})`]),
      ", ",
    );
  return [
    heading(3, ["Index ", code(name)]),
    ...list([
      said("Purpose", index.purpose ?? notStated),
      said(
        "Kind",
        index.local
          ? "local: the table's partition key with another order, strongly consistent if asked"
          : "global: keys of its own, a moment behind the table",
      ),
      {
        line: [strong("Partition key:"), " ", ...spansOf(keys(index.partition))],
        below: index.local ? [] : partitionReasons(material, table, index),
      },
      index.sort.length === 0
        ? said("Sort key", "none")
        : {
            line: [strong("Sort key:"), " ", ...spansOf(keys(index.sort))],
            below: sortReasons(material, table, index),
          },
      {
        line: [strong("Projection:"), ` ${projectionText(index)}`],
        below: projectionReasons(material, table, index),
      },
      sparseItem(material, table, index),
      said(
        "Access patterns served",
        patternList(material.patternsOn(table.name, index.name)) || "none",
      ),
      { line: strong("Capacity:"), below: capacityLines(material, table, index) },
      ...decided(material, pathText(index.path)),
    ]),
    ...(picture === undefined ? [] : [image(`Entries of ${name}, by partition key`, picture)]),
  ];
}

function projectionText({ projection }: Index): string {
  if (projection === "all") return "all attributes";
  if (projection === "keys") return "keys alone";
  return `the keys, and ${listText(projection)}`;
}

/** Who needs what of it, and what more or less would cost. */
function projectionReasons(material: Material, table: Table, index: Index): readonly string[] {
  const { plans } = material;
  const lines = [...plans.values()].flatMap(({ pattern, requests }) =>
    requests.flatMap((one) => {
      if (one.kind !== "read" || one.table !== table || one.index !== index) return [];
      const all = one.record.entity.attributes.size;
      const what =
        one.returns.length === 0 || one.returns.length === all
          ? `all of ${one.record.name}`
          : listText(one.returns);
      const more = one.fetches ? ", some of which are fetched from the table" : "";
      return [`#${pattern.id} takes ${what} from it${more}.`];
    }),
  );
  return [...new Set(lines), ...otherProjections(material, table, index)];
}

/** The whole bill with another projection, planned anew. */
function otherProjections(
  { model, cost }: Material,
  table: Table,
  index: Index,
): readonly string[] {
  if (cost === undefined) return [];
  const before = priced(model, cost.prices).total;
  return (["all", "keys"] as const).flatMap((projection) => {
    if (index.projection === projection) return [];
    const after = priced(withIndex(model, table, { ...index, projection }), cost.prices).total;
    const words = projection === "all" ? "With all attributes" : "With keys alone";
    const difference = after - before;
    if (Math.abs(difference) < 0.005) return [`${words} a month would cost the same.`];
    return [
      `${words} a month would cost ${moneyText(Math.abs(difference))} ${difference > 0 ? "more" : "less"}${difference < 0 && projection === "keys" ? ", with more requests for an answer" : ""}.`,
    ];
  });
}

function sparseItem({ facts }: Material, table: Table, index: Index): ListItem {
  const members = facts.records.flatMap((record) =>
    record.table === table
      ? record.memberships
          .filter((one) => one.index === index)
          .map((membership) => ({ record, membership }))
      : [],
  );
  const below = members.map(({ record, membership }) => {
    const share = facts.shareIn(record.entity, membership);
    const because = [
      ...membership.only.map(askedText),
      ...membership.optional.map(({ name }) => `${name} is there`),
    ];
    const whole = `${record.name}: ${percentOf(share.value)}${share.assumed ? " (assumed)" : ""} of the items`;
    return because.length === 0
      ? `${whole}.`
      : `${whole}, those where ${listText(because)}; the others lack its key and cost it nothing.`;
  });
  const isSparse = members.some(
    ({ membership }) => membership.only.length > 0 || membership.optional.length > 0,
  );
  return {
    line: [strong("Sparse:"), isSparse ? " yes" : " no: every item of its kinds is in it"],
    below: isSparse ? below : [],
  };
}

function capacityLines(material: Material, table: Table, index: Index): readonly string[] {
  const { heat, loads, cost } = material;
  const own = loads.loads.filter((one) => one.table === table.name && one.index === index.name);
  const [entries, bytes] = [
    own.reduce((sum, one) => sum + one.items, 0),
    own.reduce((sum, one) => sum + one.storageBytes, 0),
  ];
  const stored = `${numberText(Math.round(entries))} entries, ${bytesText(bytes)}.`;
  if (index.local) return [stored, "Its units are those of the table."];
  const place = heat.places.find(({ load }) => load.table === table && load.index === index);
  const amplified = place && amplificationSentence(place);
  const parts = (cost?.parts ?? []).filter(
    (one) => one.table === table.name && one.index === index.name,
  );
  const dollars = parts.reduce((sum, one) => sum + one.dollars.average, 0);
  return [
    callsText(material, table, index),
    ...(index.throughput === undefined
      ? []
      : [
          `${billingText({ mode: "provisioned", provisioned: index.throughput, reserved: undefined })}.`,
        ]),
    ...(place === undefined
      ? []
      : [
          `${unitsText(place.load.read.average)} read and ${unitsText(place.load.write.average)} write units per second on average, ${unitsText(place.load.read.peak)} and ${unitsText(place.load.write.peak)} at peak.`,
        ]),
    ...(amplified === undefined ? [] : [amplified]),
    ...(place?.limits ?? []).map(limitSentence),
    stored,
    ...(parts.length === 0 ? [] : [`${moneyText(dollars)} of the month's bill.`]),
  ];
}
