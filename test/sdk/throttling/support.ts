import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBServiceException,
  type ThrottlingReason,
} from "@aws-sdk/client-dynamodb";
import { GetCommand, PutCommand, type PutCommandInput } from "@aws-sdk/lib-dynamodb";
import { expect } from "vitest";
import { ManualClock } from "../../../src/base/clock.ts";
import { accountOf } from "../../../src/workbench/account.ts";
import { freshName, type TestServer, useServer } from "../harness.ts";

/** A server that throttles, on a clock that stands still until a test moves it. */
export function useThrottling(scale = 1): TestServer & { readonly clock: ManualClock } {
  const clock = new ManualClock();
  const server = useServer({ clock, enforceCapacity: { scale } });
  return Object.assign(server, { clock });
}

export interface Units {
  readonly read: number;
  readonly write: number;
}

export interface TableSpec {
  /** Provisioned units per second of the table; without them it is on-demand. */
  readonly units?: Units;
  /** The maximum of an on-demand table. */
  readonly maximum?: Partial<Units>;
  readonly sorted?: boolean;
  /** Global indexes whose partition key is the attribute of the same name. */
  readonly indexes?: Readonly<Record<string, Partial<Units>>>;
  /** A local index by the attribute of the same name. */
  readonly local?: string;
}

const throughput = ({ read = 1, write = 1 }: Partial<Units>) => ({
  ReadCapacityUnits: read,
  WriteCapacityUnits: write,
});

const limits = ({ read, write }: Partial<Units>) => ({
  ...(read !== undefined && { MaxReadRequestUnits: read }),
  ...(write !== undefined && { MaxWriteRequestUnits: write }),
});

/** A table with the partition key `pk` and, if it is sorted, the sort key `sk`. */
export async function makeTable(server: TestServer, spec: TableSpec): Promise<string> {
  const TableName = freshName();
  const { units, maximum, indexes = {}, local } = spec;
  const sorted = spec.sorted === true || local !== undefined;
  const names = [
    "pk",
    ...(sorted ? ["sk"] : []),
    ...Object.keys(indexes),
    ...(local ? [local] : []),
  ];
  const all = { ProjectionType: "ALL" as const };
  const hash = (AttributeName: string) => ({ AttributeName, KeyType: "HASH" as const });
  const range = (AttributeName: string) => ({ AttributeName, KeyType: "RANGE" as const });
  const globals = Object.entries(indexes).map(([IndexName, own]) => ({
    IndexName,
    KeySchema: [hash(IndexName)],
    Projection: all,
    ...(units === undefined
      ? { OnDemandThroughput: limits(own) }
      : { ProvisionedThroughput: throughput(own) }),
  }));
  const input: CreateTableCommandInput = {
    TableName,
    KeySchema: [hash("pk"), ...(sorted ? [range("sk")] : [])],
    AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
    ...(units === undefined
      ? { BillingMode: "PAY_PER_REQUEST" }
      : { BillingMode: "PROVISIONED", ProvisionedThroughput: throughput(units) }),
    ...(maximum !== undefined && { OnDemandThroughput: limits(maximum) }),
    ...(globals.length > 0 && { GlobalSecondaryIndexes: globals }),
    ...(local !== undefined && {
      LocalSecondaryIndexes: [
        { IndexName: local, KeySchema: [hash("pk"), range(local)], Projection: all },
      ],
    }),
  };
  await server.client.send(new CreateTableCommand(input));
  return TableName;
}

export function put(
  server: TestServer,
  TableName: string,
  Item: Record<string, unknown>,
  more: Partial<PutCommandInput> = {},
) {
  return server.documents.send(new PutCommand({ TableName, Item, ...more }));
}

export function get(
  server: TestServer,
  TableName: string,
  Key: Record<string, unknown>,
  ConsistentRead = true,
) {
  return server.documents.send(new GetCommand({ TableName, Key, ConsistentRead }));
}

/** Puts so many items of one unit each. */
export async function putSome(server: TestServer, table: string, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await put(server, table, { pk: `some-${i}` });
}

/** Reads, strongly consistent, so many units' worth of nothing. */
export async function readSome(server: TestServer, table: string, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await get(server, table, { pk: `none-${i}` });
}

export const arnOf = (table: string, index?: string): string => {
  const arn = `arn:aws:dynamodb:us-east-1:${accountOf("AKIDEXAMPLE")}:table/${table}`;
  return index === undefined ? arn : `${arn}/index/${index}`;
};

export interface Throttling {
  readonly error: DynamoDBServiceException;
  readonly name: string;
  readonly message: string;
  readonly reasons: readonly ThrottlingReason[] | undefined;
}

/** What a request that must fail fails with. */
export async function failureOf(request: Promise<unknown>): Promise<Throttling> {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error, "the request succeeded").toBeInstanceOf(DynamoDBServiceException);
  const failure = error as DynamoDBServiceException & {
    ThrottlingReasons?: ThrottlingReason[];
    throttlingReasons?: ThrottlingReason[];
  };
  const { name, message } = failure;
  const reasons = failure.ThrottlingReasons ?? failure.throttlingReasons;
  return { error: failure, name, message, reasons };
}

/** A request is throttled, for one reason. */
export async function expectThrottled(
  request: Promise<unknown>,
  name: string,
  reason: string,
  resource: string,
): Promise<void> {
  const failure = await failureOf(request);
  expect({ name: failure.name, reasons: failure.reasons }).toEqual({
    name,
    reasons: [{ reason, resource }],
  });
}

export const exceeded = "ProvisionedThroughputExceededException";

/** `kilobytes(3)`: an attribute that makes an item cost three write units. */
export const kilobytes = (count: number): string => "x".repeat(count * 1_024 - 100);
