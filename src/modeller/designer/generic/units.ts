import type { IndexDocument, TableDocument } from "../../../model/document-design.ts";
import type { OperatorsDocument, WhereDocument } from "../../../model/document-parts.ts";
import type { Entity } from "../../../model/requirements.ts";
import type { Priced } from "../../lint/bills.ts";
import { attributeName } from "../../plans/index-contents.ts";
import type { Plan, ReadRequest } from "../../plans/plan.ts";
import type { Membership, StoredRecord } from "../../records/record.ts";
import { record } from "../layouts.ts";
import { partitionText, sortText } from "./texts.ts";

/** An index of the natural design, as what it would be in a shared one. */
export interface Unit {
  readonly table: string;
  readonly name: string;
  readonly document: IndexDocument;
  readonly members: readonly Member[];
  /** Somebody reads all of it, so nothing else may be in it. */
  readonly scanned: boolean;
}

export function unitId({ table, name }: Unit): string {
  return JSON.stringify([table, name]);
}

/** An entity that somebody reads in an index. */
export interface Member {
  readonly entity: Entity;
  /** Its key as texts; nothing if it cannot be written so. */
  readonly partition: string | undefined;
  readonly sort: string | undefined;
  readonly only: WhereDocument | undefined;
  /** What its readers find there. */
  readonly wanted: readonly string[];
}

/** The indexes of a table with what is read in them. With `full`, readers find all that they found before. */
export function unitsOf(
  { facts, plans }: Priced,
  table: string,
  { indexes = {} }: TableDocument,
  full: boolean,
): readonly Unit[] {
  const records = facts.records.filter((one) => one.table.name === table && one.role === "item");
  return Object.entries(indexes).map(([name, document]) => {
    const readers = [...plans.values()].filter((plan) => requestsTo(plan, table, name).length > 0);
    const members = records.flatMap((one): Member[] => {
      const membership = one.memberships.find(({ index }) => index.name === name);
      const own = readers.filter((plan) => isReadBy(plan, one, name));
      if (membership === undefined || own.length === 0) return [];
      return [memberOf(one, membership, own, document, full)];
    });
    const scanned = readers.some((plan) =>
      requestsTo(plan, table, name).some(({ operation }) => operation === "Scan"),
    );
    return { table, name, document, members, scanned };
  });
}

function requestsTo({ requests }: Plan, table: string, index: string): readonly ReadRequest[] {
  return requests.filter(
    (one): one is ReadRequest =>
      one.kind === "read" && one.table.name === table && one.index?.name === index,
  );
}

function isReadBy(plan: Plan, { entity, table }: StoredRecord, index: string): boolean {
  return requestsTo(plan, table.name, index).some(({ record: found, together }) =>
    [found, ...together].some((one) => one.entity === entity),
  );
}

function memberOf(
  { entity }: StoredRecord,
  { index, partition, sort, optional, attributes }: Membership,
  readers: readonly Plan[],
  document: IndexDocument,
  full: boolean,
): Member {
  const held = new Set(attributes.flatMap(attributeName));
  const asked = new Set(readers.flatMap((plan) => namedIn(plan, entity, index.name)));
  const where = new Map<string, OperatorsDocument>(
    optional.map(({ name }) => [name, { exists: true }]),
  );
  for (const [name, said] of Object.entries(document.only?.[entity.name] ?? {})) {
    where.set(name, said as OperatorsDocument);
  }
  return {
    entity,
    partition: partitionText(entity, partition),
    sort: sortText(entity, sort),
    only: where.size === 0 ? undefined : record([...where]),
    wanted: [...entity.attributes.keys()].filter(
      (name) => held.has(name) && (full || asked.has(name)),
    ),
  };
}

/** Attributes of an entity that a plan takes from an index: what it returns, asks about, sorts by or looks further with. */
function namedIn({ pattern, requests }: Plan, entity: Entity, index: string): readonly string[] {
  const reads = requests.filter((one): one is ReadRequest => one.kind === "read");
  const isHere = (one: ReadRequest): boolean => one.index?.name === index;
  // Where items are read after their entries, an entry only has to tell which; their keys it tells by itself.
  const fetched = reads.some((one) => one.record.entity === entity && one.index === undefined);
  const asks = [...pattern.actions, ...pattern.together].filter(
    (one) => one.entity === entity.name,
  );
  const sorted = reads.some((one) => isHere(one) && one.sortsInClient);
  return [
    ...(fetched ? [] : asks.flatMap(({ returns }) => returns)),
    ...(sorted || !fetched
      ? asks.flatMap(({ order }) => order.map(({ attribute }) => attribute))
      : []),
    ...reads.flatMap((one) => {
      if (one.record.entity === entity && !isHere(one)) return [];
      return [...one.filter.map(({ attribute }) => attribute), ...resultsOf(one.bindings)];
    }),
    ...requests.flatMap((one) =>
      one.kind === "read" ? [] : one.actions.flatMap(({ bindings }) => resultsOf(bindings)),
    ),
  ];
}

function resultsOf(bindings: ReadRequest["bindings"]): readonly string[] {
  return [...bindings.values()].flatMap((one) => (one.kind === "result" ? [one.attribute] : []));
}
