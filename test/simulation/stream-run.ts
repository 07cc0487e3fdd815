import { plain } from "../../src/api/response-json.ts";
import { ManualClock } from "../../src/base/clock.ts";
import type { Store } from "../../src/storage/store.ts";
import { type Workbench, workbenchOn } from "../../src/workbench/workbench.ts";
import { Random } from "../random.ts";
import { FaultyStore } from "../storage/faulty-store.ts";
import { StreamLedger, type StreamRecord } from "./stream-ledger.ts";

/** A store that can be opened again and again; what it holds stays. */
export type OpenStore = () => Promise<Store>;

const caller = { account: "123456789012", region: "us-east-1" };
const table = "Things";
const hour = 3_600_000;
const keys = 12;

interface DescribedShard {
  readonly ShardId: string;
  readonly ParentShardId?: string;
  readonly SequenceNumberRange: { readonly EndingSequenceNumber?: string };
}

/**
 * Writers, splits, rolls, the passing of time, reopenings and, if asked for, deaths of the process, drawn
 * from a seed; and a consumer that begins at TRIM_HORIZON, keeps its checkpoints and is itself replaced now
 * and then. Answers what it saw amiss.
 */
export async function simulateStream(
  openStore: OpenStore,
  seed: number,
  steps: number,
  dies: boolean,
): Promise<{ readonly problems: readonly string[]; readonly records: number }> {
  const run = new StreamRun(openStore, seed, dies);
  await run.begin();
  for (let i = 0; i < steps; i += 1) await run.step();
  return run.finish();
}

class Died extends Error {}

class StreamRun {
  readonly #openStore: OpenStore;
  readonly #random: Random;
  readonly #dies: boolean;
  readonly #clock = new ManualClock();
  readonly #ledger = new StreamLedger();
  /** By shard: the number after which to go on, or that there is nothing more. */
  readonly #checkpoints = new Map<string, string | "end">();
  readonly #iterators = new Map<string, string>();
  #workbench!: Workbench;
  #death: Promise<never> = new Promise(() => {});
  #dieAt = Number.POSITIVE_INFINITY;
  #arn = "";
  #value = 0;
  #caughtUpAt = 0;

  constructor(openStore: OpenStore, seed: number, dies: boolean) {
    this.#openStore = openStore;
    this.#random = new Random(seed);
    this.#dies = dies;
  }

