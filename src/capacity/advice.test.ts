import { expect, test } from "vitest";
import { hashSpace, noSort, type Position } from "../partitions/position.ts";
import { adviceOn } from "./advice.ts";
import { eventText } from "./event-text.ts";
import { TableThroughput } from "./table-throughput.ts";
import type { Direction, ThroughputSettings } from "./throughput.ts";

const onDemand: ThroughputSettings = { mode: "on-demand" };

interface Case {
  readonly settings?: ThroughputSettings;
  readonly index?: ThroughputSettings;
  readonly localIndex?: boolean;
  readonly direction?: Direction;
  readonly at: (i: number) => Position;
}

const item: Position = { hash: 5, sort: noSort };
const sorted = (number: number): Position => ({
  hash: 5,
  sort: Uint8Array.of(number >> 16, number >> 8, number),
});
const anywhere = (i: number): Position => ({ hash: ((i * 0.618) % 1) * hashSpace, sort: noSort });

/** Six minutes of 6,000 units a second, and what is said about what was refused first. */
function advice({ settings = onDemand, index, localIndex = false, direction = "write", at }: Case) {
  const table = new TableThroughput({
    settings,
    indexes: index === undefined ? {} : { byDate: index },
    localIndex,
    now: 0,
  });
  let first: ReturnType<TableThroughput["admit"]>;
  for (let i = 0; i < 360 * 60; i += 1) {
    const charge = { index: index && "byDate", position: at(i), units: 100 };
    const throttle = table.admit(direction, [charge], Math.floor((i * 1_000) / 60));
    first ??= throttle;
  }
  const { resources, events } = table.report(360_000);
  const resource = resources.find((one) => one.index === first?.index);
  if (first === undefined || resource === undefined) throw new Error("nothing was throttled");
  const told = events.map(eventText).join("\n");
  return { said: adviceOn(first.limit, direction, resource, events), told };
}

const small: ThroughputSettings = { mode: "provisioned", provisioned: { read: 9, write: 9 } };
const policy = { min: 9, max: 90, targetPercent: 70 };

test.each<[string, Case, RegExp, RegExp]>([
  [
    "one item, written",
    { at: () => item },
    /One item takes more: spread it over shards/,
    /nearly all of its load is one item/,
  ],
  [
    "one item, read",
    { at: () => item, direction: "read" },
    /3,000 read units .* cache it/,
    /one item/,
  ],
  ["a rising sort key", { at: sorted }, /The sort key rises.*add a shard/, /only rises or falls/],
  [
    "a local index",
    { at: (i) => sorted((i * 7_919) % 65_536), localIndex: true },
    /A local index keeps the collection/,
    /a local index keeps the item collection together/,
  ],
  [
    "one key with many items",
    { at: (i) => sorted((i * 7_919) % 65_536) },
    /One partition key takes most of it/,
    /split into \d+, \d+: it was hot/,
  ],
  [
    "a table that is new",
    { at: anywhere },
    /too few partitions for it yet/,
    /already doubled|it was hot/,
  ],
  [
    "too little provisioned",
    { at: anywhere, settings: small },
    /^Provision more write units for the table, with auto/,
    /./,
  ],
  [
    "an index with too little",
    { at: anywhere, index: small },
    /^Provision more write units for index byDate.*holds up the writes/,
    /IndexWriteProvisionedThroughputExceeded/,
  ],
  [
    "auto scaling that is late",
    { at: anywhere, settings: { ...small, autoScaling: { write: policy } } as ThroughputSettings },
    /^Auto scaling follows minutes later/,
    /write units 9 → \d+: auto scaling/,
  ],
  [
    "the owner's maximum",
    { at: anywhere, settings: { mode: "on-demand", maximum: { write: 200 } } },
    /raise or remove the on-demand maximum for writes/,
    /TableWriteMaxOnDemandThroughputExceeded/,
  ],
])("%s", (_name, given, expected, event) => {
  const { said, told } = advice(given);
  expect(said).toMatch(expected);
  expect(told).toMatch(event);
});
