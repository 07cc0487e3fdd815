import type { Clock } from "../base/clock.ts";
import { hashOfBytes } from "../partitions/position.ts";
import type { Write } from "../storage/store.ts";
import { logName } from "./layout.ts";
import type { StreamDescriptor } from "./stream-descriptor.ts";
import { recordOf } from "./stream-record.ts";
import { shardAt } from "./stream-shards.ts";
import type { WriteAction, WriteOutcome } from "./write.ts";

/** What the table's stream tells of the write. */
export function addRecord(
  action: WriteAction,
  { id, viewType, shards }: StreamDescriptor,
  { before, after }: WriteOutcome,
  writes: Write[],
  clock: Clock,
): void {
  const expired = action.kind === "delete" && action.expiry !== undefined;
  const value = recordOf(action.table, viewType, before, after, clock.now(), expired);
  if (value === undefined) return;
  const shard = shardAt(shards, hashOfBytes(action.address.hash));
  writes.push({ kind: "append", log: logName(id, shard.number), value });
}
