import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { DiscardReason, Waiting } from "./lane.ts";
import { TriggerOptionsError } from "./options-error.ts";

export interface Discarded {
  readonly records: readonly Waiting[];
  readonly reason: DiscardReason;
  /** How often the function was called with them. */
  readonly calls: number;
  readonly functionArn: string;
  readonly streamArn: string;
  readonly shard: string;
  readonly now: number;
}

/** What Lambda sends to the destination for failures: where the records are, not what they hold. */
export function discardedMessage(discarded: Discarded): object {
  const { records, reason, calls, functionArn, streamArn, shard, now } = discarded;
  const first = records[0] as Waiting;
  const last = records.at(-1) as Waiting;
  return {
    requestContext: {
      requestId: randomUUID(),
      functionArn,
      condition: reason,
      approximateInvokeCount: calls,
    },
    // Of records that were too old before they were handed over there is no answer.
    ...(calls > 0 && {
      responseContext: {
        statusCode: 200,
        executedVersion: "$LATEST",
        functionError: "Unhandled",
      },
    }),
    version: "1.0",
    timestamp: new Date(now).toISOString(),
    DDBStreamBatchInfo: {
      shardId: shard,
      startSequenceNumber: first.sequence,
      endSequenceNumber: last.sequence,
      approximateArrivalOfFirstRecord: secondsText(first.createdAt),
      approximateArrivalOfLastRecord: secondsText(last.createdAt),
      batchSize: records.length,
      streamArn,
    },
  };
}

const secondsText = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** The file takes a line for every batch that was given up. Complains now rather than when one is. */
export function checkDestination(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    closeSync(openSync(file, "a"));
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new TriggerOptionsError(`${file} cannot be written: ${code}.`);
  }
}

export function writeDiscarded(file: string, discarded: Discarded): Promise<void> {
  return appendFile(file, `${JSON.stringify(discardedMessage(discarded))}\n`);
}
