import type { Random } from "../random.ts";
import { randomOf } from "../random.ts";
import type { Effect, Note } from "./ledger.ts";
import {
  addLate,
  createVisiting,
  dropLate,
  type Item,
  indexKey,
  mainKey,
  mainTable,
  tableKey,
  textOf,
  visitingKey,
  visitingTable,
} from "./tables.ts";

/** `unknown`: there was no answer, or one that does not say whether the request was carried out. */
export type Outcome = "acknowledged" | "refused" | "unknown";

export interface WriterOptions {
  readonly seed: number;
  readonly clients: number;
  /** Request numbers and values begin here, so that none is used twice in a run. */
  readonly firstId: number;
  send(operation: string, body: object): Promise<Outcome>;
  note(note: Note): void;
  stopped(): boolean;
}

interface Request {
  readonly operation: string;
  readonly body: object;
  readonly effects: readonly Effect[];
}

export const counters = 4;
export const groups = 6;
export const groupMembers = 4;
export const claims = 30;
const ownKeys = 14;
const sharedKeys = 12;
const visitors = 6;
/** Around the size above which LMDB gives a value pages of its own, and far beyond. */
const paddings = [0, 40, 700, 2_100, 30_000];

/** Writes through many connections until it is told to stop. */
export class Writer {
  readonly #options: WriterOptions;
  #nextId: number;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#nextId = options.firstId;
  }

  async run(): Promise<void> {
    const clients = Array.from({ length: this.#options.clients }, (_, n) => this.#client(n));
    await Promise.all([...clients, this.#administrator()]);
  }

  async #client(n: number): Promise<void> {
    const random = randomOf(this.#options.seed, n);
    while (!this.#options.stopped()) {
      const outcome = await this.#carryOut(this.#draw(random, n));
      if (outcome === "unknown") await pause();
    }
  }

  async #carryOut({ operation, body, effects }: Request): Promise<Outcome> {
    const id = this.#nextId++;
    this.#options.note({ what: "sent", id, operation, effects });
    const outcome = await this.#options.send(operation, body);
    if (outcome !== "unknown") this.#options.note({ what: outcome, id });
    return outcome;
  }

  #draw(random: Random, client: number): Request {
    switch (
      random.weighted({
        put: 30,
        conditional: 10,
        update: 15,
        delete: 10,
        count: 10,
        claim: 6,
        batch: 8,
        transaction: 15,
      })
    ) {
      case "put":
        return this.#put(random, client, {});
      case "conditional":
        return this.#put(random, client, { ConditionExpression: "attribute_exists(pk)" });
      case "update":
        return this.#update(random, client);
      case "delete":
        return deletion(keyFor(random, client));
      case "count":
        return increment("counter", String(random.between(0, counters - 1)));
      case "claim":
        return this.#claim(random);
      case "batch":
        return this.#batch(random, client);
      case "transaction":
        return this.#transaction(random);
    }
  }

  #put(random: Random, client: number, more: object): Request {
    const item = this.#item(random, keyFor(random, client));
    return {
      operation: "PutItem",
      body: { TableName: mainTable, Item: item, ...more },
      effects: [writeOf(item)],
    };
  }

  /** Says all of the item anew, so that it does not matter what was there. */
  #update(random: Random, client: number): Request {
    const key = keyFor(random, client);
    const item = this.#item(random, key);
    const names = ["v", "kind", "rank", "shade", "pad"];
    const set = names.filter((name) => name in item);
    const removed = names.filter((name) => !(name in item));
    return {
      operation: "UpdateItem",
      body: {
        TableName: mainTable,
        Key: key,
        UpdateExpression:
          `SET ${set.map((name) => `#${name} = :${name}`).join(", ")}` +
          (removed.length === 0 ? "" : ` REMOVE ${removed.map((name) => `#${name}`).join(", ")}`),
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries(set.map((name) => [`:${name}`, item[name]])),
      },
      effects: [writeOf(item)],
    };
  }

  /** Whoever comes first: the others are refused. */
  #claim(random: Random): Request {
    const number = random.between(0, claims - 1);
    const item = this.#item(random, keyText("claim", String(number)));
    return {
      operation: "PutItem",
      body: {
        TableName: mainTable,
        Item: item,
        ConditionExpression: "attribute_not_exists(pk)",
      },
      effects: [writeOf(item), { kind: "add", key: claimSum(number) }],
    };
  }

  #batch(random: Random, client: number): Request {
    const numbers = random.sample([...Array(ownKeys).keys()], random.between(2, ownKeys));
    const effects: Effect[] = [];
    const requests = numbers.map((n) => {
      const key = keyText(`client ${client}`, String(n));
      if (random.chance(0.3)) {
        effects.push({ kind: "write", key: mainKey(key.pk.S, key.sk.S), value: null });
        return { DeleteRequest: { Key: key } };
      }
      const item = this.#item(random, key);
      effects.push(writeOf(item));
      return { PutRequest: { Item: item } };
    });
    return {
      operation: "BatchWriteItem",
      body: { RequestItems: { [mainTable]: requests } },
      effects,
    };
  }

  /** All members of a group get the number of the transaction, and the group counts it. */
  #transaction(random: Random): Request {
    const group = random.between(0, groups - 1);
    const number = this.#nextId;
    const items = random.times(groupMembers, (n) => ({
      ...this.#item(random, keyText(`group ${group}`, String(n))),
      transaction: { N: String(number) },
    }));
    const count = increment("transactions", String(group));
    return {
      operation: "TransactWriteItems",
      body: {
        ...(random.chance(0.5) && { ClientRequestToken: `token-${number}` }),
        TransactItems: [
          ...items.map((Item) => ({ Put: { TableName: mainTable, Item } })),
          { Update: count.body },
        ],
      },
      effects: [...items.map(writeOf), ...count.effects],
    };
  }

  #item(random: Random, key: Readonly<Record<"pk" | "sk", { S: string }>>): Item {
    const padding = random.chance(0.02) ? random.pick(paddings) : random.few(600);
    return {
      ...key,
      v: { S: `${this.#nextId}-${random.between(0, 1_000_000)}` },
      ...(random.chance(0.7) && { kind: { S: `kind ${random.between(0, 4)}` } }),
      ...(random.chance(0.8) && { rank: { N: String(random.between(-50, 50)) } }),
      ...(random.chance(0.5) && { shade: { S: `shade ${random.between(0, 9)}` } }),
      ...(padding > 0 && { pad: { S: "p".repeat(padding) } }),
    };
  }

  /** Tables and indexes that come and go, one step after the other. */
  async #administrator(): Promise<void> {
    const random = randomOf(this.#options.seed, 1_000);
    while (!this.#options.stopped()) {
      const life = this.#nextId;
      const present = { kind: "write", value: "present" } as const;
      await this.#step({
        operation: "CreateTable",
        body: createVisiting,
        effects: [{ ...present, key: tableKey }],
      });
      await this.#step({
        operation: "UpdateTable",
        body: addLate,
        effects: [{ ...present, key: indexKey }],
      });
      for (let n = random.between(0, visitors); n > 0; n--) {
        const item: Item = { pk: { S: String(n) }, life: { N: String(life) } };
        await this.#step({
          operation: "PutItem",
          body: { TableName: visitingTable, Item: item },
          effects: [{ kind: "write", key: visitingKey(String(n)), value: textOf(item) }],
        });
      }
      await this.#step({
        operation: "UpdateTable",
        body: dropLate,
        effects: [{ kind: "write", key: indexKey, value: null }],
      });
      if (random.chance(0.7)) await this.#step(departure);
    }
  }

  async #step(request: Request): Promise<void> {
    if (this.#options.stopped()) return;
    if ((await this.#carryOut(request)) === "unknown") await pause();
  }
}

export const claimSum = (number: number): string => `winners of claim ${number}`;

const departure: Request = {
  operation: "DeleteTable",
  body: { TableName: visitingTable },
  effects: [
    { kind: "write", key: tableKey, value: null },
    ...Array.from({ length: visitors }, (_, n) => ({
      kind: "write" as const,
      key: visitingKey(String(n + 1)),
      value: null,
    })),
  ],
};

const keyText = (pk: string, sk: string) => ({ pk: { S: pk }, sk: { S: sk } });

function keyFor(random: Random, client: number) {
  return random.chance(0.7)
    ? keyText(`client ${client}`, String(random.between(0, ownKeys - 1)))
    : keyText("shared", String(random.between(0, sharedKeys - 1)));
}

const writeOf = (item: Item): Effect => {
  const { pk, sk } = item as { pk: { S: string }; sk: { S: string } };
  return { kind: "write", key: mainKey(pk.S, sk.S), value: textOf(item) };
};

const deletion = (key: ReturnType<typeof keyText>): Request => ({
  operation: "DeleteItem",
  body: { TableName: mainTable, Key: key },
  effects: [{ kind: "write", key: mainKey(key.pk.S, key.sk.S), value: null }],
});

const increment = (pk: string, sk: string) => ({
  operation: "UpdateItem",
  body: {
    TableName: mainTable,
    Key: keyText(pk, sk),
    UpdateExpression: "ADD n :one",
    ExpressionAttributeValues: { ":one": { N: "1" } },
  },
  effects: [{ kind: "add" as const, key: mainKey(pk, sk) }],
});

/** A server that is gone is not asked again at once. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

const expectedRefusals = new Set([
  "ConditionalCheckFailedException",
  "TransactionCanceledException",
  "TransactionConflictException",
  "ResourceInUseException",
  "ResourceNotFoundException",
  "LimitExceededException",
]);

/** Throws if the server complains of what the writer has sent. */
export function refusalOf(name: string, message: string): "refused" {
  const already = /index which already exists|does not contain a specified index|no such index/i;
  if (!expectedRefusals.has(name) && !already.test(message)) {
    throw new Error(`${name}: ${message}`);
  }
  return "refused";
}
