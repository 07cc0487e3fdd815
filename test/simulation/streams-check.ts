import {
  type Change,
  type Changes,
  type Era,
  isPossibly,
  isSurely,
  itemName,
} from "./streams-changes.ts";
import { checkContended } from "./streams-check-contended.ts";
import type { ReadShard, StreamReader, StreamRecord } from "./streams-reader.ts";
import { specOf, type ViewType } from "./streams-tables.ts";
import { type Item, same, sizeOfItem, stable } from "./values.ts";

export type Problem = (text: string) => void;

/** A record, and the shard in which it was found. */
export interface Found {
  readonly record: StreamRecord;
  readonly shard: ReadShard;
}

/** What a stream has to tell of one item. */
export interface ItemCase {
  readonly name: string;
  readonly viewType: ViewType;
  /** All that may be in the stream. */
  readonly changes: readonly Change[];
  /** Those that must be there. */
  readonly sure: ReadonlySet<Change>;
  /** In the order of the stream. */
  readonly found: readonly StreamRecord[];
}

/** What a consumer has read of a stream, and what it could read. */
export interface View {
  readonly changes: Changes;
  readonly era: Era;
  readonly reader: StreamReader | undefined;
  /** What was written then, or before, may be gone, from the beginning on. */
  readonly goneAt: number;
  readonly problem: Problem;
}

/**
 * Holds what was read against what was acknowledged: each change once, in order, as it was. Answers the
 * changes that were found.
 */
export function checkStream({
  changes,
  era,
  reader,
  goneAt,
  problem: report,
}: View): ReadonlySet<Change> {
  const problem: Problem = (text) => report(`${era.arn}: ${text}`);
  const found = ordered(reader?.shards ?? new Map());
  checkOrder(era, found, reader?.shards ?? new Map(), problem);
  const byItem = new Map<string, StreamRecord[]>();
  for (const { record } of found) {
    const name = itemName(era.table, record.dynamodb.Keys);
    const known = byItem.get(name);
    if (known === undefined) byItem.set(name, [record]);
    else known.push(record);
  }
  const matched = new Set<Change>();
  const each = (all: ReadonlyMap<string, readonly Change[]>, check: typeof checkSerial) => {
    for (const [name, list] of all) {
      if (list[0]?.table !== era.table) continue;
      const possible = list.filter((change) => isPossibly(change, era));
      const sure = possible.filter((change) => isSurely(change, era) && change.at > goneAt);
      const { viewType } = era;
      const records = byItem.get(name) ?? [];
      byItem.delete(name);
      const item = { name, viewType, changes: possible, sure: new Set(sure), found: records };
      for (const change of check(item, problem)) matched.add(change);
    }
  };
  each(changes.serial, checkSerial);
  each(changes.contended, checkContended);
  for (const name of byItem.keys())
    problem(`there are records of ${name}, which nobody has written`);
  return matched;
}

/** By sequence number: over all shards that is an order of commits. */
function ordered(shards: ReadonlyMap<string, ReadShard>): Found[] {
  const all: Found[] = [];
  for (const shard of shards.values()) {
    for (const record of shard.records) all.push({ record, shard });
  }
  const number = ({ record }: Found) => BigInt(record.dynamodb.SequenceNumber);
  return all.sort((a, b) => (number(a) < number(b) ? -1 : 1));
}

/** Whoever reads parents before their children sees what happened in a partition in its order. */
function checkOrder(
  era: Era,
  found: readonly Found[],
  shards: ReadonlyMap<string, ReadShard>,
  problem: Problem,
): void {
  const last = new Map<string, ReadShard>();
  const ids = new Set<string>();
  const numbers = new Set<string>();
  const hash = specOf(era.table).hash.map(([name]) => name);
  for (const { record, shard } of found) {
    const { SequenceNumber: text, Keys } = record.dynamodb;
    const number = BigInt(text);
    const inside =
      number >= shard.starting && (shard.ending === undefined || number <= shard.ending);
    if (!inside) problem(`${text} is not between the ends of ${shard.id}`);
    if (numbers.has(text) || ids.has(record.eventID)) problem(`${text} is there twice`);
    numbers.add(text);
    ids.add(record.eventID);
    const partition = stable(hash.map((name) => Keys[name]));
    const before = last.get(partition);
    if (before !== undefined && !descends(shard, before, shards)) {
      problem(`${partition} has gone from ${before.id} to ${shard.id}, which is no child of it`);
    }
    last.set(partition, shard);
  }
}