  async begin(): Promise<void> {
    await this.#open();
    const { TableDescription } = await this.#execute<{
      TableDescription: { LatestStreamArn: string };
    }>("CreateTable", {
      TableName: table,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
    });
    this.#arn = TableDescription.LatestStreamArn;
    this.#caughtUpAt = this.#clock.now();
  }

  async #open(): Promise<void> {
    const inner = await this.#openStore();
    if (!this.#dies) {
      this.#workbench = await workbenchOn(inner, { clock: this.#clock });
      return;
    }
    this.#dieAt = Number.POSITIVE_INFINITY;
    const store = new FaultyStore(
      inner,
      ({ number }) => (number === this.#dieAt ? { do: "die" } : undefined),
      this.#random.between(1, 1_000_000),
    );
    this.#workbench = await workbenchOn(store, { clock: this.#clock });
    this.#death = store.death.then(() => {
      throw new Died();
    });
    this.#death.catch(() => {});
    this.#dieAt = store.calls + this.#random.between(1, 600);
  }

  /** Never answered if the process dies: then it fails with `Died`. */
  async #execute<T>(operation: string, body: object): Promise<T> {
    const answer = Promise.resolve(this.#workbench.execute(operation, body, caller));
    return plain<T>(await Promise.race([answer, this.#death]));
  }

  async step(): Promise<void> {
    try {
      await this.#random.choose<Promise<unknown>>([
        [6, () => this.#writeMany()],
        [1, () => this.#split()],
        [1, () => this.#letTimePass()],
        [4, () => this.#consume()],
        [0.5, () => this.#replaceConsumer()],
        [0.5, () => this.#reopen()],
      ]);
    } catch (error) {
      if (!(error instanceof Died)) throw error;
      // What was under way may have been done or not; the next life finds out.
      this.#ledger.died();
      await this.#open();
      this.#iterators.clear();
    }
  }

  async #writeMany(): Promise<void> {
    const count = this.#random.between(1, 8);
    const writes = Array.from({ length: count }, () => this.#write());
    const results = await Promise.allSettled(writes);
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  async #write(): Promise<void> {
    const random = this.#random;
    const drawn = random.sample(
      Array.from({ length: keys }, (_, i) => `k${i}`),
      random.pick([1, 1, 1, 2, 3]),
    );
    const parts = drawn.map((key) => {
      this.#value += 1;
      return { key, value: random.chance(0.2) ? undefined : `${this.#value}` };
    });
    const done = this.#ledger.begin(parts);
    const [first] = parts as [(typeof parts)[number]];
    if (parts.length === 1 && random.chance(0.6)) await this.#single(first, random);
    else if (random.chance(0.5)) {
      await this.#execute("BatchWriteItem", {
        RequestItems: {
          [table]: parts.map(({ key, value }) =>
            value === undefined
              ? { DeleteRequest: { Key: keyOf(key) } }
              : { PutRequest: { Item: itemOf(key, value) } },
          ),
        },
      });
    } else {
      await this.#execute("TransactWriteItems", {
        TransactItems: parts.map(({ key, value }) =>
          value === undefined
            ? { Delete: { TableName: table, Key: keyOf(key) } }
            : { Put: { TableName: table, Item: itemOf(key, value) } },
        ),
      });
    }
    done();
  }

  async #single(
    { key, value }: { readonly key: string; readonly value: string | undefined },
    random: Random,
  ): Promise<void> {
    if (value === undefined) {
      await this.#execute("DeleteItem", { TableName: table, Key: keyOf(key) });
    } else if (random.chance(0.5)) {
      await this.#execute("PutItem", { TableName: table, Item: itemOf(key, value) });
    } else {
      await this.#execute("UpdateItem", {
        TableName: table,
        Key: keyOf(key),
        UpdateExpression: "SET v = :v",
        ExpressionAttributeValues: { ":v": { N: value } },
      });
    }
  }

  async #split(): Promise<void> {
    const open = (await this.#shards()).filter(
      ({ SequenceNumberRange }) => SequenceNumberRange.EndingSequenceNumber === undefined,
    );
    if (open.length > 12) return;
    const split = this.#workbench.splitShard(table, this.#random.pick(open).ShardId, caller);
    // While it goes on, others write.
    await Promise.race([Promise.all([split, this.#writeMany()]), this.#death]);
  }

  async #letTimePass(): Promise<void> {
    this.#clock.advance(this.#random.pick([1, 60_000, hour, 5 * hour]));
    // Nothing may be lost for want of reading: a record lives for a day.
    if (this.#clock.now() - this.#caughtUpAt > 12 * hour) await this.#catchUp();
  }

  async #reopen(): Promise<void> {
    if (this.#dies) return;
    await this.#workbench.close();
    await this.#open();
  }

  /** Another takes over: it has the checkpoints and nothing else. */
  async #replaceConsumer(): Promise<void> {
    this.#iterators.clear();
  }

  async #catchUp(): Promise<void> {
    while (await this.#consume());
    this.#caughtUpAt = this.#clock.now();
  }

  /** A page of each shard whose turn it is; false if there was nothing. */
  async #consume(): Promise<boolean> {
    let found = false;
    const shards = await this.#shards();
    const ids = new Set(shards.map(({ ShardId }) => ShardId));
    for (const { ShardId, ParentShardId: parent } of shards) {
      const waits =
        parent !== undefined && ids.has(parent) && this.#checkpoints.get(parent) !== "end";
      if (waits || this.#checkpoints.get(ShardId) === "end") continue;
      if (await this.#readPage(ShardId)) found = true;
    }
    return found;
  }

  async #readPage(shardId: string): Promise<boolean> {
    const known = this.#iterators.get(shardId);
    this.#iterators.delete(shardId);
    const ShardIterator = known ?? (await this.#iterator(shardId));
    let page: { Records: StreamRecord[]; NextShardIterator?: string };
    try {
      const Limit = this.#random.pick([1, 3, 1_000]);
      page = await this.#execute("GetRecords", { ShardIterator, Limit });
    } catch (error) {
      if ((error as Error).name === "ExpiredIteratorException") return true;
      throw error;
    }
    for (const record of page.Records) {
      this.#ledger.read(record);
      this.#checkpoints.set(shardId, record.dynamodb.SequenceNumber);
    }
    if (page.NextShardIterator === undefined) this.#checkpoints.set(shardId, "end");
    else this.#iterators.set(shardId, page.NextShardIterator);
    return page.Records.length > 0 || page.NextShardIterator === undefined;
  }

  async #iterator(shardId: string): Promise<string> {
    const after = this.#checkpoints.get(shardId);
    const { ShardIterator } = await this.#execute<{ ShardIterator: string }>("GetShardIterator", {
      StreamArn: this.#arn,
      ShardId: shardId,
      ...(after === undefined
        ? { ShardIteratorType: "TRIM_HORIZON" }
        : { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: after }),
    });
    return ShardIterator;
  }

  async #shards(): Promise<readonly DescribedShard[]> {
    const shards: DescribedShard[] = [];
    let start: string | undefined;
    do {
      const { StreamDescription: page } = await this.#execute<{
        StreamDescription: { Shards: DescribedShard[]; LastEvaluatedShardId?: string };
      }>("DescribeStream", {
        StreamArn: this.#arn,
        ...(start !== undefined && { ExclusiveStartShardId: start }),
      });
      shards.push(...page.Shards);
      start = page.LastEvaluatedShardId;
    } while (start !== undefined);
    return shards;
  }

  async finish(): Promise<{ problems: readonly string[]; records: number }> {
    this.#dieAt = Number.POSITIVE_INFINITY;
    await this.#catchUp();
    for (let i = 0; i < keys; i += 1) {
      const key = `k${i}`;
      const { Item } = await this.#execute<{ Item?: { v: { N: string } } }>("GetItem", {
        TableName: table,
        Key: keyOf(key),
        ConsistentRead: true,
      });
      this.#ledger.finallyIs(key, Item?.v.N);
    }
    const problems = [...this.#ledger.problems(), ...(await this.#workbench.verify()).problems];
    await this.#workbench.close();
    return { problems, records: this.#ledger.records };
  }
}

const keyOf = (key: string) => ({ pk: { S: key } });
const itemOf = (key: string, value: string) => ({ ...keyOf(key), v: { N: value } });
