import type { BackoffOptions } from "./backoff.ts";
import type { BatchGetInput, BatchGetOutput, BatchWriteInput, BatchWriteOutput } from "./batch.ts";
import type { PageInput, PageOutput } from "./pages.ts";
import type { RandomSource, TimeSource } from "./platform.ts";
import { systemRandom, systemTime } from "./platform.ts";
import type { DeleteMember, PutMember, TransactMember, UpdateMember } from "./transact.ts";
import type { Attributes } from "./values.ts";

/** What functions that are generated from a model work with. */

export interface GetInput {
  TableName: string;
  Key: Attributes;
  ConsistentRead?: boolean;
}

/** A Query or a Scan, without what differs from page to page. */
export interface ListInput {
  TableName: string;
  IndexName?: string;
  KeyConditionExpression?: string;
  FilterExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
  ScanIndexForward?: boolean;
  ConsistentRead?: boolean;
  Select?: "ALL_ATTRIBUTES";
}

export interface ItemOutput {
  readonly Item?: Attributes | undefined;
}

/** The requests of the service, each sent by a client of the SDK. */
export interface Senders {
  readonly get: (input: GetInput) => Promise<ItemOutput>;
  readonly query: (input: ListInput & PageInput) => Promise<PageOutput<Attributes>>;
  readonly scan: (input: ListInput & PageInput) => Promise<PageOutput<Attributes>>;
  readonly batchGet: (input: BatchGetInput) => Promise<BatchGetOutput>;
  readonly batchWrite: (input: BatchWriteInput) => Promise<BatchWriteOutput>;
  readonly put: (input: PutMember["Put"]) => Promise<unknown>;
  readonly update: (input: UpdateMember["Update"]) => Promise<unknown>;
  readonly delete: (input: DeleteMember["Delete"]) => Promise<unknown>;
  readonly transactGet: (input: {
    TransactItems: { Get: GetInput }[];
  }) => Promise<{ readonly Responses?: readonly ItemOutput[] | undefined }>;
  readonly transactWrite: (input: {
    TransactItems: TransactMember[];
    ClientRequestToken: string;
  }) => Promise<unknown>;
}

export interface AccessOptions extends BackoffOptions {
  /** Milliseconds since 1970; the time of the machine if nothing is said. */
  readonly now?: TimeSource | undefined;
  /** Draws a shard, from 0 inclusive to `count` exclusive; by chance if nothing is said. */
  readonly shard?: ((count: number) => number) | undefined;
  /** How many requests of one call are under way at once; 8 if nothing is said. */
  readonly concurrency?: number | undefined;
  /** The most items that the service looks at for a page, where a list has no limit. */
  readonly pageSize?: number | undefined;
}

/** What is known at every call. */
export interface AccessBase {
  readonly send: Senders;
  readonly now: TimeSource;
  readonly shard: (count: number) => number;
  readonly concurrency: number;
  readonly pageSize: number | undefined;
  readonly backoff: BackoffOptions;
}

export function accessBase(send: Senders, options: AccessOptions): AccessBase {
  const { now = systemTime, shard, concurrency = 8, pageSize, ...backoff } = options;
  const random: RandomSource = options.random ?? systemRandom;
  return {
    send,
    now,
    shard: shard ?? ((count) => Math.floor(random() * count)),
    concurrency,
    pageSize,
    backoff,
  };
}

/** How a list is paged through. */
export interface PageOptions {
  /** How many items are wanted; as many as the pattern says if nothing is. */
  readonly limit?: number | undefined;
  /** The token of the page before. */
  readonly token?: string | undefined;
}
