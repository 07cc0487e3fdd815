import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as sdk from "@aws-sdk/client-dynamodb";
import { ServiceError } from "../../src/api/errors/service-error.ts";
import { plain } from "../../src/api/response-json.ts";
import { ManualClock } from "../../src/base/clock.ts";
import { startServer } from "../../src/index.ts";
import { openMemoryStore } from "../../src/storage/memory/memory-store.ts";
import type { Store } from "../../src/storage/store.ts";
import { openWorkbench, type Workbench, workbenchOn } from "../../src/workbench/workbench.ts";
import type { Answer, Reason } from "./oracle.ts";
import type { Request } from "./requests.ts";
import { slowStore } from "./slow-store.ts";
import type { Item } from "./values.ts";

/** Something that carries out requests: a workbench on some store, or a server reached by HTTP. */
export interface Target {
  readonly name: string;
  send(request: Request): Promise<Answer>;
  idle(): Promise<void>;
  verify(): Promise<readonly string[]>;
  /** Closes and opens it again, if its data survives that. */
  reopen(): Promise<void>;
  advance(milliseconds: number): void;
  close(): Promise<void>;
}

export const caller = { account: "123456789012", region: "us-east-1" };

interface Opened {
  readonly workbench: Workbench;
  send(request: Request): Promise<unknown>;
  close(): Promise<void>;
}

/** `open` is called again after a reopening, unless nothing is kept. */
async function targetOf(
  name: string,
  keeps: boolean,
  open: (clock: ManualClock) => Promise<Opened>,
  dispose: () => void | Promise<void> = () => {},
): Promise<Target> {
  const clock = new ManualClock();
  let opened = await open(clock);
  return {
    name,
    send: async (request) => {
      try {
        return { answer: (await opened.send(request)) as Record<string, unknown> };
      } catch (error) {
        return errorAnswer(error);
      }
    },
    idle: () => opened.workbench.idle(),
    verify: async () => (await opened.workbench.verify()).problems,
    reopen: async () => {
      if (!keeps) return;
      await opened.close();
      opened = await open(clock);
    },
    advance: (milliseconds) => clock.advance(milliseconds),
    close: async () => {
      await opened.close();
      await dispose();
    },
  };
}

export function errorAnswer(error: unknown): Answer {
  let fields: { Item?: Item; CancellationReasons?: readonly { Code: string; Item?: Item }[] };
  if (error instanceof ServiceError) fields = error.fields ?? {};
  else if (error instanceof sdk.DynamoDBServiceException) fields = fromSdk(error) as typeof fields;
  else throw error;
  const reasons = fields.CancellationReasons?.map(
    ({ Code, Item: item }): Reason => ({ code: Code, ...(item && { item }) }),
  );
  return {
    error: error.name,
    ...(fields.Item && { item: fields.Item }),
    ...(reasons && { reasons }),
  };
}

function direct(workbench: Workbench): Opened {
  return {
    workbench,
    send: async ({ operation, body }) =>
      plain(await workbench.execute(operation, structuredClone(body), caller)),
    close: () => workbench.close(),
  };
}

export const memoryTarget = (): Promise<Target> =>
  targetOf("memory", false, async (clock) => direct(await openWorkbench({ clock })));

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), "keywright-simulation-"));

export function lmdbTarget(): Promise<Target> {
  const data = temporaryFolder();
  return targetOf(
    "lmdb",
    true,
    async (clock) => direct(await openWorkbench({ data, durability: "relaxed", clock })),
    () => rmSync(data, { recursive: true, force: true }),
  );
}

export const storeTarget = (
  name: string,
  open: () => Promise<Store>,
  dispose?: () => Promise<void>,
): Promise<Target> =>
  targetOf(
    name,
    true,
    async (clock) => direct(await workbenchOn(await open(), { clock })),
    dispose,
  );

/** Memory, but slow: requests overlap in ways that no quick store shows. */
export function slowTarget(): Promise<Target> {
  const inner = openMemoryStore();
  let openings = 0;
  return storeTarget("slow", async () => {
    openings += 1;
    return slowStore(inner, openings);
  });
}

/** A server with its data in a folder, or in memory, and the AWS SDK as its client. */
export function httpTarget(keeps: boolean): Promise<Target> {
  const data = keeps ? temporaryFolder() : undefined;
  const kept = data === undefined ? {} : { data, durability: "relaxed" as const };
  return targetOf(
    keeps ? "http-lmdb" : "http-memory",
    keeps,
    async (clock) => {
      const server = await startServer({ ...kept, clock });
      const client = new sdk.DynamoDBClient({
        endpoint: server.url,
        region: caller.region,
        credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret" },
        maxAttempts: 1,
      });
      return {
        workbench: server.workbench,
        send: async (request) => fromSdk(await client.send(command(request))),
        close: async () => {
          client.destroy();
          await server.close();
        },
      };
    },
    () => {
      if (data !== undefined) rmSync(data, { recursive: true, force: true });
    },
  );
}

type AnyCommand = sdk.GetItemCommand;

function command({ operation, body }: Request): AnyCommand {
  const commands: Record<string, unknown> = { ...sdk };
  const make = commands[`${operation}Command`] as new (input: unknown) => AnyCommand;
  return new make(toSdk(body));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !(value instanceof Uint8Array);

/** The SDK has bytes where the protocol has base64. No attribute of a history is named B or BS. */
function toSdk(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSdk);
  if (!isRecord(value)) return value;
  if (typeof value.B === "string") return { B: Buffer.from(value.B, "base64") };
  if (Array.isArray(value.BS)) {
    return { BS: value.BS.map((text) => Buffer.from(text as string, "base64")) };
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toSdk(part)]));
}

function fromSdk(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(fromSdk);
  if (!isRecord(value)) return value;
  const parts = Object.entries(value).filter(([name]) => name !== "$metadata");
  return Object.fromEntries(parts.map(([name, part]) => [name, fromSdk(part)]));
}
