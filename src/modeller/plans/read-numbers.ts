import type { TimeUnit } from "../../model/formats.ts";
import type { Entity, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { Membership, StoredRecord } from "../records/record.ts";
import { holdsFor, type Share } from "../records/shares.ts";
import type { Ask } from "./ask.ts";
import type { KeyMatch } from "./match-key.ts";
import type { ExpectedRead, KeyCondition, ReadRequest, Remainder } from "./plan.ts";
import { canBegin, canMeet, type Structure, sameStructure } from "./structures.ts";

/** The expected numbers of a read: items in its range, items that pass its filter, and what else lies there. */

/** Other kinds of items that lie in the range that a Query or a Scan reads. */
export function besideOf(
  facts: Facts,
  structure: Structure,
  match: Pick<KeyMatch, "partition" | "sort">,
): readonly StoredRecord[] {
  return facts.records.filter((record) => {
    if (record === structure.record || record.table !== structure.table) return false;
    const other = sameStructure(structure, record);
    if (other === undefined) return false;
    // A Scan reads all partitions.
    const isScan = match.partition.length === 0;
    const meets = structure.partition.every(
      ({ text }, i) =>
        other.partition[i] !== undefined && (isScan || canMeet(text, other.partition[i].text)),
    );
    return meets && match.sort.every((condition, i) => inRange(condition, other, i));
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

/** What the first request has to find, so that as much is left as is asked for after the late predicates. */
export function firstAsk(
  facts: Facts,
  { record }: Structure,
  { fixed }: KeyMatch,
  ask: Ask,
  late: Remainder | undefined,
): Ask {
  if (late === undefined) return ask;
  const share = facts.passing(record.entity, fixed, late.filter).value;
  const matches =
    ask.matches === undefined || share <= 0
      ? undefined
      : { ...ask.matches, value: ask.matches.value / share };
  const where = ask.where.filter((one) => !late.filter.includes(one));
  return { ...ask, where, limit: undefined, matches };
}

/** How much one run of a read finds, from counts, fan-outs and shares. */
export function expectedOf(
  facts: Facts,
  structure: Structure,
  match: KeyMatch,
  draft: Draft,
  ask: Ask,
  isLate: boolean,
): ExpectedRead {
  const { record } = structure;
  if (draft.operation === "Scan") return expectedScan(facts, structure, draft, ask, isLate);
  const assumptions: string[] = [];
  const calls = draft.times.reduce((product, { count }) => product * count, 1);
  if (match.whole) {
    const count = Math.min(1, facts.presence(record));
    return {
      calls,
      evaluated: [{ record, count: calls * count }],
      returned: calls * count,
      assumptions,
    };
  }
  const isFilled = ask.matches !== undefined && !draft.times.some(({ why }) => why === "results");
  // Without a filter all that is read is returned, so what was said needs no estimate beside it.
  const isSaid = isFilled && draft.filter.length === 0 && !isLate;
  const there = isSaid ? 0 : itemsInRange(facts, structure, match, assumptions);
  const filtered = filterShare(facts, structure, draft.filter, match.fixed);
  if (filtered.assumed) assumptions.push(`how many ${record.entity.name} pass the filter`);
  if (match.ranged && !isFilled)
    assumptions.push(`how many ${record.entity.name} lie in the range`);
  const said = isFilled ? (ask.matches?.value ?? 0) / calls : undefined;
  // What was said is what the caller gets; the filter throws the rest away after it was read.
  const inRange =
    said === undefined ? there : match.ranged ? said / filtered.value : Math.max(there, said);
  // All that passes here is fetched, whatever is left of it by the late predicates.
  const passing = said === undefined || isLate ? inRange * filtered.value : said;
  const { limit } = draft;
  const returned = limit === undefined ? passing : Math.min(limit, passing);
  // What was said is also known of the filter: so many of those that are there pass it.
  const share = inRange > 0 ? Math.min(filtered.value, passing / inRange) : filtered.value;
  const read = limit === undefined ? inRange : readFor(limit, inRange, share);
  const others = draft.limit === undefined ? draft.beside : [];
  return {
    calls,
    evaluated: [
      { record, count: read * calls },
      ...others.map((other) => ({
        record: other,
        count: besidePer(facts, structure, other) * calls,
      })),
    ],
    returned: ask.limit === undefined ? returned * calls : Math.min(ask.limit, returned * calls),
    assumptions,
  };
}

/** All of a table or an index is evaluated. Items come in no order, so a limit ends a Scan early only if any items will do. */
function expectedScan(
  facts: Facts,
  structure: Structure,
  { beside, remainder, sortsInClient }: Draft,
  { where, limit, matches, batch = 1 }: Ask,
  isLate: boolean,
): ExpectedRead {
  const { record } = structure;
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
      const membership = sameStructure(structure, one)?.membership;
      const entries = membership === undefined ? 1 : facts.shareIn(one.entity, membership).value;
      return { record: one, count: (facts.count(one)?.value ?? 1) * entries * part };
    }),
    returned: Math.min(passing, limit ?? passing),
    assumptions: share.assumed ? [`how many ${record.entity.name} pass the filter`] : [],
  };
}

/** The share that passes a filter among what is there: in an index, of what is in it. */
function filterShare(
  facts: Facts,
  { record: { entity }, membership }: Structure,
  filter: ReadRequest["filter"],
  fixed: readonly string[],
): Share {
  const share = facts.passing(entity, fixed, filter);
  if (membership === undefined) return share;
  const asked = new Set(filter.map(({ attribute }) => attribute));
  const only = membership.only.filter(({ attribute }) => asked.has(attribute));
  const present = membership.optional
    .filter(({ name }) => asked.has(name))
    .reduce((product, one) => product * one.present.value, 1);
  const inside = facts.share(entity, only).value * present;
  return inside === 0 ? share : { ...share, value: Math.min(1, share.value / inside) };
}

/** Pages of `limit` items are read until as many have passed the filter. */
function readFor(limit: number, inRange: number, share: number): number {
  if (share >= 1 || share <= 0) return Math.min(limit, inRange);
  return Math.min(inRange, Math.ceil(1 / share) * limit);
}

/** Units of time that a span touches on average: wherever it begins, it ends in one more than its length has. */
export function spanUnits(
  facts: Facts,
  structure: Structure,
  match: KeyMatch,
  filter: readonly Predicate[],
  matches: number,
): number {
  const { entity } = structure.record;
  const inUnit = itemsInRange(facts, structure, match, []);
  const coarse = new Set(match.coarse.map(({ attribute }) => attribute));
  const others = filter.filter(({ attribute }) => !coarse.has(attribute));
  const passing = inUnit * facts.passing(entity, match.fixed, others).value;
  const all = match.coarse.reduce((most, { transforms }) => {
    const cut = transforms.find(({ kind }) => kind === "truncate");
    return cut?.kind === "truncate" ? unitsKept(entity.retentionMs, cut.unit, [], "") : most;
  }, 1);
  return passing > 0 ? Math.max(1, Math.min(all, 1 + matches / passing)) : 1;
}

/** Items of the kind that is asked for, in the range of one call. */
function itemsInRange(
  facts: Facts,
  { record, membership }: Structure,
  match: KeyMatch,
  assumptions: string[],
): number {
  const { entity } = record;
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
  const fixed = new Set(match.fixed);
  const known = facts.cardinality.known(entity, others);
  for (const name of isOne ? [] : others) {
    if (entity.attributes.has(name) && !known.includes(name)) {
      assumptions.push(`how many different ${entity.name}.${name} there are`);
    }
  }
  const shares = isOne
    ? 1
    : stated.reduce((product, name) => product * statedShare(entity, name, match, membership), 1);
  const share =
    membership === undefined
      ? 1
      : facts.share(
          entity,
          membership.only.filter(({ attribute }) => !fixed.has(attribute)),
        ).value *
        membership.optional
          .filter(({ name }) => !fixed.has(name))
          .reduce((product, { present }) => product * present.value, 1);
  const shards = match.times
    .filter(({ why }) => why === "shards")
    .reduce((product, { count }) => product * count, 1);
  const buckets = match.coarse
    .filter(({ attribute }) => !fixed.has(attribute))
    .reduce((product, { transforms }) => {
      const unit = transforms.find(({ kind }) => kind === "truncate");
      if (unit?.kind !== "truncate") return product;
      return product * unitsKept(entity.retentionMs, unit.unit, assumptions, entity.name);
    }, 1);
  return (per.value * share * shares) / shards / buckets;
}

/** The share of the value that is asked for; of a parameter, the mean of those that it can be. */
function statedShare(
  entity: Entity,
  name: string,
  { bindings }: KeyMatch,
  membership: Membership | undefined,
): number {
  const values = entity.attributes.get(name)?.values ?? [];
  const binding = bindings.get(name);
  const asked =
    binding?.kind === "constant"
      ? [binding.value]
      : binding?.kind === "each"
        ? binding.operands.flatMap((one) => (one.kind === "constant" ? [one.value] : []))
        : [];
  const allowed = membership?.only.find(
    ({ attribute, operator }) => attribute === name && operator !== "exists",
  );
  const bounds = allowed?.operands.flatMap((one) => (one.kind === "constant" ? [one.value] : []));
  const holds = allowed && bounds && holdsFor(allowed.operator, bounds);
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
  const names = other.partition.flatMap(({ text }) =>
    text.segments.flatMap((segment) => (segment.kind === "attribute" ? [segment.attribute] : [])),
  );
  const share =
    other.membership === undefined ? 1 : facts.shareIn(record.entity, other.membership).value;
  const per =
    names.length === 0 ? facts.count(record) : facts.cardinality.itemsPer(record.entity, names);
  return (per?.value ?? 1) * share * facts.presence(record);
}
