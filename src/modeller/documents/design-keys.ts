import type { Index, Table } from "../../model/design.ts";
import { attributesOf } from "../../model/key-text.ts";
import { keyRange } from "../explain/key-range.ts";
import type { KeyHeat } from "../heat/heat.ts";
import { unitsText } from "../heat/words.ts";
import { counted, listText, numberText } from "../lint/words.ts";
import type { ReadRequest } from "../plans/plan.ts";
import { code, type Line } from "./markdown.ts";
import type { Material } from "./material.ts";

/** Why a partition key is good: how many there are, and what the hottest gets. */
export function partitionReasons(
  material: Material,
  table: Table,
  index: Index | undefined,
): readonly Line[] {
  const place = material.heat.places.find(
    ({ load }) => load.table === table && load.index === index,
  );
  return [
    ...(place?.keys ?? []).map(familyText),
    ...(index === undefined ? identifyingReasons(material, table) : []),
  ];
}

function familyText({ family, read, write }: KeyHeat): Line {
  const { text, records, count, shards } = family;
  const many = count === undefined ? "nobody said how many" : counted(count, "different key");
  const spread = shards > 1 ? `, spread over ${shards} shards` : "";
  const parts = [write, read]
    .filter(({ units }) => units > 0)
    .map(
      ({ direction, units, ceiling }) =>
        `${unitsText(units)} of ${numberText(ceiling)} ${direction} units`,
    );
  const hottest =
    parts.length === 0
      ? ""
      : `; at peak the hottest gets ${listText(parts)} per second that a partition gives`;
  return [code(text), ` (${listText(records)}): ${many}${spread}${hottest}.`];
}

/** Children that lie under the key of their parent need no index to be listed. */
function identifyingReasons({ model, facts }: Material, table: Table): readonly string[] {
  return model.relations.flatMap(({ from, to, identifying }) => {
    const parent = model.entities.get(from);
    const record = facts.itemsOf(to).find((one) => one.table === table);
    const [own] = record?.key ?? [];
    if (!identifying || parent === undefined || record === undefined || own === undefined)
      return [];
    const names = attributesOf(own.text).map(({ attribute }) => attribute);
    const under = names.some((name) => facts.cardinality.parentOf(record.entity, name) === parent);
    return under
      ? [
          `The relation of ${from} and ${to} identifies ${to}: it lies under the id of its ${from}, so no index is needed to list what belongs to one.`,
        ]
      : [];
  });
}

/** What the sort key is used for by the patterns that query there. */
export function sortReasons(
  { plans }: Material,
  table: Table,
  index: Index | undefined,
): readonly string[] {
  const uses = new Map<string, string[]>();
  for (const { pattern, requests } of plans.values()) {
    for (const one of requests) {
      if (one.kind !== "read" || one.table !== table || one.index !== index) continue;
      if (one.operation !== "Query") continue;
      const how = `${sortUse(one)}${one.forward ? "" : ", from the end"}`;
      uses.set(how, [...(uses.get(how) ?? []), `#${pattern.id}`]);
    }
  }
  if (uses.size === 0) return ["No pattern queries by it."];
  return [...uses].map(([how, ids]) => `${[...new Set(ids)].join(", ")}: ${how}.`);
}

function sortUse(request: ReadRequest): string {
  if (request.sort.length === 0) return "all that lies under the key, in its order";
  return keyRange({ ...request, partition: [] })?.words ?? "";
}
