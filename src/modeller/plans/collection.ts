import { attributeNames } from "../../model/key-text.ts";
import type { Together } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { AccessPath } from "./access-paths.ts";
import { limitOf } from "./ask.ts";
import { heldBy } from "./index-contents.ts";
import { linkOf } from "./links.ts";
import { matchKey } from "./match-key.ts";
import type { Bindings, KeyCondition, ReadRequest } from "./plan.ts";
import { besideOf, besidePer, itemsPer } from "./read-numbers.ts";
import { canShare, literalHead, type Structure, sameStructure } from "./structures.ts";

/** One Query for an item and others in its collection, and what it cannot bring. */
export interface Collection {
  readonly path: AccessPath;
  readonly left: readonly Together[];
}

/** Other entities that the same Query brings. */
interface Member {
  readonly other: Structure;
  readonly count: number;
  readonly limit: number | undefined;
  readonly forward: boolean;
}

/**
 * If other entities lie under the same partition key as what is asked for, one Query brings them all. That holds
 * for a single item and everything of the others, not for a page of a list.
 */
export function collectionOf(
  path: AccessPath,
  together: readonly Together[],
): Collection | undefined {
  const { facts, structure, match, request, late, ask } = path;
  const { expected } = request;
  // Rows may be embedded in other items, which the request takes for the rows themselves.
  if (structure.record.entity.name !== ask.entity || late !== undefined) return undefined;
  if (ask.transaction || ask.batch !== undefined || expected.calls > 1) return undefined;
  if (request.operation === "Scan" || request.filter.length > 0) return undefined;
  if (expected.evaluated.some(({ count }) => count > 1.5)) return undefined;
  const found = together.map((one) => memberFor(path, one, together.length === 1));
  const members = found.filter((one) => one !== undefined);
  if (members.length === 0) return undefined;
  const wanted = members.map(({ other }) => other.record);
  const sort = commonSort([structure, ...members.map(({ other }) => other)]);
  const beside = besideOf(facts, structure, { partition: match.partition, sort }).filter(
    (record) => !wanted.includes(record),
  );
  // The range of all has others of the same kind, which the caller tells apart.
  const inPartition = matchKey({ ...structure, sort: [] }, { where: ask.where, known: ask.known });
  const filter = typeof inPartition === "string" ? [] : inPartition.rest;
  // A page ends where it should only if nothing else lies among what is wanted.
  const page = members.find(({ limit }) => limit !== undefined);
  if (page !== undefined && (beside.length > 0 || filter.length > 0)) return undefined;
  const all: ReadRequest = {
    ...request,
    operation: "Query",
    together: wanted,
    beside,
    filter,
    sort,
    forward: page?.forward ?? members.every((one) => one.forward),
    limit: page?.limit === undefined ? undefined : page.limit + 1,
    expected: {
      ...expected,
      evaluated: [
        ...expected.evaluated,
        ...members.map(({ other, count }) => ({ record: other.record, count })),
        ...beside.map((record) => ({ record, count: besidePer(facts, structure, record) })),
      ],
      returned: expected.returned + members.reduce((sum, { count }) => sum + count, 0),
    },
  };
  const left = together.filter((_, i) => found[i] === undefined);
  return { left, path: { ...path, request: all } };
}

/** What the Query of a path brings of another entity; nothing if it cannot bring all that is wanted. */
function memberFor(
  { facts, structure, match, ask }: AccessPath,
  wanted: Together,
  isOnly: boolean,
): Member | undefined {
  // The same table or index, under a partition key that can be the same.
  const other = facts
    .itemsOf(wanted.entity)
    .flatMap((record) => sameStructure(structure, record) ?? [])
    .find((one) => canShare(structure, one));
  if (other === undefined) return undefined;
  const { where, order } = wanted;
  const [own, entity] = [structure.record.entity, other.record.entity];
  const known = linkOf(facts, own, entity, ask.where, ask.known, 0);
  const theirs = matchKey(other, { where, order, known });
  // One Query reads all that is under the partition key, so that alone has to tell whose they are.
  const inside = matchKey({ ...other, sort: [] }, { where, known });
  if (typeof theirs === "string" || typeof inside === "string") return undefined;
  const { forward } = theirs;
  const limit = limitOf(wanted);
  const isBrought =
    isWhole(facts, other, wanted.returns) &&
    isSamePartition(structure, match.bindings, other, inside.bindings) &&
    inside.rest.length === 0 &&
    [...known].every(
      ([name, value]) => inside.fixed.includes(name) && inside.bindings.get(name) === value,
    );
  if (!isBrought || forward === undefined) return undefined;
  if (limit !== undefined && !(isOnly && isFirst(structure, other, forward))) return undefined;
  const per = itemsPer(facts, other)?.value ?? 1;
  return { other, count: Math.min(limit ?? per, per), limit, forward };
}

/** The partition that is read has the others: its key has, in each place, the value that their link asks for. */
function isSamePartition(
  own: Structure,
  ours: Bindings,
  other: Structure,
  theirs: Bindings,
): boolean {
  const mine = attributeNames(own.partition);
  return attributeNames(other.partition).every((name, i) => {
    const attribute = mine[i] ?? "";
    const value = theirs.get(name);
    const isOfRow = value?.kind === "result" && value.attribute === attribute;
    return isOfRow || JSON.stringify(value) === JSON.stringify(ours.get(attribute));
  });
}

/** Nothing that is wanted lies in another item of the entity. */
function isWhole(
  facts: Facts,
  { record, membership }: Structure,
  returns: readonly string[],
): boolean {
  const held = heldBy(membership?.attributes ?? record.attributes);
  const stored = facts.records
    .filter(({ entity, role }) => entity === record.entity && (role === "item" || role === "split"))
    .map(({ attributes }) => heldBy(attributes));
  return returns.every((name) => held.has(name) || !stored.some((one) => one.has(name)));
}

function sortHead({ sort: [first] }: Structure): string {
  return first === undefined ? "" : literalHead(first.text);
}

/** What all sort keys begin with, if they begin with the same text. */
function commonSort(members: readonly Structure[]): readonly KeyCondition[] {
  const [first = "", ...others] = members.map(sortHead);
  const made = members[0]?.sort[0];
  if (first === "" || others.some((head) => head !== first) || made === undefined) return [];
  return [{ ...made, kind: "begins", segments: 1 }];
}

/** The item itself comes before the others in the direction that they are read in. */
function isFirst(own: Structure, other: Structure, forward: boolean): boolean {
  const [mine, theirs] = [sortHead(own), sortHead(other)];
  return theirs !== "" && (forward ? mine < theirs : mine > theirs);
}
