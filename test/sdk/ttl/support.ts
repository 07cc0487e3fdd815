import {
  type AttributeValue,
  DescribeTimeToLiveCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { GetCommand, PutCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { ManualClock } from "../../../src/base/clock.ts";
import type { ServerOptions } from "../../../src/index.ts";
import { createTable, type TestServer, useServer } from "../harness.ts";

export const hour = 3_600;
export const day = 24 * hour;
export const year = 365 * day;

type Item = Record<string, unknown>;

export interface TtlServer extends TestServer {
  readonly clock: ManualClock;
  /** The present second, or one so many seconds later. */
  second(later?: number): number;
  /** Lets time pass, and the service do what it does in its own time. */
  elapse(seconds: number): Promise<void>;
  enable(table: string, attribute?: string): Promise<object | undefined>;
  disable(table: string, attribute?: string): Promise<object | undefined>;
  described(table: string): Promise<object | undefined>;
  /** A table with the key `pk` whose items expire by `ttl`. */
  table(spec?: Parameters<typeof createTable>[1]): Promise<string>;
  put(table: string, item: Item): Promise<void>;
  get(table: string, key: Item): Promise<Item | undefined>;
  /** The sorted partition keys of all items. */
  keys(table: string): Promise<unknown[]>;
}

/** A server on a clock that stands still until a test moves it. */
export function useTtl(options: ServerOptions = {}): TtlServer {
  const clock = new ManualClock(Date.UTC(2026, 6, 1));
  const server = useServer({ clock, ...options });
  const change = async (TableName: string, Enabled: boolean, AttributeName: string) => {
    const command = new UpdateTimeToLiveCommand({
      TableName,
      TimeToLiveSpecification: { Enabled, AttributeName },
    });
    return (await server.client.send(command)).TimeToLiveSpecification;
  };
  const more = {
    clock,
    second: (later = 0) => Math.floor(clock.now() / 1_000) + later,
    elapse: async (seconds: number) => {
      clock.advance(seconds * 1_000);
      await server.running.workbench.idle();
    },
    enable: (table: string, attribute = "ttl") => change(table, true, attribute),
    disable: (table: string, attribute = "ttl") => change(table, false, attribute),
    described: async (TableName: string) => {
      const answer = await server.client.send(new DescribeTimeToLiveCommand({ TableName }));
      return answer.TimeToLiveDescription;
    },
    table: async (spec: Parameters<typeof createTable>[1] = { key: "pk:S" }) => {
      const name = await createTable(server, spec);
      await change(name, true, "ttl");
      return name;
    },
    put: async (TableName: string, Item: Item) => {
      await server.documents.send(new PutCommand({ TableName, Item }));
    },
    get: async (TableName: string, Key: Item) =>
      (await server.documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item,
    keys: async (TableName: string) => {
      const { Items = [] } = await server.documents.send(
        new ScanCommand({ TableName, ConsistentRead: true }),
      );
      return Items.map(({ pk }) => pk).sort();
    },
  };
  return Object.assign(server, more);
}

export type Value = AttributeValue;
