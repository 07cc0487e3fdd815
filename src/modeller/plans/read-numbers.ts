import type { TimeUnit } from "../../model/formats.ts";
import { truncationOf } from "../../model/key-text.ts";
import type { Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { Estimate } from "../records/cardinality.ts";
import type { StoredRecord } from "../records/record.ts";
import { constantsIn, holdsFor, type Share } from "../records/shares.ts";
import type { Ask } from "./ask.ts";
import type { KeyMatch } from "./match-key.ts";
import type { ExpectedRead, KeyCondition, ReadRequest, Remainder, Times } from "./plan.ts";
import { canBegin, canMeet, canShare, type Structure, sameStructure } from "./structures.ts";

/** The expected numbers of a read: items in its range, items that pass its filter, and what else lies there. */

/** Other kinds of items that lie in the range that a Query or a Scan reads. */
export function besideOf(
  facts: Facts,
  structure: Structure,
  { partition, sort }: Pick<KeyMatch, "partition" | "sort">,
): readonly StoredRecord[] {
  return facts.records.filter((record) => {
    const other = record === structure.record ? undefined : sameStructure(structure, record);
    // A Scan reads all partitions.
    return (
      other !== undefined &&
      (partition.length === 0 || canShare(structure, other)) &&
      sort.every((condition, i) => inRange(condition, other, i))
    );
  });
}

function inRange(condition: KeyCondition, other: Structure, i: number): boolean {
  const text = other.sort[i]?.text;
  if (text === undefined) return false;
  if (condition.kind === "equals") return canMeet(condition.text, text);
  const [first] = condition.text.segments;
  if (condition.segments === 0) return true;
  return first?.kind === "text" ? canBegin(text, first.text) : text.segments[0]?.kind !== "text";
}

type Draft = Omit<ReadRequest, "expected">;

/** A question that is put to one table or index, and how far its key answers it. */
export interface Candidate {
  readonly facts: Facts;
  readonly structure: Structure;
  readonly ask: Ask;
  readonly match: KeyMatch;
}

/** What the first request has to find, so that as much is left as is asked for after the late predicates. */
function firstAsk({ facts, structure, match, ask }: Candidate, late: Remainder): Ask {
  const share = facts.passing(structure.record.entity, match.fixed, late.filter).value;
  const matches =
    ask.matches === undefined || share <= 0
      ? undefined
      : { ...ask.matches, value: ask.matches.value / share };
  const where = ask.where.filter((one) => !late.filter.includes(one));
  return { ...ask, where, limit: undefined, matches };
}

/** Calls, or keys, for all combinations of values. */
export function callsOf(times: readonly Pick<Times, "count">[]): number {
  return times.reduce((product, { count }) => product * count, 1);
}

/** How much one run of a read finds, from counts, fan-outs and shares. */
export function expectedOf(
  asked: Candidate,
  draft: Draft,
  late: Remainder | undefined,
): ExpectedRead {
  const isLate = late !== undefined;
  const candidate = isLate ? { ...asked, ask: firstAsk(asked, late) } : asked;
  const { facts, structure, match, ask } = candidate;
  const { record } = structure;
  const { filter, times, limit } = draft;
  if (draft.operation === "Scan") return expectedScan(candidate, draft, isLate);
  const assumptions: string[] = [];
  const calls = callsOf(times);
  if (match.whole) {
    const returned = calls * Math.min(1, facts.presence(record));
    return { calls, evaluated: [{ record, count: returned }], returned, assumptions };
  }
  const isFilled = ask.matches !== undefined && !times.some(({ why }) => why === "results");
  // Without a filter all that is read is returned, so what was said needs no estimate beside it.
  const isSaid = isFilled && filter.length === 0 && !isLate;
  const there = isSaid ? 0 : itemsInRange(candidate, assumptions);
  const filtered = filterShare(candidate, filter);
  if (filtered.assumed) assumptions.push(`how many ${record.entity.name} pass the filter`);
  const isRange = match.sort.some(({ kind }) => kind === "range");
  if (isRange && !isFilled) assumptions.push(`how many ${record.entity.name} lie in the range`);
  const said = isFilled ? (ask.matches?.value ?? 0) / calls : undefined;
  // What was said is what the caller gets; the filter throws the rest away after it was read.
  const inRange =
    said === undefined ? there : isRange ? said / filtered.value : Math.max(there, said);
  // All that passes here is fetched, whatever is left of it by the late predicates.
  const passing = said === undefined || isLate ? inRange * filtered.value : said;
  const returned = Math.min(limit ?? passing, passing) * calls;
  // What was said is also known of the filter: so many of those that are there pass it.
  const share = inRange > 0 ? Math.min(filtered.value, passing / inRange) : filtered.value;
  const read = limit === undefined ? inRange : readFor(limit, inRange, share);
  const beside = limit === undefined ? draft.beside : [];
  const others = beside.map((one) => ({ record: one, count: besidePer(facts, structure, one) }));
  return {
    calls,
    evaluated: [{ record, count: read }, ...others].map((one) => ({
      ...one,
      count: one.count * calls,
    })),
    returned: Math.min(ask.limit ?? returned, returned),
    assumptions,
  };
}

/** All of a table or an index is evaluated. Items come in no order, so a limit ends a Scan early only if any items will do. */
function expectedScan(
  { facts, structure, ask }: Candidate,
  { beside, remainder, sortsInClient }: Draft,
  isLate: boolean,
): ExpectedRead {
  const { record } = structure;
  const { where, limit, matches, batch = 1 } = ask;
  const share = facts.passing(record.entity, [], where);
  const count = facts.count(record)?.value ?? 1;
  // One Scan finds the items of all keys of a batch.
  const estimated = Math.min(count, count * share.value * batch);
  const said = matches?.value ?? 0;
  const passing =
    matches === undefined ? estimated : isLate ? Math.min(count, Math.max(estimated, said)) : said;
  const isCut = !sortsInClient && remainder.links.length === 0;
  const part = isCut && limit !== undefined && passing > limit ? limit / passing : 1;
  return {
    calls: 1,
    evaluated: [record, ...beside].map((one) => {
      const entries = entryShare(facts, sameStructure(structure, one) ?? structure);
      return { record: one, count: (facts.count(one)?.value ?? 1) * entries * part };
    }),
    returned: Math.min(passing, limit ?? passing),
    assumptions: share.assumed ? [`how many ${record.entity.name} pass the filter`] : [],
  };
}

/** The share of items that have an entry in an index. */
function entryShare(facts: Facts, { record, membership }: Structure): number {
  return membership === undefined ? 1 : facts.shareIn(record.entity, membership).value;
}

/** The same, as far as what an index asks of some attributes decides it. */
function partialShare({ facts, structure }: Candidate, isMeant: (name: string) => boolean): number {
  const { only = [], optional = [] } = structure.membership ?? {};
  const asked = only.filter(({ attribute }) => isMeant(attribute));
  const present = optional
    .filter(({ name }) => isMeant(name))
    .reduce((product, one) => product * one.present.value, 1);
  return facts.share(structure.record.entity, asked).value * present;
}

/** The share that passes a filter among what is there: in an index, of what is in it. */
function filterShare(candidate: Candidate, filter: ReadRequest["filter"]): Share {
  const { facts, structure, match } = candidate;
  const share = facts.passing(structure.record.entity, match.fixed, filter);
  const inside = partialShare(candidate, (name) =>
    filter.some(({ attribute }) => attribute === name),
  );
  return inside === 0 ? share : { ...share, value: Math.min(1, share.value / inside) };
}

/** Pages of `limit` items are read until as many have passed the filter. */
function readFor(limit: number, inRange: number, share: number): number {
  if (share >= 1 || share <= 0) return Math.min(limit, inRange);
  return Math.min(inRange, Math.ceil(1 / share) * limit);
}

/** Units of time that a span touches on average: wherever it begins, it ends in one more than its length has. */
export function spanUnits(
  candidate: Candidate,
  filter: readonly Predicate[],
  matches: number,
): number {
  const { facts, structure, match } = candidate;
  const { entity } = structure.record;
  const inUnit = itemsInRange(candidate, []);
  const coarse = new Set(match.coarse.map(({ attribute }) => attribute));
  const others = filter.filter(({ attribute }) => !coarse.has(attribute));
  const passing = inUnit * facts.passing(entity, match.fixed, others).value;
  const units = match.coarse.flatMap(({ transforms }) => truncationOf(transforms) ?? []);
  const last = units.at(-1);
  const all = last === undefined ? 1 : unitsKept(entity.retentionMs, last, [], "");
  return passing > 0 ? Math.max(1, Math.min(all, 1 + matches / passing)) : 1;
}

/** Items of the kind that is asked for, in the range of one call. */
function itemsInRange(candidate: Candidate, assumptions: string[]): number {
  const { facts, structure, match } = candidate;
  const { entity } = structure.record;
  // Of attributes with stated values the shares are known, and are used instead of a mean.
  const stated = match.fixed.filter((name) => entity.attributes.get(name)?.values !== undefined);
  const others = match.fixed.filter((name) => !stated.includes(name));
  const isOne = entity.id.every((name) => match.fixed.includes(name));
  const per =
    others.length === 0 && !isOne
      ? facts.cardinality.count(entity)
      : facts.cardinality.itemsPer(entity, isOne ? match.fixed : others);
  if (per === undefined) {
    assumptions.push(`how many ${entity.name} there are`);
    return 1;
  }
  const known = facts.cardinality.known(entity, others);
  for (const name of isOne ? [] : others) {
    if (entity.attributes.has(name) && !known.includes(name)) {
      assumptions.push(`how many different ${entity.name}.${name} there are`);
    }
  }
  const shares = (isOne ? [] : stated).reduce(
    (product, name) => product * statedShare(candidate, name),
    1,
  );
  const share = partialShare(candidate, (name) => !match.fixed.includes(name));
  const shards = callsOf(match.times.filter(({ why }) => why === "shards"));
  const buckets = match.coarse
    .filter(({ attribute }) => !match.fixed.includes(attribute))
    .flatMap(({ transforms }) => truncationOf(transforms) ?? [])
    .reduce(
      (product, unit) => product * unitsKept(entity.retentionMs, unit, assumptions, entity.name),
      1,
    );
  return (per.value * share * shares) / shards / buckets;
}

/** The share of the value that is asked for; of a parameter, the mean of those that it can be. */
function statedShare({ structure, match }: Candidate, name: string): number {
  const { record, membership } = structure;
  const values = record.entity.attributes.get(name)?.values ?? [];
  const binding = match.bindings.get(name);
  const asked =
    binding?.kind === "constant"
      ? [binding.value]
      : constantsIn(binding?.kind === "each" ? binding.operands : []);
  const allowed = membership?.only.find(
    ({ attribute, operator }) => attribute === name && operator !== "exists",
  );
  const holds = allowed && holdsFor(allowed);
  const hit = values.filter(({ value }) =>
    asked.length > 0
      ? asked.some((one) => String(one) === String(value))
      : (holds?.(value) ?? true),
  );
  if (hit.length === 0) return 0;
  return hit.reduce((sum, { share }) => sum + share, 0) / hit.length;
}

const dayMs = 86_400_000;
const unitMs: Readonly<Record<TimeUnit, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: dayMs,
  month: 30.4 * dayMs,
  year: 365 * dayMs,
};

/** How many units of time the items are spread over. */
export function unitsKept(
  retentionMs: number | undefined,
  unit: TimeUnit,
  assumptions: string[],
  name: string,
): number {
  if (retentionMs === undefined) assumptions.push(`that ${name} are of one year`);
  return Math.max(1, (retentionMs ?? 365 * dayMs) / unitMs[unit]);
}

/** Items of another kind under the same partition key. */
export function besidePer(facts: Facts, structure: Structure, record: StoredRecord): number {
  const other = sameStructure(structure, record);
  if (other === undefined) return 0;
  const per = partitionNames(other).length === 0 ? facts.count(record) : itemsPer(facts, other);
  return (per?.value ?? 1) * entryShare(facts, other) * facts.presence(record);
}

/** Items under one partition key, if all of them are in the table or index. */
export function itemsPer(facts: Facts, structure: Structure): Estimate | undefined {
  return facts.cardinality.itemsPer(structure.record.entity, partitionNames(structure));
}

function partitionNames({ partition }: Structure): readonly string[] {
  return partition.flatMap(({ text }) =>
    text.segments.flatMap((segment) => (segment.kind === "attribute" ? [segment.attribute] : [])),
  );
}
