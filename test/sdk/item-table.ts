import {
  GetCommand,
  PutCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { beforeAll, expect } from "vitest";
import { createTable, type TestServer } from "./harness.ts";

export type Plain = Record<string, unknown>;
export type Change = Omit<UpdateCommandInput, "TableName" | "Key">;

type Spec = Parameters<typeof createTable>[1];

/** One table for the tests of a file, each of which works on items of its own. */
export class ItemTable {
  readonly #server: TestServer;
  #name = "";
  #serial = 0;

  constructor(server: TestServer, spec: Spec = { key: "pk:S" }) {
    this.#server = server;
    beforeAll(async () => {
      this.#name = await createTable(server, spec);
    });
  }

  get name(): string {
    return this.#name;
  }

  /** A key that no other test uses. */
  freshKey(): { pk: string } {
    this.#serial += 1;
    return { pk: `item-${this.#serial}` };
  }

  /** Puts an item with these attributes besides its key; answers the key. */
  async put(attributes: Plain = {}): Promise<{ pk: string }> {
    const key = this.freshKey();
    await this.#server.documents.send(
      new PutCommand({ TableName: this.#name, Item: { ...attributes, ...key } }),
    );
    return key;
  }

  /** The whole item, or undefined. */
  async get(key: Plain): Promise<Plain | undefined> {
    const answer = await this.#server.documents.send(
      new GetCommand({ TableName: this.#name, Key: key, ConsistentRead: true }),
    );
    return answer.Item;
  }

  async update(key: Plain, change: Change): Promise<Plain | undefined> {
    const answer = await this.#server.documents.send(
      new UpdateCommand({ TableName: this.#name, Key: key, ...change }),
    );
    return answer.Attributes;
  }

  /** What an update makes of an item with these attributes; the key is left out. */
  async updated(before: Plain, change: Change): Promise<Plain> {
    const key = await this.put(before);
    await this.update(key, change);
    const { pk, ...attributes } = (await this.get(key)) ?? {};
    expect(pk).toBe(key.pk);
    return attributes;
  }
}

/** `"SET a = :v"` with `{ v: 1 }` as the parameters of an update. */
export function change(UpdateExpression: string, values?: Plain, names?: Record<string, string>) {
  return { UpdateExpression, ...placeholders(values, names) };
}

/** `{ v: 1 }` as ExpressionAttributeValues with `:v`, names likewise with `#`. */
export function placeholders(values?: Plain, names?: Record<string, string>) {
  return {
    ...(values !== undefined && { ExpressionAttributeValues: prefixed(":", values) }),
    ...(names !== undefined && { ExpressionAttributeNames: prefixed("#", names) }),
  };
}

function prefixed<Value>(sigil: string, record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [sigil + name, value]));
}

/** What stands before a complaint about a request itself in today's dialect. */
export const counted = "1 validation error detected: ";