function descends(
  shard: ReadShard,
  from: ReadShard,
  shards: ReadonlyMap<string, ReadShard>,
): boolean {
  let at: ReadShard | undefined = shard;
  while (at !== undefined) {
    if (at === from) return true;
    at = shards.get(at.parent ?? "");
  }
  return false;
}

/** Of an item that one client changes: the order is known, so the records are a run of its changes. */
function checkSerial(item: ItemCase, problem: Problem): readonly Change[] {
  const { changes, sure, found, name } = item;
  let nearest = "";
  for (let from = 0; from + found.length <= changes.length; from += 1) {
    const run = changes.slice(from, from + found.length);
    const left = changes.find((change) => sure.has(change) && !run.includes(change));
    const wrong = found.findIndex((one, i) => difference(one, run[i] as Change, item) !== "");
    if (left === undefined && wrong === -1) return run;
    if (nearest !== "") continue;
    nearest =
      wrong === -1
        ? `nothing tells of ${tell(left as Change)}`
        : difference(found[wrong] as StreamRecord, run[wrong] as Change, item);
  }
  problem(
    `${name}: ${found.length} records do not fit to ${changes.length} changes, ` +
      `of which ${sure.size} must be there: ${nearest}`,
  );
  return changes;
}

/** How a record differs from what is to be told of a change; nothing if it does not. */
export function difference(
  { eventName, dynamodb, userIdentity }: StreamRecord,
  { key, before, after, at }: Change,
  { viewType }: Pick<ItemCase, "viewType">,
): string {
  const shows = (view: ViewType) => viewType === view || viewType === "NEW_AND_OLD_IMAGES";
  const newImage = shows("NEW_IMAGE") ? after : undefined;
  const oldImage = shows("OLD_IMAGE") ? before : undefined;
  const images = [key, newImage, oldImage];
  const wanted = {
    eventName: eventOf(before, after),
    userIdentity: undefined,
    ApproximateCreationDateTime: Math.floor(at / 1_000),
    Keys: key,
    NewImage: newImage,
    OldImage: oldImage,
    SizeBytes: images.reduce((sum, image) => sum + sizeOfItem(image ?? {}), 0),
    StreamViewType: viewType,
  };
  const { SequenceNumber: _, ...told } = dynamodb;
  const got = { eventName, userIdentity, ...told };
  return same(wanted, got) ? "" : `${stable(got)} instead of ${stable(wanted)}`;
}

export function eventOf(before: Item | undefined, after: Item | undefined) {
  if (before === undefined) return "INSERT";
  return after === undefined ? "REMOVE" : "MODIFY";
}

export const tell = ({ before, after }: Change): string =>
  `${stable(before ?? null)} becoming ${stable(after ?? null)}`;

/** All changes of a transaction in a table, or none. */
export function checkTransactions(
  { changes, era, goneAt, problem }: View,
  found: ReadonlySet<Change>,
): void {
  const whole = new Map<number, boolean>();
  for (const list of [...changes.serial.values(), ...changes.contended.values()]) {
    for (const change of list) {
      const { table, transaction, at } = change;
      if (table !== era.table || transaction === undefined || at <= goneAt) continue;
      const is = found.has(change);
      if ((whole.get(transaction) ?? is) !== is) {
        problem(`${era.arn}: the transaction of ${tell(change)} is there by halves`);
      }
      whole.set(transaction, is);
    }
  }
}
