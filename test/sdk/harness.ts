import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AttributeDefinition,
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  DynamoDBServiceException,
  type GlobalSecondaryIndex,
  type LocalSecondaryIndex,
} from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, inject } from "vitest";
import type { Clock } from "../../src/base/clock.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../src/index.ts";

/** Every suite in this folder runs once per store; the project says which. */
export const storeName = process.env.KEYWRIGHT_STORE ?? "memory";

export interface TestServer {
  readonly running: RunningServer;
  readonly client: DynamoDBClient;
  readonly documents: DynamoDBDocumentClient;
  /** One request as bytes on the wire, signed for show. */
  raw(operation: string, body: unknown): Promise<RawAnswer>;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what is on the wire has no type before it is looked at
  readonly json: any;
}

/** A server for the suites of one file, started before and closed after them. */
export function useServer(options: ServerOptions & { clock?: Clock } = {}): TestServer {
  const server = {} as { -readonly [K in keyof TestServer]: TestServer[K] };
  let folder: string | undefined;
  beforeAll(async () => {
    if (storeName === "lmdb") folder = mkdtempSync(join(tmpdir(), "keywright-sdk-"));
    server.running = await startServer({
      ...options,
      ...(folder === undefined ? {} : { data: folder, durability: "relaxed" }),
      ...(storeName === "postgres" && { store: freshStore(), durability: "relaxed" }),
    });
    server.client = clientFor(server.running.url);
    server.documents = DynamoDBDocumentClient.from(server.client, {
      marshallOptions: { removeUndefinedValues: true },
    });
    server.raw = (operation, body) => rawRequest(server.running.url, operation, body);
  });
  afterAll(async () => {
    server.client.destroy();
    await server.running.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });
  return server;
}

/** A schema of its own; the server ends with the run, so nobody has to drop it. */
function freshStore(): string {
  const url = new URL(inject("postgresUrl"));
  url.searchParams.set("schema", `test-${randomUUID()}`);
  url.searchParams.set("connections", "6");
  return url.href;
}

export function clientFor(
  endpoint: string,
  accessKeyId = "AKIDEXAMPLE",
  region = "us-east-1",
): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey: "secret" },
    maxAttempts: 1,
  });
}

export const authorization =
  "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=0000000000000000000000000000000000000000000000000000000000000000";

export async function rawRequest(
  endpoint: string,
  operation: string,
  body: unknown,
): Promise<RawAnswer> {
  const answer = await fetch(endpoint, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": `DynamoDB_20120810.${operation}`,
      "x-amz-date": "20260101T000000Z",
      authorization,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: JSON.parse(text) };
}

let serial = 0;

/** A table name that no other test uses. */
export function freshName(stem = "t"): string {
  serial += 1;
  return `${stem}_${serial}_${process.pid}`;
}

interface KeySpec {
  /** `"pk:S"`, `"pk:S sk:N"`: hash key, then range key. */
  readonly key: string;
  readonly global?: Record<
    string,
    { hash: string; range?: string; projection?: GlobalSecondaryIndex["Projection"] }
  >;
  readonly local?: Record<
    string,
    { range: string; projection?: LocalSecondaryIndex["Projection"] }
  >;
}

/**
 * Makes an on-demand table and answers its name. In an index `hash` and `range` hold one attribute or
 * several: `{ hash: "a:S b:N", range: "c:S" }`.
 */
export async function createTable(
  server: TestServer,
  spec: KeySpec,
  more: Partial<CreateTableCommandInput> = {},
): Promise<string> {
  const definitions = new Map<string, AttributeDefinition>();
  const names = (text: string | undefined): string[] =>
    (text ?? "")
      .split(" ")
      .filter((part) => part !== "")
      .map((part) => {
        const [name = "", type = "S"] = part.split(":");
        definitions.set(name, { AttributeName: name, AttributeType: type as "S" });
        return name;
      });
  const [hash = "", range] = names(spec.key);
  const schema = (hashes: string[], ranges: string[]) => [
    ...hashes.map((name) => ({ AttributeName: name, KeyType: "HASH" as const })),
    ...ranges.map((name) => ({ AttributeName: name, KeyType: "RANGE" as const })),
  ];
  const globals = Object.entries(spec.global ?? {}).map(([IndexName, index]) => ({
    IndexName,
    KeySchema: schema(names(index.hash), names(index.range)),
    Projection: index.projection ?? { ProjectionType: "ALL" as const },
  }));
  const locals = Object.entries(spec.local ?? {}).map(([IndexName, index]) => ({
    IndexName,
    KeySchema: schema([hash], names(index.range)),
    Projection: index.projection ?? { ProjectionType: "ALL" as const },
  }));
  const TableName = more.TableName ?? freshName();
  await server.client.send(
    new CreateTableCommand({
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: schema([hash], range === undefined ? [] : [range]),
      AttributeDefinitions: [...definitions.values()],
      ...(globals.length > 0 && { GlobalSecondaryIndexes: globals }),
      ...(locals.length > 0 && { LocalSecondaryIndexes: locals }),
      ...more,
      TableName,
    }),
  );
  return TableName;
}

/** The error of a request that must fail: its name and its message, exactly. */
export async function expectError(
  request: Promise<unknown>,
  name: string,
  message?: string | RegExp,
): Promise<DynamoDBServiceException> {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error, "the request succeeded").toBeInstanceOf(DynamoDBServiceException);
  const failure = error as DynamoDBServiceException;
  expect(failure.name).toBe(name);
  if (typeof message === "string") expect(failure.message).toBe(message);
  else if (message !== undefined) expect(failure.message).toMatch(message);
  return failure;
}

export const validation = (
  request: Promise<unknown>,
  message: string | RegExp,
): Promise<DynamoDBServiceException> => expectError(request, "ValidationException", message);
