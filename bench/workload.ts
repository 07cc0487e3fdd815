export type Attributes = Record<string, object>;

export interface WorkloadOptions {
  readonly table: string;
  readonly items: number;
  readonly itemBytes: number;
}

export const operationNames = [
  "put",
  "putcond",
  "get",
  "update",
  "query",
  "queryfilter",
  "scan",
  "batchwrite",
  "batchget",
  "transact",
  "transactget",
] as const;
export type OperationName = (typeof operationNames)[number];

export interface Call {
  readonly operation: string;
  readonly body: object;
}

export const itemsPerPartition = 100;
const batchSize = 25;

/** Repeatable randomness: every target is asked the same things in the same order. */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  }

  below(bound: number): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state % bound;
  }

  letters(length: number): string {
    let text = "";
    while (text.length < length) text += this.below(0x1_0000_0000).toString(36);
    return text.slice(0, length);
  }
}

/** The requests of a run on one table of partitions with a hundred items each. */
export class Workload {
  readonly #options: WorkloadOptions;
  readonly #filler: number;
  #random = new Random(1);

  constructor(options: WorkloadOptions) {
    this.#options = options;
    const bare = JSON.stringify(this.#itemWith(0, 0)).length;
    this.#filler = Math.max(1, options.itemBytes - bare);
  }

  get table(): string {
    return this.#options.table;
  }

  reseed(seed: number): void {
    this.#random = new Random(seed);
  }

  key(index: number): Attributes {
    return {
      pk: { S: `customer#${digits(Math.floor(index / itemsPerPartition), 8)}` },
      sk: { S: `order#${digits(index % itemsPerPartition, 6)}` },
    };
  }

  item(index: number): Attributes {
    return this.#itemWith(index, this.#filler);
  }

  #itemWith(index: number, filler: number): Attributes {
    const random = this.#random;
    return {
      ...this.key(index),
      status: { S: "PENDING" },
      total: { N: String(10_000 + random.below(90_000)) },
      revision: { N: "0" },
      mail: { S: `${random.letters(10)}@example.com` },
      tags: { SS: ["blue", "green", random.letters(6)] },
      address: {
        M: { street: { S: random.letters(20) }, zip: { N: "12345" }, gift: { BOOL: true } },
      },
      note: { S: random.letters(filler) },
    };
  }

  createTable(): Call {
    const attributes = ["pk", "sk"].map((name) => ({ AttributeName: name, AttributeType: "S" }));
    return {
      operation: "CreateTable",
      body: {
        TableName: this.table,
        AttributeDefinitions: attributes,
        KeySchema: [
          { AttributeName: "pk", KeyType: "HASH" },
          { AttributeName: "sk", KeyType: "RANGE" },
        ],
        BillingMode: "PAY_PER_REQUEST",
      },
    };
  }

  /** The writes that fill the table, a batch each. */
  *fill(): Generator<Call> {
    for (let first = 0; first < this.#options.items; first += batchSize) {
      const last = Math.min(first + batchSize, this.#options.items);
      yield this.#batchWrite(Array.from({ length: last - first }, (_, i) => first + i));
    }
  }

  call(name: OperationName): Call {
    const TableName = this.table;
    const index = this.#random.below(this.#options.items);
    const Key = this.key(index);
    switch (name) {
      case "put":
        return { operation: "PutItem", body: { TableName, Item: this.item(index) } };
      case "putcond":
        return {
          operation: "PutItem",
          body: {
            TableName,
            Item: this.item(index),
            ConditionExpression: "attribute_exists(pk) AND #status <> :gone",
            ExpressionAttributeNames: { "#status": "status" },
            ExpressionAttributeValues: { ":gone": { S: "GONE" } },
          },
        };
      case "get":
        return { operation: "GetItem", body: { TableName, Key } };
      case "update":
        return {
          operation: "UpdateItem",
          body: { ...this.#update(index), ReturnValues: "UPDATED_NEW" },
        };
      case "query":
        return { operation: "Query", body: this.#query(Key) };
      case "queryfilter":
        return {
          operation: "Query",
          body: {
            ...this.#query(Key, { ":min": { N: "50000" }, ":part": { S: "a" } }),
            FilterExpression: "total > :min AND contains(mail, :part)",
          },
        };
      case "scan":
        return { operation: "Scan", body: { TableName, Limit: 100, ExclusiveStartKey: Key } };
      case "batchwrite":
        return this.#batchWrite(this.#distinct(batchSize));
      case "batchget":
        return {
          operation: "BatchGetItem",
          body: {
            RequestItems: {
              [TableName]: { Keys: this.#distinct(batchSize).map((i) => this.key(i)) },
            },
          },
        };
      case "transact":
        return this.#transaction();
      case "transactget":
        return {
          operation: "TransactGetItems",
          body: {
            TransactItems: this.#distinct(4).map((i) => ({ Get: { TableName, Key: this.key(i) } })),
          },
        };
    }
  }

  #update(index: number): object {
    return {
      TableName: this.table,
      Key: this.key(index),
      UpdateExpression: "SET #revision = #revision + :one, #status = :status",
      ExpressionAttributeNames: { "#revision": "revision", "#status": "status" },
      ExpressionAttributeValues: {
        ":one": { N: "1" },
        ":status": { S: `STEP${this.#random.below(10)}` },
      },
    };
  }

  #query({ pk }: Attributes, values: Attributes = {}): object {
    return {
      TableName: this.table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": pk, ...values },
    };
  }

  #batchWrite(indexes: readonly number[]): Call {
    const requests = indexes.map((i) => ({ PutRequest: { Item: this.item(i) } }));
    return { operation: "BatchWriteItem", body: { RequestItems: { [this.table]: requests } } };
  }

  /** Two puts, an update and a check, all conditional, on four items. */
  #transaction(): Call {
    const TableName = this.table;
    const ConditionExpression = "attribute_exists(pk)";
    const [a = 0, b = 1, c = 2, d = 3] = this.#distinct(4);
    return {
      operation: "TransactWriteItems",
      body: {
        TransactItems: [
          { Put: { TableName, Item: this.item(a), ConditionExpression } },
          { Put: { TableName, Item: this.item(b), ConditionExpression } },
          { Update: { ...this.#update(c), ConditionExpression } },
          { ConditionCheck: { TableName, Key: this.key(d), ConditionExpression } },
        ],
      },
    };
  }

  #distinct(size: number): number[] {
    const { items } = this.#options;
    const chosen = new Set<number>();
    while (chosen.size < Math.min(size, items)) chosen.add(this.#random.below(items));
    return [...chosen];
  }
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
