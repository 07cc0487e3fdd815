import { attributesOf } from "../../model/key-text.ts";
import type { Together } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { AccessPath } from "./access-paths.ts";
import type { Ask } from "./ask.ts";
import { heldBy } from "./index-contents.ts";
import { linkOf } from "./links.ts";
import { matchKey } from "./match-key.ts";
import type { Bindings, KeyCondition, ReadRequest } from "./plan.ts";
import { besideOf, besidePer } from "./read-numbers.ts";
import { canMeet, literalHead, type Structure, sameStructure } from "./structures.ts";

/** One Query for an item and others in its collection, and what it cannot bring. */
export interface Collection {
  readonly path: AccessPath;
  readonly left: readonly Together[];
}

/**
 * If other entities lie under the same partition key as what is asked for, one Query brings them all. That holds
 * for a single item and everything of the others, not for a page of a list.
 */
export function collectionOf(
  facts: Facts,
  path: AccessPath,
  ask: Ask,
  together: readonly Together[],
): Collection | undefined {
  const { structure, match, request, late } = path;
  const own = facts.model.entities.get(ask.entity);
  if (own === undefined || ask.transaction || ask.batch !== undefined) return undefined;
  // The rows are embedded in other items, which the request takes for the rows themselves.
  if (structure.record.entity !== own) return undefined;
  if (request.expected.calls > 1) return undefined;
  if (request.operation === "Scan" || late !== undefined) return undefined;
  if (request.filter.length > 0 || request.expected.evaluated.some(({ count }) => count > 1.5))
    return undefined;
  const found: {
    readonly one: Together;
    readonly other: Structure;
    readonly count: number;
    readonly forward: boolean;
  }[] = [];
  const left: Together[] = [];
  for (const one of together) {
    const other = partnerOf(facts, structure, one);
    const entity = facts.model.entities.get(one.entity);
    if (other === undefined || entity === undefined) {
      left.push(one);
      continue;
    }
    const known = linkOf(facts, own, entity, ask.where, ask.known, 0);
    const theirs = matchKey(other, one.where, one.order, known);
    // One Query reads all that is under the partition key, so that alone has to tell whose they are.
    const inside = matchKey({ ...other, sort: [] }, one.where, [], known);
    const fits =
      typeof theirs !== "string" &&
      typeof inside !== "string" &&
      isWhole(facts, other, one.returns) &&
      isSamePartition(structure, match.bindings, other, inside.bindings) &&
      inside.rest.length === 0 &&
      [...known].every(
        ([name, value]) => inside.fixed.includes(name) && inside.bindings.get(name) === value,
      ) &&
      theirs.forward !== undefined &&
      (typeof one.limit !== "number" ||
        (together.length === 1 && isFirst(structure, other, theirs.forward)));
    if (!fits) {
      left.push(one);
      continue;
    }
    const names = other.partition.flatMap(({ text }) =>
      text.segments.flatMap((segment) => (segment.kind === "attribute" ? [segment.attribute] : [])),
    );
    const per = facts.cardinality.itemsPer(other.record.entity, names);
    const most = typeof one.limit === "number" ? one.limit : Number.POSITIVE_INFINITY;
    const count = Math.min(most, per?.value ?? 1);
    found.push({ one, other, count, forward: theirs.forward ?? true });
  }
  if (found.length === 0) return undefined;
  const members = [structure, ...found.map(({ other }) => other)];
  const sort = commonSort(members);
  const wanted = found.map(({ other }) => other.record);
  const beside = besideOf(facts, structure, { partition: match.partition, sort }).filter(
    (record) => !wanted.includes(record),
  );
  const [page] = found.flatMap(({ one, forward }) =>
    typeof one.limit === "number" ? [{ limit: one.limit, forward }] : [],
  );
  // The range of all has others of the same kind, which the caller tells apart.
  const inPartition = matchKey({ ...structure, sort: [] }, ask.where, [], ask.known);
  const filter = typeof inPartition === "string" ? [] : inPartition.rest;
  // A page ends where it should only if nothing else lies among what is wanted.
  if (page !== undefined && (beside.length > 0 || filter.length > 0)) return undefined;
  const forward = page?.forward ?? found.every((one) => one.forward);
  const evaluated = [
    ...request.expected.evaluated,
    ...found.map(({ other, count }) => ({ record: other.record, count })),
    ...beside.map((record) => ({ record, count: besidePer(facts, structure, record) })),
  ];
  const all: ReadRequest = {
    ...request,
    operation: "Query",
    together: wanted,
    beside,
    filter,
    sort,
    forward,
    limit: page && page.limit + 1,
    expected: {
      ...request.expected,
      evaluated,
      returned: request.expected.returned + found.reduce((sum, { count }) => sum + count, 0),
    },
  };
  return { left, path: { ...path, request: all } };
}

/** The partition that is read has the others: its key has, in each place, the value that their link asks for. */
function isSamePartition(
  own: Structure,
  ours: Bindings,
  other: Structure,
  theirs: Bindings,
): boolean {
  const names = ({ partition }: Structure): readonly string[] =>
    partition.flatMap(({ text }) => attributesOf(text).map(({ attribute }) => attribute));
  const mine = names(own);
  return names(other).every((name, i) => {
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
  const others = facts.records.filter(
    ({ entity, role }) => entity === record.entity && (role === "item" || role === "split"),
  );
  const stored = others.map(({ attributes }) => heldBy(attributes));
  return returns.every((name) => held.has(name) || !stored.some((one) => one.has(name)));
}

/** The same table or index as the way to the other entity, under a partition key that can be the same. */
function partnerOf(
  facts: Facts,
  structure: Structure,
  { entity }: Together,
): Structure | undefined {
  for (const record of facts.itemsOf(entity)) {
    const other = sameStructure(structure, record);
    const meets =
      other !== undefined &&
      structure.partition.every(({ text }, i) => {
        const theirs = other.partition[i]?.text;
        return (
          theirs !== undefined &&
          canMeet(text, theirs) &&
          text.segments.length === theirs.segments.length
        );
      });
    if (meets) return other;
  }
  return undefined;
}

/** What all sort keys begin with, if they begin with the same text. */
function commonSort(members: readonly Structure[]): readonly KeyCondition[] {
  const heads = members.map(({ sort }) =>
    sort[0] === undefined ? "" : literalHead(sort[0].text).text,
  );
  const [first = ""] = heads;
  const shared = heads.every((head) => head === first) ? first : "";
  const made = members[0]?.sort[0];
  if (shared === "" || made === undefined) return [];
  return [{ ...made, kind: "begins", segments: 1 }];
}

/** The item itself comes before the others in the direction that they are read in. */
function isFirst(own: Structure, other: Structure, forward: boolean): boolean {
  const [mine, theirs] = [own, other].map(({ sort }) =>
    sort[0] === undefined ? "" : literalHead(sort[0].text).text,
  );
  if (mine === undefined || theirs === undefined || mine === theirs) return false;
  return forward ? mine < theirs && theirs !== "" : mine > theirs && theirs !== "";
}
