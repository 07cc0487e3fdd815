import type { Random } from "../random.ts";
import { type Client, everything, type Interval, type Run, type Scenario } from "./concurrent.ts";
import { type Item, stable } from "./values.ts";

const table = "moving";
const groups = ["g1", "g2", "g3"];
const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
const late = "byScore";

/**
 * Writers move items about in indexes, while one client adds and removes an index of the same table.
 * At the end every index holds exactly what its items say.
 */
export class Indexes implements Scenario {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  async prepare(): Promise<void> {
    await this.#run.expect("CreateTable", {
      TableName: table,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "id", KeyType: "RANGE" },
      ],
      AttributeDefinitions: ["pk", "id", "grp", "loc"].map((AttributeName) => ({
        AttributeName,
        AttributeType: "S",
      })),
      GlobalSecondaryIndexes: [
        {
          IndexName: "byGroup",
          KeySchema: [{ AttributeName: "grp", KeyType: "HASH" }],
          Projection: { ProjectionType: "ALL" },
        },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: "byPlace",
          KeySchema: [
            { AttributeName: "pk", KeyType: "HASH" },
            { AttributeName: "loc", KeyType: "RANGE" },
          ],
          Projection: { ProjectionType: "KEYS_ONLY" },
        },
      ],
    });
  }

  client(number: number): Client {
    return { step: (random) => (number === 0 ? this.#alter(random) : this.#traffic(random)) };
  }

  /** Removes the index and adds it anew; waits now and then until it is built. */
  async #alter(random: Random): Promise<void> {
    const run = this.#run;
    if (random.chance(0.7)) return this.#traffic(random);
    const create = {
      IndexName: late,
      KeySchema: [
        { AttributeName: "score", KeyType: "HASH" },
        { AttributeName: "grp", KeyType: "RANGE" },
      ],
      Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["loc"] },
    };
    const AttributeDefinitions = [
      { AttributeName: "score", AttributeType: "N" },
      { AttributeName: "grp", AttributeType: "S" },
    ];
    const remove = { GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: late } }] };
    const add = { GlobalSecondaryIndexUpdates: [{ Create: create }], AttributeDefinitions };
    // The table may be busy with the last change, and at first there is nothing to remove.
    const busy = ["ResourceInUseException", "LimitExceededException"] as const;
    const none = "ResourceNotFoundException";
    await run.expect("UpdateTable", { TableName: table, ...remove }, none, ...busy);
    const added = await run.expect(
      "UpdateTable",
      { TableName: table, ...add },
      "ValidationException",
      ...busy,
    );
    if (added === undefined || random.chance(0.4)) return;
    await run.target.idle();
    const page = await run.expect("Scan", { TableName: table, IndexName: late });
    this.#checkDistinct(late, page);
  }

  async #traffic(random: Random): Promise<void> {
    const run = this.#run;
    const key = { pk: { S: random.pick(["p", "q"]) }, id: { S: random.pick(ids) } };
    const item = (): Item => ({
      ...key,
      ...(random.chance(0.8) && { grp: { S: random.pick(groups) } }),
      ...(random.chance(0.8) && { loc: { S: random.pick(["x", "y"]) } }),
      ...(random.chance(0.8) && { score: { N: String(random.between(1, 3)) } }),
      ...(random.chance(0.2) && { pad: { S: "p".repeat(random.between(1, 3000)) } }),
    });
    switch (random.between(0, 6)) {
      case 0:
        await run.expect("DeleteItem", { TableName: table, Key: key });
        return;
      case 1:
        await run.expect("UpdateItem", {
          TableName: table,
          Key: key,
          UpdateExpression: "SET score = :r, grp = :g REMOVE loc",
          ExpressionAttributeValues: {
            ":r": { N: String(random.between(1, 3)) },
            ":g": { S: random.pick(groups) },
          },
        });
        return;
      case 2: {
        const Put = { TableName: table, Item: item() };
        const other = { pk: key.pk, id: { S: random.pick(ids.filter((id) => id !== key.id.S)) } };
        const Delete = { TableName: table, Key: other };
        await run.expect("TransactWriteItems", { TransactItems: [{ Put }, { Delete }] });
        return;
      }
      case 3:
        await this.#look(random, random.pick(["byGroup", "byPlace"]));
        return;
      case 4: {
        const writes = random.sample(ids, 4).map((id) => ({
          PutRequest: { Item: { ...item(), id: { S: id } } },
        }));
        await run.expect("BatchWriteItem", { RequestItems: { [table]: writes } });
        return;
      }
      default:
        await run.expect("PutItem", { TableName: table, Item: item() });
    }
  }

  /** One page of an index shows no item twice, however it moves. */
  async #look(random: Random, index: string): Promise<void> {
    const key = index === "byPlace" ? "pk" : "grp";
    const value = random.pick(index === "byPlace" ? ["p", "q"] : groups);
    const page = await this.#run.expect("Query", {
      TableName: table,
      IndexName: index,
      KeyConditionExpression: `${key} = :v`,
      ExpressionAttributeValues: { ":v": { S: value } },
    });
    this.#checkDistinct(index, page);
  }

  #checkDistinct(index: string, page: Record<string, unknown> | undefined): void {
    const names = ((page?.Items ?? []) as Item[]).map(({ pk, id }) => stable([pk, id]));
    this.#run.check(new Set(names).size === names.length, () => `${index} shows an item twice`);
  }

  async check(): Promise<void> {
    const run = this.#run;
    await run.target.idle();
    const items = await everything(run, { TableName: table, ConsistentRead: true });
    const check = async (index: string, keys: readonly string[], held?: readonly string[]) => {
      const expected = items
        .filter((item) => keys.every((name) => item[name] !== undefined))
        .map((item) =>
          Object.fromEntries(
            Object.entries(item).filter(([name]) => held === undefined || held.includes(name)),
          ),
        );
      const got = await everything(run, { TableName: table, IndexName: index });
      const sorted = (list: readonly Item[]) => stable(list.map(stable).sort());
      run.check(sorted(expected) === sorted(got), () => `${index} differs from its table`);
    };
    await check("byGroup", ["grp"]);
    await check("byPlace", ["loc"], ["pk", "id", "loc"]);
    const described = await run.expect("DescribeTable", { TableName: table });
    const { GlobalSecondaryIndexes = [], ItemCount } = (described?.Table ?? {}) as {
      GlobalSecondaryIndexes?: { IndexName: string }[];
      ItemCount?: number;
    };
    run.check(ItemCount === items.length, () => `${items.length} items, ${ItemCount} counted`);
    if (GlobalSecondaryIndexes.some(({ IndexName }) => IndexName === late)) {
      await check(late, ["score", "grp"], ["pk", "id", "score", "grp", "loc"]);
    }
  }
}

