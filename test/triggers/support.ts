import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, afterEach, beforeAll, vi } from "vitest";
import { type RunningServer, type ServerOptions, startServer } from "../../src/index.ts";
import { clientFor } from "../sdk/harness.ts";
import { root } from "../tidy/source-files.ts";

/** What a function got, as the function below tells it. */
export interface Told {
  // biome-ignore lint/suspicious/noExplicitAny: events are looked at by tests
  readonly [name: string]: any;
}

export interface Running {
  readonly server: RunningServer;
  readonly client: DynamoDBClient;
  /** All lines that were logged. */
  lines(): string[];
  /** What functions printed as JSON. */
  told(): Told[];
  close(): Promise<void>;
}

export interface Workplace {
  readonly folder: string;
  /** Writes a file of the folder; each writing has a time of its own, however coarse the clock is. */
  write(name: string, text: string): string;
  start(options: ServerOptions): Promise<Running>;
}

/** A function that tells which records it got, one line for each call. */
export const telling = `export const handler = async ({ Records }) => {
  console.log(JSON.stringify({ records: Records }));
};`;

/** A folder for functions, and servers that are closed after each test. */
export function useWorkplace(): Workplace {
  const workplace = {} as { -readonly [K in keyof Workplace]: Workplace[K] };
  const running: Running[] = [];
  let stamp = 1_700_000_000;
  beforeAll(() => {
    workplace.folder = mkdtempSync(join(tmpdir(), "keywright-triggers-"));
    // Functions may use the SDK.
    symlinkSync(join(root, "node_modules"), join(workplace.folder, "node_modules"));
    workplace.write = (name, text) => {
      const file = join(workplace.folder, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(`${file}.new`, text);
      stamp += 1;
      utimesSync(`${file}.new`, stamp, stamp);
      renameSync(`${file}.new`, file);
      return file;
    };
    workplace.start = async (options) => {
      const started = await start(options);
      running.push(started);
      return started;
    };
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.close()));
  });
  afterAll(() => rmSync(workplace.folder, { recursive: true, force: true }));
  return workplace;
}

async function start(options: ServerOptions): Promise<Running> {
  let log = "";
  const server = await startServer({
    ...options,
    triggerLog: (text) => {
      log += text;
    },
  });
  const client = clientFor(server.url);
  return {
    server,
    client,
    lines: () => log.split("\n").slice(0, -1),
    told: () => toldIn(log),
    close: async () => {
      client.destroy();
      await server.close();
    },
  };
}

/** Lines such as `[name] {"json":1}`. */
export function toldIn(log: string): Told[] {
  return [...log.matchAll(/^\[[^\]]+\] (\{.*\})$/gm)].map(([, json = ""]) => JSON.parse(json));
}

/** Waits for what must come to be; on a busy machine that may take a while. */
export const until = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 15_000, interval: 10 });

/** A table with a stream; it is small, and so its stream has one shard, unless it is on-demand. */
export async function createTable(
  client: DynamoDBClient,
  TableName: string,
  more: Partial<CreateTableCommandInput> = {},
): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PROVISIONED",
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
      ...more,
    }),
  );
}

export const onDemand = {
  BillingMode: "PAY_PER_REQUEST",
  ProvisionedThroughput: undefined,
} satisfies Partial<CreateTableCommandInput>;

export async function put(
  client: DynamoDBClient,
  TableName: string,
  pk: string,
  value: string | number = 0,
): Promise<void> {
  const v = typeof value === "number" ? { N: String(value) } : { S: value };
  await client.send(new PutItemCommand({ TableName, Item: { pk: { S: pk }, v } }));
}

/** The keys and values of all records that were told, in the order in which they were. */
export function valuesOf(told: readonly Told[]): string[] {
  return told.flatMap(({ records }) =>
    records.map(({ dynamodb }: Told) => {
      const { N, S } = dynamodb.NewImage?.v ?? {};
      return `${dynamodb.Keys.pk.S}=${N ?? S ?? "gone"}`;
    }),
  );
}
