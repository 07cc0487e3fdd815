import { moneyText } from "../lint/words.ts";
import { type Block, code, heading, list, paragraph, table } from "./markdown.ts";
import type { Material } from "./material.ts";
import { notStated } from "./words.ts";

/** What was given up for what, and what was decided against what. */
export function decisionsSection(material: Material): readonly Block[] {
  const { model, trades } = material;
  const { tradeoffs = [], decisions = [] } = model.design ?? {};
  return [
    heading(2, "Trade-offs and decisions"),
    ...(tradeoffs.length === 0 ? [paragraph("No trade-offs are stated.")] : list(tradeoffs)),
    paragraph(
      trades.length === 0
        ? "The design has no copies, indexes, transactions, shards, parts of items or caches that would be trades."
        : `What the design has for the price of something else: ${trades.map(({ what }) => what).join(", ")}.`,
    ),
    heading(3, "Decisions"),
    table(
      ["About", "Chosen", "Because", "Rejected"],
      decisions.map(({ about, chosen, why, rejected = [] }) => [
        code(about),
        chosen,
        why ?? notStated,
        rejected
          .map(
            ({ what, why: reason, perMonth }) =>
              `${what}${reason === undefined ? "" : `, because ${reason}`}${perMonth === undefined ? "" : ` (${moneyText(perMonth)} a month)`}`,
          )
          .join("; ") || "nothing is stated",
      ]),
      { otherwise: "No decisions are stated." },
    ),
    heading(3, "Copies"),
    table(["Copy", "Of", "May it be behind?", "Kept up by"], copyRows(material), {
      otherwise: "Nothing is stored twice but what indexes hold.",
    }),
  ];
}

function copyRows({ model, loads }: Material): readonly (readonly string[])[] {
  return [...model.entities.values()].flatMap(({ name, attributes }) =>
    [...attributes.values()].flatMap((attribute) => {
      const { copyOf, staleness } = attribute;
      if (copyOf === undefined) return [];
      const source = model.entities.get(copyOf.entity)?.attributes.get(copyOf.attribute);
      const kept = loads.background.find((one) =>
        one.name.startsWith(`${name}.${attribute.name} `),
      );
      return [
        [
          `${name}.${attribute.name}`,
          `${copyOf.entity}.${copyOf.attribute}`,
          staleness === "accepted" ? "yes" : staleness === "refused" ? "no" : notStated,
          kept?.name ??
            (source?.mutable === false
              ? "nothing: its source never changes"
              : "nothing: it stays as it was written"),
        ],
      ];
    }),
  );
}
