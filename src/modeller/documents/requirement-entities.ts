import type { Entity } from "../../model/requirements.ts";
import { bytesText, listText } from "../lint/words.ts";
import { type Block, code, fence, heading, joined, paragraph, strong, table } from "./markdown.ts";
import type { Material } from "./material.ts";
import { type ErAttribute, erDiagram } from "./mermaid.ts";
import { durationText, notStated, percentOf, stated } from "./words.ts";

/** What is stored, and how it belongs together. */
export function entitiesSection(material: Material): readonly Block[] {
  const { model } = material;
  return [
    heading(2, "Entities and relations"),
    table(
      ["Entity", "What it is", "Id", "How many", "More in a month", "Kept for", "Bytes"],
      [...model.entities.values()].map((entity) => [
        strong(entity.name),
        entity.description ?? notStated,
        joined(entity.id.map(code), ", "),
        stated(entity.count),
        stated(entity.growthPerMonth),
        entity.retentionMs === undefined ? "no end is stated" : durationText(entity.retentionMs),
        bytesOf(material, entity),
      ]),
      { numbers: [3, 4, 6], otherwise: "There are no entities yet." },
    ),
    table(
      [
        "Relation",
        "What it is",
        "Kind",
        "On average",
        "At most",
        "The other way",
        "Identifying",
        "Read together",
      ],
      model.relations.map((relation) => {
        const { from, to, kind, via, average, max, reverse, identifying, together } = relation;
        const { description } = relation;
        return [
          [strong(from), " → ", strong(to), ...(via === undefined ? [] : [` by ${via}`])],
          description ?? notStated,
          kind,
          kind === "one-to-one" ? "1" : stated(average),
          kind === "one-to-one" ? "1" : stated(max),
          kind === "many-to-many"
            ? `${stated(reverse.average)}, at most ${stated(reverse.max)}`
            : "1",
          identifying ? `yes: no ${to} without its ${from}` : "no",
          together === undefined
            ? notStated
            : `${percentOf(together.value)}${together.assumed ? " (assumed)" : ""}`,
        ];
      }),
      { numbers: [3, 4], otherwise: "No relations are stated." },
    ),
    ...(model.relations.length === 0
      ? []
      : [
          paragraph(
            "A solid line is a relation that identifies the child; a dotted one joins what exists by itself.",
          ),
        ]),
    ...(model.entities.size === 0 ? [] : [fence("mermaid", diagramOf(material))]),
  ];
}

/** Of its own items, with what is kept apart or inside. */
function bytesOf({ facts, model }: Material, entity: Entity): string {
  if (model.design === undefined) return "no design yet";
  const records = facts.records.filter(
    (one) => one.entity === entity && (one.role === "item" || one.role === "split"),
  );
  if (records.length === 0) return "not stored by itself";
  const sizes = records.map((record) => {
    const mean = facts.sizes.item(record)?.mean;
    return mean === undefined ? "unknown" : bytesText(mean);
  });
  return sizes.join(" + ");
}

function diagramOf({ model, facts }: Material): string {
  return erDiagram(
    [...model.entities.values()].map((entity) => ({
      name: entity.name,
      attributes: [...entity.attributes.values()].map((attribute): ErAttribute => {
        const isKey = entity.id.includes(attribute.name);
        const parent = facts.cardinality.parentOf(entity, attribute.name);
        return {
          type: attribute.type,
          name: attribute.name,
          keys: [
            ...(isKey ? (["PK"] as const) : []),
            ...(parent !== undefined && parent !== entity ? (["FK"] as const) : []),
            ...(attribute.unique ? (["UK"] as const) : []),
          ],
          comment: attribute.format ?? attribute.description,
        };
      }),
    })),
    model.relations.map(({ from, to, kind, via, average, max, identifying }) => ({
      from,
      to,
      kind,
      identifying,
      text: listText([
        ...(kind === "one-to-one" ? ["has"] : [`${stated(average)} on average`]),
        ...(max === undefined ? [] : [`at most ${stated(max)}`]),
        ...(via === undefined ? [] : [`by ${via}`]),
      ]),
    })),
  );
}
