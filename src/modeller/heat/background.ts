import { partitionsToCarry } from "../../capacity/throughput.ts";
import type { Table } from "../../model/design.ts";
import type { Entity, Pattern } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { Background } from "../plans/background.ts";
import { warmUnits } from "./limits.ts";
import { rootOf } from "./part-spread.ts";
import type { Caller } from "./touches.ts";

/**
 * Who makes the requests of background work. What follows each change is as uneven as the pattern that makes most
 * of the changes; what is done on a schedule has no such pattern. A consumer that takes batches writes each holder of
 * a number once a batch.
 */
export function backgroundCallers(facts: Facts, background: Background): readonly Caller[] {
  const { name, rate, patterns, kept } = background;
  const { average, peak, assumed = false } = rate ?? {};
  const caller: Caller = {
    pattern: undefined,
    what: name,
    rate: { average, peak, assumed },
    skew: undefined,
  };
  const most = ({ rps }: Pattern): number => (rps.peak ?? rps.average)?.value ?? 0;
  const { skew } = patterns.toSorted((a, b) => most(b) - most(a))[0] ?? {};
  const whole: Caller = { ...caller, skew };
  if (skew?.kind !== "hottest" || kept === undefined || rate === undefined) return [whole];
  const batch = batchOf(kept.from);
  const holders = batch && holdersFor(facts, kept.holder, patterns, skew.key);
  if (batch === undefined || holders === undefined) return [whole];
  const share = skew.value.value;
  const hottest = (events: number): number =>
    Math.min(share * events, batchesOf(events, batch) * holders);
  if (hottest(rate.peak) >= share * rate.peak) return [whole];
  const assumptions = [`that what keeps ${name} adds up a batch before it writes`];
  return [
    {
      ...whole,
      rate: { average: hottest(rate.average), peak: hottest(rate.peak), assumed },
      skew: { ...skew, value: { ...skew.value, value: 1 } },
      assumptions,
    },
    {
      ...caller,
      rate: { average: (1 - share) * rate.average, peak: (1 - share) * rate.peak, assumed },
    },
  ];
}

interface Batch {
  readonly size: number;
  readonly windowMs: number;
  /** Each shard of the stream has batches of its own. */
  readonly shards: number;
}

/** The largest batch that a consumer of a table's stream waits for. */
function batchOf(table: Table): Batch | undefined {
  const [first] = table.consumers
    .filter(({ batch, windowMs }) => batch > 1 && windowMs > 0)
    .toSorted((a, b) => b.batch - a.batch);
  if (first === undefined) return undefined;
  const shards = partitionsToCarry(warmUnits(table));
  return { size: first.batch, windowMs: first.windowMs, shards };
}

/** Batches in a second: full ones, or what each shard has when its window ends. */
function batchesOf(events: number, { size, windowMs, shards }: Batch): number {
  return Math.max(events / size, Math.min(events, (shards * 1_000) / windowMs));
}

/** How many holders of a number there are for one value of the attribute that is used unevenly. */
function holdersFor(
  facts: Facts,
  holder: Entity,
  patterns: readonly Pattern[],
  key: string,
): number | undefined {
  const entities = patterns.flatMap(({ actions }) => actions.map(({ entity }) => entity));
  const source = entities
    .flatMap((name) => facts.model.entities.get(name) ?? [])
    .find(({ attributes }) => attributes.has(key));
  if (source === undefined) return undefined;
  const root = rootOf(facts, source, key);
  const own = [...holder.attributes.keys()].find(
    (name) => name === key || rootOf(facts, holder, name) === root,
  );
  return own === undefined ? undefined : facts.cardinality.itemsPer(holder, [own])?.value;
}
