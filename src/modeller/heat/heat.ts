import { partitionBytesMax } from "../../capacity/throughput.ts";
import type { Model } from "../../model/model.ts";
import { Facts } from "../facts.ts";
import { backgroundOf } from "../plans/background.ts";
import { plansOf } from "../plans/planner.ts";
import { loadsOf } from "../units/loads.ts";
import { type CollectionSize, collectionBytesMax, collectionOf } from "./collection.ts";
import { judgeKey, type KeyVerdict, type ShardNeed, shardNeed, unsplittable } from "./judge-key.ts";
import { type KeyFamily, type KeyLoad, keyLoadsOf } from "./key-load.ts";
import { type PlaceLimit, placeLimits, type QuotaUse, quotasOf } from "./limits.ts";
import { touchesOf } from "./touches.ts";

/** How the peak falls on partition keys, and where that is more than one partition can do. */
export interface Heat {
  readonly name: string;
  readonly places: readonly PlaceHeat[];
  readonly quotas: readonly QuotaUse[];
  /** What only the user can know and has not said: peaks, and how many values there are. */
  readonly open: readonly string[];
  /** Why there is nothing to say, if there is nothing. */
  readonly empty: string | undefined;
}

/** One table or global index. */
export interface PlaceHeat {
  readonly load: KeyLoad;
  readonly keys: readonly KeyHeat[];
  readonly limits: readonly PlaceLimit[];
  readonly bytes: number;
  /** So many partitions hold the bytes. */
  readonly partitionsBySize: number;
  /** Of an index: its write units for each write unit of the table, at peak. */
  readonly amplification: number | undefined;
}

export interface KeyHeat {
  readonly family: KeyFamily;
  readonly read: KeyVerdict;
  readonly write: KeyVerdict;
  readonly shards: ShardNeed;
  readonly unsplittable: ReturnType<typeof unsplittable>;
  readonly collection: CollectionSize | undefined;
  /** With a local index, a collection has at most 10 GB. */
  readonly collectionOver: boolean;
  /** Visits of one key per second at peak, on average over the keys. */
  readonly visitsPerKey: number | undefined;
}

export function heatOf(model: Model): Heat {
  if (model.design === undefined || model.design.tables.size === 0) {
    const empty = "There is no design yet: without tables nothing has a key.";
    return { name: model.name, places: [], quotas: [], open: [], empty };
  }
  const facts = Facts.of(model);
  const plans = plansOf(facts);
  const touches = touchesOf(facts, plans);
  const loads = keyLoadsOf(facts, plans, touches);
  const stored = loadsOf(facts, plans).loads;
  const places = loads.map((load) => {
    const bytes = stored
      .filter(
        (one) =>
          one.table === load.table.name &&
          one.period !== "older" &&
          (load.index === undefined
            ? one.index === undefined || one.local
            : one.index === load.index.name),
      )
      .reduce((sum, one) => sum + one.storageBytes, 0);
    return placeOf(facts, load, loads, bytes);
  });
  const open = [
    ...missingPeaks(model),
    ...backgroundOf(facts, plans).flatMap(({ name, rate, problem }) =>
      rate === undefined || problem !== undefined
        ? [
            `How often does the design do this: ${name}?${problem === undefined ? "" : ` (${problem})`}`,
          ]
        : [],
    ),
    ...new Set(loads.flatMap(({ families }) => families.flatMap((one) => one.open))),
  ];
  const hasTraffic = touches.length > 0;
  return {
    name: model.name,
    places,
    quotas: quotasOf(loads),
    open,
    empty: hasTraffic ? undefined : "No pattern has a request: nothing falls on any key.",
  };
}

function placeOf(facts: Facts, load: KeyLoad, all: readonly KeyLoad[], bytes: number): PlaceHeat {
  const { index, table } = load;
  const localIndex = index === undefined && [...table.indexes.values()].some(({ local }) => local);
  const own = all.find((one) => one.table === table && one.index === undefined);
  const isWritten = index !== undefined && (own?.write.peak ?? 0) > 0;
  return {
    load,
    keys: load.families.map((family) => keyHeat(facts, family, localIndex)),
    limits: placeLimits(load),
    bytes,
    partitionsBySize: Math.max(1, Math.ceil(bytes / partitionBytesMax)),
    amplification: isWritten ? load.write.peak / (own?.write.peak ?? 1) : undefined,
  };
}

function keyHeat(facts: Facts, family: KeyFamily, localIndex: boolean): KeyHeat {
  const collection = collectionOf(facts, family);
  const largest = Math.max(collection?.average ?? 0, collection?.max ?? 0);
  return {
    family,
    read: judgeKey(family, "read"),
    write: judgeKey(family, "write"),
    shards: shardNeed(family),
    unsplittable: unsplittable(family, localIndex),
    collection,
    collectionOver: localIndex && largest > collectionBytesMax,
    visitsPerKey: family.count === undefined ? undefined : family.visits.peak / family.count,
  };
}

function missingPeaks(model: Model): readonly string[] {
  return [...model.patterns.values()].flatMap(({ id, name, rps, status }) =>
    rps.peak !== undefined || status === "declined" || status === "alternative"
      ? []
      : [`What is the peak of pattern ${id}, ${name}? (rps.peak)`],
  );
}

/** Whether something is above a ceiling that does not move by itself. */
export function isOver({ places, quotas }: Heat): boolean {
  return (
    quotas.some(({ over }) => over) ||
    places.some(
      ({ keys, limits }) =>
        keys.some(({ read, write, collectionOver }) => read.over || write.over || collectionOver) ||
        limits.some(({ over, passing }) => over && !passing),
    )
  );
}
