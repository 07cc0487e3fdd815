import type { Index, KeyAttribute, Table } from "../../model/design.ts";
import type { Model } from "../../model/model.ts";
import type { Action, Pattern, Predicate } from "../../model/requirements.ts";
import type { ReadRequest } from "../plans/plan.ts";
import type { StoredRecord } from "../records/record.ts";
import { fitsKey, type KeyRole } from "../sizes/key-limits.ts";
import { withTable } from "./what-if.ts";
import { listText } from "./words.ts";

/**
 * Global secondary indexes that could answer a pattern which reads by Scan, filter or sorting today. Only plain
 * indexes: no shards, no markers. The designer considers more.
 */

export interface IndexCandidate {
  readonly index: Index;
  /** "PK visits, SK createdAt, projection ALL". */
  readonly key: string;
  /** The model with the index in its design. */
  readonly model: Model;
}

const partsMax = 4;
const rangeOperators = ["less", "at-most", "greater", "at-least", "between", "begins-with"];

/** The first has what the pattern asks for in its key, and what it returns in its projection. */
export function indexCandidates(
  model: Model,
  pattern: Pattern,
  { table, record }: ReadRequest,
): readonly IndexCandidate[] {
  const [action] = pattern.actions;
  // A global index refuses strongly consistent reads.
  if (action === undefined || pattern.consistency === "strong" || record.role !== "item") return [];
  if (action.entity !== record.entity.name) return [];
  return keysFor(action, record).flatMap(({ partition, sort }) => {
    const inKey = new Set([...partition, ...sort].map(({ name }) => name));
    const asked = [
      ...action.where.map(({ attribute }) => attribute),
      ...action.order.map(({ attribute }) => attribute),
    ];
    const held = (names: readonly string[]): Index["projection"] => [
      ...new Set(names.filter((one) => !inKey.has(one) && isStored(record, one))),
    ];
    const projections = [
      held(action.returns),
      held([...action.returns, ...asked]),
      "keys",
    ] as const;
    const distinct = new Map(projections.map((one) => [JSON.stringify(one), one]));
    return [...distinct.values()].map((projection) =>
      candidateOf(model, table, record, { partition, sort, projection }),
    );
  });
}

interface IndexShape {
  readonly partition: readonly KeyAttribute[];
  readonly sort: readonly KeyAttribute[];
  readonly projection: Index["projection"];
}

/** Values that are known make the partition key; order and bounds make the sort key. */
function keysFor(
  { where, order }: Action,
  record: StoredRecord,
): readonly Pick<IndexShape, "partition" | "sort">[] {
  const named = (isOne: (predicate: Predicate) => boolean): readonly string[] =>
    where.filter(isOne).map(({ attribute }) => attribute);
  const equals = named(({ operator }) => operator === "equals");
  const several = named(({ operator }) => operator === "one-of");
  const ranged = named(({ operator }) => rangeOperators.includes(operator));
  const ordered = order.map(({ attribute }) => attribute);
  const keys = [[...ordered, ...ranged], ranged].flatMap((names) =>
    [equals, [...equals, ...several]].flatMap((known) => {
      const partition = known.flatMap((name) => keyAttribute(record, name));
      const sort = [...new Set(names)]
        .filter((name) => !known.includes(name))
        .flatMap((name) => keyAttribute(record, name));
      if (partition.length < known.length || partition.length === 0) return [];
      if (partition.length > partsMax || sort.length > partsMax) return [];
      return fits(record, partition, "partition") && fits(record, sort, "sort")
        ? [{ partition, sort }]
        : [];
    }),
  );
  return [...new Map(keys.map((one) => [JSON.stringify(one), one])).values()];
}

function fits({ entity }: StoredRecord, names: readonly KeyAttribute[], role: KeyRole): boolean {
  return fitsKey(
    names.flatMap(({ name }) => entity.attributes.get(name) ?? []),
    role,
  );
}

/** Attributes that a pattern asks for by value and that can be too long for any key. */
export function longNames(
  { actions: [action] }: Pattern,
  { record }: ReadRequest,
): readonly string[] {
  return (action?.where ?? []).flatMap(({ attribute: name, operator }) => {
    const attribute = record.entity.attributes.get(name);
    const isAsked = operator === "equals" || operator === "one-of";
    const isShort = attribute === undefined || fitsKey([attribute], "partition");
    return isAsked && !isShort ? [name] : [];
  });
}

function isStored({ attributes, key }: StoredRecord, name: string): boolean {
  return (
    attributes.some((one) => one.name === name && one.content.kind === "attribute") ||
    key.some(({ attribute, text }) => attribute === name && text.native === name)
  );
}

function keyAttribute(record: StoredRecord, name: string): readonly KeyAttribute[] {
  const type = record.entity.attributes.get(name)?.type;
  const isKey = type === "S" || type === "N" || type === "B";
  return isKey && isStored(record, name) ? [{ name, type }] : [];
}

function candidateOf(
  model: Model,
  table: Table,
  { entity }: StoredRecord,
  shape: IndexShape,
): IndexCandidate {
  const { partition, sort, projection } = shape;
  let name = `By${partition.map((one) => capitalised(one.name)).join("")}`;
  while (table.indexes.has(name)) name += "2";
  const index: Index = {
    name,
    path: table.path,
    purpose: undefined,
    local: false,
    ...shape,
    members: new Map([[entity.name, { entity: entity.name, sets: [], only: undefined }]]),
    throughput: undefined,
    maximum: undefined,
    prewarm: undefined,
  };
  const changed: Table = { ...table, indexes: new Map([...table.indexes, [name, index]]) };
  const names = (list: readonly KeyAttribute[]): string => listText(list.map((one) => one.name));
  const held = typeof projection === "string" || projection.length === 0 ? "KEYS_ONLY" : "INCLUDE";
  const key = [
    `PK ${names(partition)}`,
    ...(sort.length === 0 ? [] : [`SK ${names(sort)}`]),
    `projection ${projection === "all" ? "ALL" : held}`,
  ].join(", ");
  return { index, key, model: withTable(model, changed) };
}

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
