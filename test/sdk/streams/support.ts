import type { StreamViewType } from "@aws-sdk/client-dynamodb";
import { type CreateTableCommandInput, DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import {
  type _Record,
  DescribeStreamCommand,
  type DescribeStreamCommandInput,
  DynamoDBStreamsClient,
  DynamoDBStreamsServiceException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
  type ShardIteratorType,
  type StreamDescription,
} from "@aws-sdk/client-dynamodb-streams";
import { afterAll, beforeAll, expect } from "vitest";
import type { Clock } from "../../../src/base/clock.ts";
import type { ServerOptions } from "../../../src/index.ts";
import { createTable, type TestServer, useServer } from "../harness.ts";

export interface StreamServer extends TestServer {
  readonly streams: DynamoDBStreamsClient;
}

/** A server with a client for its streams, too. */
export function useStreamServer(options: ServerOptions & { clock?: Clock } = {}): StreamServer {
  const server = useServer(options) as StreamServer & { streams: DynamoDBStreamsClient };
  beforeAll(() => {
    server.streams = streamsClientFor(server.running.url);
  });
  afterAll(() => server.streams.destroy());
  return server;
}

export function streamsClientFor(
  endpoint: string,
  accessKeyId = "AKIDEXAMPLE",
  region = "us-east-1",
): DynamoDBStreamsClient {
  return new DynamoDBStreamsClient({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey: "secret" },
    maxAttempts: 1,
  });
}

/** A table with a stream; its key is `pk` unless said otherwise. */
export async function createStreamTable(
  server: TestServer,
  viewType: StreamViewType = "NEW_AND_OLD_IMAGES",
  more: { key?: string } & Partial<CreateTableCommandInput> = {},
): Promise<{ name: string; arn: string }> {
  const { key = "pk:S", ...input } = more;
  const name = await createTable(
    server,
    { key },
    { StreamSpecification: { StreamEnabled: true, StreamViewType: viewType }, ...input },
  );
  return { name, arn: await latestArn(server, name) };
}

export async function latestArn(server: TestServer, TableName: string): Promise<string> {
  const { Table } = await server.client.send(new DescribeTableCommand({ TableName }));
  return Table?.LatestStreamArn as string;
}

export async function describe(
  server: StreamServer,
  StreamArn: string,
  more: Partial<DescribeStreamCommandInput> = {},
): Promise<StreamDescription> {
  const answer = await server.streams.send(new DescribeStreamCommand({ StreamArn, ...more }));
  return answer.StreamDescription as StreamDescription;
}

export async function shardsOf(server: StreamServer, arn: string): Promise<Shard[]> {
  const shards: Shard[] = [];
  let start: string | undefined;
  do {
    const page = await describe(server, arn, start ? { ExclusiveStartShardId: start } : {});
    shards.push(...(page.Shards ?? []));
    start = page.LastEvaluatedShardId;
  } while (start !== undefined);
  return shards;
}

export async function iteratorOf(
  server: StreamServer,
  StreamArn: string,
  ShardId: string | undefined,
  ShardIteratorType: ShardIteratorType = "TRIM_HORIZON",
  SequenceNumber?: string,
): Promise<string> {
  const { ShardIterator } = await server.streams.send(
    new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType, SequenceNumber }),
  );
  expect(ShardIterator).toEqual(expect.any(String));
  return ShardIterator as string;
}

export const getRecords = (
  server: StreamServer,
  ShardIterator: string | undefined,
  Limit?: number,
) => server.streams.send(new GetRecordsCommand({ ShardIterator, Limit }));

/** Reads on until a page is empty or the shard is at its end. */
export async function readOn(
  server: StreamServer,
  iterator: string,
): Promise<{ records: _Record[]; next: string | undefined }> {
  const records: _Record[] = [];
  let next: string | undefined = iterator;
  while (next !== undefined) {
    const page = await getRecords(server, next);
    records.push(...(page.Records as _Record[]));
    next = page.NextShardIterator;
    if (page.Records?.length === 0) break;
  }
  return { records, next };
}

/** All records of a shard that are there. */
export async function recordsOf(
  server: StreamServer,
  arn: string,
  shardId: string | undefined,
): Promise<_Record[]> {
  return (await readOn(server, await iteratorOf(server, arn, shardId))).records;
}

/** All records of a stream, shard by shard: parents come before their children. */
export async function allRecords(server: StreamServer, arn: string): Promise<_Record[]> {
  const records: _Record[] = [];
  for (const { ShardId } of await shardsOf(server, arn)) {
    records.push(...(await recordsOf(server, arn, ShardId)));
  }
  return records;
}

/** What a record tells of an item, without numbers and times. */
export function told({ eventName, dynamodb }: _Record) {
  const { Keys, OldImage, NewImage } = dynamodb ?? {};
  return {
    event: eventName,
    keys: Keys,
    ...(OldImage !== undefined && { old: OldImage }),
    ...(NewImage !== undefined && { new: NewImage }),
  };
}

export const hour = 3_600_000;
export const minute = 60_000;

/** The error of a request to the streams service that must fail. */
export async function streamError(
  request: Promise<unknown>,
  name: string,
  message?: string | RegExp,
): Promise<void> {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error, "the request succeeded").toBeInstanceOf(DynamoDBStreamsServiceException);
  const failure = error as DynamoDBStreamsServiceException;
  expect(failure.name).toBe(name);
  if (typeof message === "string") expect(failure.message).toBe(message);
  else if (message !== undefined) expect(failure.message).toMatch(message);
}

/** The namespace that the clients here use. */
export async function splitShard(
  server: StreamServer,
  table: string,
  shardId: string | undefined,
): Promise<void> {
  const account = (await latestArn(server, table)).split(":")[4] as string;
  await server.running.workbench.splitShard(table, shardId as string, {
    account,
    region: "us-east-1",
  });
}

export function isOpen({ SequenceNumberRange }: Shard): boolean {
  return SequenceNumberRange?.EndingSequenceNumber === undefined;
}
