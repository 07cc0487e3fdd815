import type { Index, Table } from "../../model/design.ts";
import type { KeyText } from "../../model/key-text.ts";
import type { Facts } from "../facts.ts";
import type { Plan } from "../plans/plan.ts";
import { structureName } from "../plans/plan.ts";
import { jointOf } from "./joint.ts";
import { partCount } from "./part-spread.ts";
import { namedValues, shareAt } from "./spread.ts";
import type { Touch } from "./touch.ts";
import { touchesOf } from "./touches.ts";

/** Units per second. What patterns without a rate ask for is not in it. */
export interface Load {
  readonly average: number;
  readonly peak: number;
}

/** The load on the partition keys of one table or global index. A local index lies with its table. */
export interface KeyLoad {
  /** `Shop` or `Shop.GSI1`. */
  readonly name: string;
  readonly table: Table;
  readonly index: Index | undefined;
  readonly read: Load;
  readonly write: Load;
  /** Reads that go through all of it. */
  readonly scanned: Load;
  /** By what the key is made of; what takes most of its ceiling first. */
  readonly families: readonly KeyFamily[];
  readonly touches: readonly Touch[];
}

/** Partition keys that are made in the same way, so that all of them can meet in one value. */
export interface KeyFamily {
  /** `C#{customerId}`; of several attributes: `{siteId} · {kind}`. */
  readonly text: string;
  /** Kinds of items under these keys. */
  readonly records: readonly string[];
  /** How many different keys there are, shards counted; nothing if nobody can know. */
  readonly count: number | undefined;
  readonly shards: number;
  readonly read: Load;
  readonly write: Load;
  /** Visits of keys per second: requests, with each key of a batch and each shard of a gathering. */
  readonly visits: Load;
  readonly hottest: { readonly read: HottestKey; readonly write: HottestKey };
  readonly touches: readonly Touch[];
  readonly assumptions: readonly string[];
  readonly open: readonly string[];
}

/** The key that gets most, of reads or of writes. */
export interface HottestKey {
  /** The values that are known by name: `status = open`. */
  readonly at: readonly string[];
  readonly units: Load;
  /** Of all units of the family at peak, between 0 and 1. */
  readonly share: number;
  /** Who asks for it, most first. */
  readonly lines: readonly KeyLine[];
}

export interface KeyLine {
  readonly pattern: string | undefined;
  readonly what: string;
  readonly units: Load;
  /** The share of what the pattern asks here that goes to this key. */
  readonly share: number;
}

/** Combinations of named values that are looked at; of more, each value by itself. */
const combinationsMax = 2_000;

/** The load on partition keys, by table and index in the order of the document. */
export function keyLoadsOf(
  facts: Facts,
  plans: ReadonlyMap<string, Plan>,
  touches: readonly Touch[] = touchesOf(facts, plans),
): readonly KeyLoad[] {
  return [...(facts.model.design?.tables.values() ?? [])].flatMap((table) => {
    const own = touches.filter((touch) => touch.table === table);
    const globals = [...table.indexes.values()].filter(({ local }) => !local);
    return [undefined, ...globals].map((index) =>
      keyLoad(
        facts,
        table,
        index,
        own.filter((touch) => touch.index === index),
      ),
    );
  });
}

function keyLoad(
  facts: Facts,
  table: Table,
  index: Index | undefined,
  touches: readonly Touch[],
): KeyLoad {
  const groups = new Map<string, Touch[]>();
  for (const touch of touches) {
    if (touch.scan) continue;
    const shape = shapeOf(touch);
    const group = groups.get(shape);
    if (group === undefined) groups.set(shape, [touch]);
    else group.push(touch);
  }
  const families = [...groups.values()].map((group) => familyOf(facts, group));
  const heat = ({ hottest }: KeyFamily): number =>
    Math.max(hottest.write.units.peak / 1_000, hottest.read.units.peak / 3_000);
  return {
    name: structureName(table, index),
    table,
    index,
    read: sum(touches.filter(isRead).map(loadOf)),
    write: sum(touches.filter((one) => !isRead(one)).map(loadOf)),
    scanned: sum(touches.filter(({ scan }) => scan).map(loadOf)),
    families: families.toSorted((a, b) => heat(b) - heat(a)),
    touches,
  };
}

const isRead = ({ direction }: Touch): boolean => direction === "read";

/** Keys of one shape can be the same value: the same literals, and values of the same origin between them. */
function shapeOf({ texts, parts }: Touch): string {
  let part = 0;
  return JSON.stringify(
    texts.map(({ segments }) =>
      segments.map((segment) => {
        if (segment.kind === "text") return segment.text;
        if (segment.kind === "shard") return { shard: segment.count };
        const root = parts[part]?.root;
        part += 1;
        return { root, transforms: segment.transforms };
      }),
    ),
  );
}

/** What one touch asks for in all. */
export function loadOf({ rate, units, uncached }: Touch): Load {
  const all = units * uncached;
  return { average: (rate.average ?? 0) * all, peak: (rate.peak ?? 0) * all };
}

function sum(loads: readonly Load[]): Load {
  return loads.reduce(
    (total, { average, peak }) => ({ average: total.average + average, peak: total.peak + peak }),
    { average: 0, peak: 0 },
  );
}