const churned = "churned";

/** One client makes and deletes a table while the others write to it. */
export class Churn implements Scenario {
  readonly #run: Run;
  readonly #puts: (Interval & { readonly id: string })[] = [];
  #lastCreated = 0;
  #lastDeleted = 0;
  #exists = false;

  constructor(run: Run) {
    this.#run = run;
  }

  async prepare(): Promise<void> {
    await this.#create();
  }

  client(number: number): Client {
    let count = 0;
    return {
      step: async (random) => {
        if (number === 0) {
          if (random.chance(0.6)) return;
          return this.#exists ? this.#delete() : this.#create();
        }
        count += 1;
        return this.#put(`${number}.${count}`);
      },
    };
  }

  async #create(): Promise<void> {
    const KeySchema = [{ AttributeName: "id", KeyType: "HASH" }];
    await this.#run.expect("CreateTable", {
      TableName: churned,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema,
      AttributeDefinitions: [
        { AttributeName: "id", AttributeType: "S" },
        { AttributeName: "kind", AttributeType: "S" },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: "byKind",
          KeySchema: [{ AttributeName: "kind", KeyType: "HASH" }],
          Projection: { ProjectionType: "ALL" },
        },
      ],
    });
    this.#exists = true;
    this.#lastCreated = this.#run.tick();
  }

  async #delete(): Promise<void> {
    this.#lastDeleted = this.#run.tick();
    await this.#run.expect("DeleteTable", { TableName: churned });
    this.#exists = false;
  }

  async #put(id: string): Promise<void> {
    const start = this.#run.tick();
    const Item = { id: { S: id }, kind: { S: "k" } };
    const body = { TableName: churned, Item, ConditionExpression: "attribute_not_exists(id)" };
    const done = await this.#run.expect("PutItem", body, "ResourceNotFoundException");
    if (done !== undefined) this.#puts.push({ id, start, end: this.#run.tick() });
  }

  /** What was written into the last table is there; what was written into an earlier one is not. */
  async check(): Promise<void> {
    const run = this.#run;
    if (!this.#exists) await this.#create();
    await run.target.idle();
    for (const index of [{}, { IndexName: "byKind" }]) {
      const items = await everything(run, { TableName: churned, ...index });
      const found = new Set(items.map(({ id }) => stable(id)));
      for (const { id, start, end } of this.#puts) {
        const there = found.has(stable({ S: id }));
        if (start > this.#lastCreated) run.check(there, () => `put ${id} is lost`);
        if (end < this.#lastDeleted) run.check(!there, () => `put ${id} outlived its table`);
      }
    }
  }
}
