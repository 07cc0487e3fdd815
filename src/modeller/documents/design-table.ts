import { pathText } from "../../document/path.ts";
import type { Billing, Index, Table } from "../../model/design.ts";
import { isWithin } from "../check/check-context.ts";
import { limitSentence, unitsText } from "../heat/words.ts";
import { bytesText, counted, listText, numberText } from "../lint/words.ts";
import { attributesTable } from "./design-attributes.ts";
import { tableDiagram } from "./design-diagrams.ts";
import { partitionReasons, sortReasons } from "./design-keys.ts";
import {
  type Block,
  code,
  fence,
  heading,
  image,
  type Line,
  type ListItem,
  list,
  spansOf,
  strong,
  table as tableBlock,
} from "./markdown.ts";
import type { Material } from "./material.ts";
import { amountOf, durationText, notStated, patternList } from "./words.ts";

/** A table with its reasons. */
export function tableSection(
  material: Material,
  table: Table,
  picture: string | undefined,
): readonly Block[] {
  const { name, purpose, partition, sort } = table;
  return [
    heading(3, ["Table ", code(name)]),
    ...list([
      said("Purpose", purpose ?? notStated),
      {
        line: [strong("Partition key:"), " ", code(partition.name), ` (${partition.type})`],
        below: partitionReasons(material, table, undefined),
      },
      sort === undefined
        ? said("Sort key", "none: each key has one item")
        : {
            line: [strong("Sort key:"), " ", code(sort.name), ` (${sort.type})`],
            below: sortReasons(material, table, undefined),
          },
      said("Access patterns served", patternList(material.patternsOn(name, undefined)) || "none"),
      { line: strong("Capacity:"), below: capacityLines(material, table) },
      ...decided(
        material,
        pathText(table.path),
        [...table.indexes.values()].map(({ path }) => pathText(path)),
      ),
    ]),
    tableBlock(
      ["Items", "Partition key", "Sort key", "How many", "Bytes on average", "Bytes at most"],
      itemRows(material, table),
      { numbers: [3, 4, 5], otherwise: "Nothing is stored in it." },
    ),
    ...(picture === undefined ? [] : [image(`Items of ${name}, by partition key`, picture)]),
    heading(4, ["Attributes of ", code(name)]),
    attributesTable(material, table),
    heading(4, ["How ", code(name), " is run"]),
    tableBlock(["What", "How"], runRows(table), { otherwise: "" }),
    ...diagram(material, table),
  ];
}

/** One box needs no picture. */
function diagram(material: Material, table: Table): readonly Block[] {
  const { indexes, consumers } = table;
  const kinds = material.facts.records.filter((one) => one.table === table).length;
  if (kinds < 2 && indexes.size === 0 && consumers.length === 0) return [];
  return [fence("mermaid", tableDiagram(material, table))];
}

export function said(name: string, text: Line): ListItem {
  return { line: [strong(`${name}:`), " ", ...spansOf(text)] };
}

/** Decisions about a part, without those about parts of it that have a section of their own. */
export function decided(
  { model }: Material,
  path: string,
  without: readonly string[] = [],
): readonly ListItem[] {
  const own = (model.design?.decisions ?? []).filter(
    ({ about }) => isWithin(about, path) && !without.some((other) => isWithin(about, other)),
  );
  if (own.length === 0) return [];
  return [
    {
      line: strong("Decided:"),
      below: own.map(({ chosen, why }) =>
        why === undefined ? chosen : `${chosen}, because ${why}`,
      ),
    },
  ];
}

function itemRows({ facts }: Material, table: Table): readonly (readonly Line[])[] {
  return facts.records
    .filter((record) => record.table === table)
    .map((record) => {
      const count = facts.count(record);
      const size = facts.sizes.item(record);
      const [partition, sort] = record.key;
      return [
        record.name,
        code(partition?.text.text ?? ""),
        sort === undefined ? "none" : code(sort.text.text),
        count === undefined
          ? notStated
          : `${numberText(Math.round(count.value))}${count.assumed ? " (assumed)" : ""}`,
        size === undefined ? notStated : bytesText(size.mean),
        size === undefined ? notStated : bytesText(size.max),
      ];
    });
}

