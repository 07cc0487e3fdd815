import type { SeededRandom } from "../../../base/random.ts";
import type { Item } from "../../../item/attribute-value.ts";
import type { StoredRecord } from "../../records/record.ts";
import type { Execute } from "../../requests/run.ts";
import type { Writing } from "../../values/render-key.ts";
import { currentPeriods } from "../../values/time-of.ts";
import type { Copy } from "./copies.ts";
import type { Ledger } from "./ledger.ts";
import type { Side } from "./side.ts";

/** Tables that are made for a rehearsal and thrown away after it. */
export interface Ground {
  readonly execute: Execute;
  /** Whether an error is the service's word that a condition did not hold. */
  readonly isRefusal: (error: unknown) => boolean;
  /** Whether this operation is there; some settings are the service's alone. */
  readonly can: (operation: string) => boolean;
  /** Waits until nothing goes on in the background, such as the filling of an index. */
  readonly settle: () => Promise<void>;
  /** Lets time go by. */
  readonly advance: (milliseconds: number) => void;
  readonly close: () => Promise<void>;
}

/** What everybody in a rehearsal shares. */
export interface World {
  readonly ground: Ground;
  readonly ledger: Ledger;
  readonly old: Side;
  readonly new: Side;
  readonly random: SeededRandom;
  readonly now: number;
  /** What the new design makes of a kind of items of the old one, if they stay where they are. */
  readonly counterpart: (record: StoredRecord) => StoredRecord | undefined;
  /** Copies that existing entities get, by entity. */
  readonly copies: ReadonlyMap<string, readonly Copy[]>;
  /** Names that items of a table may have. */
  readonly names: (table: string) => ReadonlySet<string>;
  readonly counts: Counts;
  readonly failures: string[];
}

/** What was done so far. */
export interface Counts {
  reads: number;
  writes: number;
  refused: number;
  /** Writers who met somebody and began again. */
  again: number;
  units: number;
}

/** One draw for each number of shards: whoever writes one thing twice writes the same. */
export function writingOf({ random, now }: World): Writing {
  const drawn = new Map<number, number>();
  return {
    shard: (count) => {
      const known = drawn.get(count) ?? random.below(count);
      drawn.set(count, known);
      return known;
    },
    now,
  };
}

export function periodsOf(world: World, side: Side): (table: string) => readonly string[] {
  return (table) => {
    const every = side.model.design?.tables.get(table)?.periods?.every;
    return every === undefined ? [] : currentPeriods(every, world.now);
  };
}

interface Consumed {
  readonly CapacityUnits?: number;
}

/** Sends a request and counts the units that it takes. */
export async function sent<T extends object>(
  world: World,
  operation: string,
  request: object,
): Promise<T> {
  const answer = (await world.ground.execute(operation, {
    ...request,
    ReturnConsumedCapacity: "TOTAL",
  })) as T & { readonly ConsumedCapacity?: Consumed | readonly Consumed[] };
  for (const { CapacityUnits: units = 0 } of [answer.ConsumedCapacity ?? []].flat()) {
    world.counts.units += units;
  }
  return answer;
}

/** The item under a key, as it is now. */
export async function readItem(
  world: World,
  TableName: string,
  Key: Item,
): Promise<Item | undefined> {
  const { Item: item } = await sent<{ readonly Item?: Item }>(world, "GetItem", {
    TableName,
    Key,
    ConsistentRead: true,
  });
  return item;
}
