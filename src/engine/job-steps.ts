import type { Bytes, Store, Write } from "../storage/store.ts";
import type { Catalog } from "./catalog.ts";
import { jobKey } from "./layout.ts";

/** What a job needs that goes on in chunks, each of which records how far it has come. */
export interface StepContext {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly jobId: number;
  readonly stopped: () => boolean;
}

/** The record of a job, as it is stored. */
export const recordOfJob = (job: object): Bytes => Buffer.from(JSON.stringify(job));

export const recordJob = (jobId: number, job: object): Write => ({
  kind: "put",
  key: jobKey(jobId),
  value: recordOfJob(job),
});

export const forgetJob = (jobId: number): Write => ({ kind: "delete", key: jobKey(jobId) });

/** Whether a job is where it was seen last: two processes may be at it, and only one makes each step. */
export function isRecorded(job: object, record: Bytes | undefined): boolean {
  return record !== undefined && Buffer.compare(record, recordOfJob(job)) === 0;
}

/** A job as it is recorded now; nothing if it is done. */
export async function currentJob<J>(store: Store, jobId: number): Promise<J | undefined> {
  const [record] = await store.get([jobKey(jobId)]);
  return record === undefined ? undefined : (JSON.parse(Buffer.from(record).toString()) as J);
}

export const cursorOf = ({ cursor }: { readonly cursor?: string }): Bytes | undefined =>
  cursor === undefined ? undefined : Buffer.from(cursor, "base64");

export const cursorText = (place: Bytes): string => Buffer.from(place).toString("base64");

/** A step takes in so much: others wait as long as its commit takes. */
export const stepLimits = { limit: 250, bytesMax: 512 * 1024 };

/** Others get a turn between two steps, also on a store that answers at once; what the last one has read may go. */
export function breath(store: Store): Promise<void> {
  store.stepDone?.();
  return new Promise((resolve) => setImmediate(resolve));
}