function capacityLines(material: Material, table: Table): readonly string[] {
  const { heat, loads } = material;
  const place = heat.places.find(({ load }) => load.table === table && load.index === undefined);
  const own = loads.loads.filter((one) => one.table === table.name && one.index === undefined);
  const bytes = own.reduce((sum, one) => sum + one.storageBytes, 0);
  const items = own.reduce((sum, one) => sum + one.items, 0);
  return [
    `${billingText(table.billing)}; class ${table.class}.`,
    callsText(material, table, undefined),
    ...(place === undefined
      ? []
      : [
          `${unitsText(place.load.read.average)} read and ${unitsText(place.load.write.average)} write units per second on average, ${unitsText(place.load.read.peak)} and ${unitsText(place.load.write.peak)} at peak.`,
          ...place.limits.map(limitSentence),
        ]),
    `${numberText(Math.round(items))} items, ${bytesText(bytes)}${place === undefined || place.partitionsBySize <= 1 ? "" : `, which take ${counted(place.partitionsBySize, "partition")}`}.`,
  ];
}

/** How often patterns call a table or an index. */
export function callsText(material: Material, table: Table, index: Index | undefined): string {
  const { average, peak, open } = material.callsOn(table, index);
  const cached = table.dax === undefined ? "" : ", before what the cache answers";
  const rest =
    open.length === 0 ? "" : `, without ${patternList(open)}, whose rates are not stated`;
  return `Calls per second: ${amountOf(average)} on average, ${amountOf(peak)} at peak${cached}${rest}.`;
}

export function billingText(billing: Billing): string {
  if (billing.mode === "on-demand") return "On demand: each request is paid for";
  const { provisioned, reserved } = billing;
  const parts = (["read", "write"] as const).map((direction) => {
    const scaling = provisioned.autoScaling[direction];
    return scaling === undefined
      ? `${numberText(provisioned[direction])} ${direction} units per second`
      : `${numberText(scaling.min)} to ${numberText(scaling.max)} ${direction} units per second, scaled at ${scaling.target} %`;
  });
  const paid =
    reserved === undefined
      ? ""
      : `; reserved for ${counted(reserved.years, "year")}: ${numberText(reserved.read)} read and ${numberText(reserved.write)} write units`;
  return `Provisioned: ${listText(parts)}${paid}`;
}

function runRows(table: Table): readonly (readonly Line[])[] {
  const { prewarm, maximum, stream, ttl, pitrDays, backups, encryption, periods, dax, tags } =
    table;
  const units = (of: typeof prewarm): string =>
    listText(
      (["read", "write"] as const).flatMap((direction) =>
        of?.[direction] === undefined
          ? []
          : [`${numberText(of[direction])} ${direction} units per second`],
      ),
    );
  const rows: (readonly Line[])[] = [
    ["Billing", billingText(table.billing)],
    ["Class", table.class],
    ["Throughput from the beginning", units(prewarm) || "as a new table has it"],
    ["Most that is allowed", units(maximum) || "no limit is set"],
    ["Stream", stream ?? "none"],
    [
      "Time to live",
      ttl === undefined ? "none" : `by ${ttl.attribute}, for ${listText(ttl.entities)}`,
    ],
    [
      "Point-in-time recovery",
      pitrDays === undefined ? "off" : `on, ${counted(pitrDays, "day")} back`,
    ],
    [
      "Backups",
      backups === undefined
        ? "none planned"
        : `every ${durationText(backups.everyMs)}, kept for ${durationText(backups.keepMs)}`,
    ],
    ["Encryption at rest", encryptionText(encryption)],
    ["Deletion protection", table.deletionProtection ? "on" : "off"],
    ["Replicas", table.replicas.length === 0 ? "none: one Region" : listText(table.replicas)],
  ];
  if (periods !== undefined) {
    const { every, attribute, keep, older } = periods;
    rows.push([
      "Periods",
      `a table for each ${every} by ${attribute}${keep === undefined ? "" : `, ${keep} kept`}; those that are over: ${billingText(older.billing).toLowerCase()}, class ${older.class}`,
    ]);
  }
  if (dax !== undefined) {
    rows.push([
      "Cache",
      `${counted(dax.nodes, "node")} of ${dax.node}, items for ${durationText(dax.itemTtlMs)}, answers for ${durationText(dax.queryTtlMs)}`,
    ]);
  }
  if (tags.size > 0) {
    rows.push(["Tags", [...tags].map(([key, value]) => `${key}: ${value}`).join(", ")]);
  }
  return rows;
}

export function encryptionText(encryption: Table["encryption"]): string {
  if (encryption === "owned") return "with a key that AWS owns";
  if (encryption === "managed") return "with a key that AWS manages in the account";
  return `with the key ${encryption.key}`;
}