const scaled = ({ average, peak }: Load, factor: number): Load => ({
  average: average * factor,
  peak: peak * factor,
});

function familyOf(facts: Facts, touches: readonly Touch[]): KeyFamily {
  const [first] = touches as readonly [Touch, ...Touch[]];
  const reads = touches.filter(isRead);
  const writes = touches.filter((one) => !isRead(one));
  return {
    text: first.texts.map(({ text }) => text).join(" · "),
    records: [...new Set(touches.map(({ record }) => record.name))],
    count: countOf(facts, touches),
    shards: first.shards,
    read: sum(reads.map(loadOf)),
    write: sum(writes.map(loadOf)),
    visits: sum(touches.map(visitsOf)),
    hottest: { read: hottestOf(reads), write: hottestOf(writes) },
    touches,
    assumptions: [...new Set(touches.flatMap(({ assumptions }) => assumptions))],
    open: [...new Set(touches.flatMap(({ open }) => open))],
  };
}

function visitsOf({ rate, keys, gathers, shards, uncached }: Touch): Load {
  const times = keys * (gathers ? shards : 1) * uncached;
  return { average: (rate.average ?? 0) * times, peak: (rate.peak ?? 0) * times };
}

/** The kind of item with most different keys; no kind has more keys than items. */
function countOf(facts: Facts, touches: readonly Touch[]): number | undefined {
  const counts = touches.flatMap(({ record, texts, shards }) => {
    const segments = partsOf(texts);
    const names = segments.map(({ attribute }) => attribute);
    const joint = jointOf(facts, record.entity, names);
    const parts = segments
      .filter(({ attribute }) => !joint?.names.includes(attribute))
      .map(({ attribute, transforms }) => partCount(facts, record.entity, attribute, transforms));
    if (joint !== undefined) parts.push(joint.count);
    const items = facts.count(record)?.value;
    const known = parts.filter((one) => one !== undefined);
    if (known.length < parts.length) return [];
    const values = known.reduce((product, one) => product * one, shards);
    return [items === undefined ? values : Math.min(values, Math.max(1, items))];
  });
  return counts.length === 0 ? undefined : Math.round(Math.max(...counts));
}

function partsOf(texts: readonly KeyText[]) {
  return texts.flatMap(({ segments }) =>
    segments.flatMap((segment) => (segment.kind === "attribute" ? [segment] : [])),
  );
}

type Combination = readonly (string | undefined)[];

function hottestOf(touches: readonly Touch[]): HottestKey {
  const total = sum(touches.map(loadOf));
  let best: { readonly units: Load; readonly values: Combination } | undefined;
  for (const values of combinationsOf(touches)) {
    const units = sum(touches.map((touch) => scaled(loadOf(touch), shareOfKey(touch, values))));
    if (best === undefined || isHotter(units, best.units)) best = { units, values };
  }
  const { units, values } = best ?? { units: total, values: [] };
  const lines = touches
    .map((touch) => {
      const share = shareOfKey(touch, values);
      return {
        pattern: touch.pattern,
        what: touch.what,
        units: scaled(loadOf(touch), share),
        share,
      };
    })
    .toSorted((a, b) => b.units.peak - a.units.peak || b.units.average - a.units.average);
  const names = touches[0]?.parts.map(({ attribute }) => attribute) ?? [];
  return {
    at: values.flatMap((value, i) => (value === undefined ? [] : [`${names[i]} = ${value}`])),
    units,
    share: total.peak > 0 ? units.peak / total.peak : shareOf(units.average, total.average),
    lines,
  };
}

const shareOf = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

function isHotter(a: Load, b: Load): boolean {
  return a.peak > b.peak || (a.peak === b.peak && a.average > b.average);
}

/** The share of a touch that goes to one key. Keys of one run differ, so one key gets at most its part. */
export function shareOfKey(touch: Touch, values: Combination): number {
  const share = touch.parts.reduce(
    (product, { spread }, i) => product * shareAt(spread, values[i]),
    1,
  );
  return (touch.distinct ? Math.min(share, 1 / touch.keys) : share) * touch.shardShare;
}

/** Values that are known by name in each part of the key; unnamed ones count as the hottest there is. */
function combinationsOf(touches: readonly Touch[]): readonly Combination[] {
  const parts = touches[0]?.parts.length ?? 0;
  const domains = Array.from({ length: parts }, (_, i): Combination => {
    const named = new Set(
      touches.flatMap(({ parts: own }) => (own[i] ? namedValues(own[i].spread) : [])),
    );
    return named.size === 0 ? [undefined] : [...named];
  });
  const size = domains.reduce((product, { length }) => product * length, 1);
  if (size > combinationsMax) return [domains.map((values, i) => hottestIn(touches, i, values))];
  return domains.reduce<readonly Combination[]>(
    (all, values) => all.flatMap((head) => values.map((value) => [...head, value])),
    [[]],
  );
}

function hottestIn(
  touches: readonly Touch[],
  part: number,
  values: Combination,
): string | undefined {
  const units = (value: string | undefined): number =>
    touches.reduce((total, touch) => {
      const spread = touch.parts[part]?.spread;
      return total + (spread === undefined ? 0 : shareAt(spread, value) * loadOf(touch).peak);
    }, 0);
  return values.toSorted((a, b) => units(b) - units(a))[0];
}
