import { expect, test } from "vitest";
import { ServiceError } from "../../src/api/errors/service-error.ts";
import { plain } from "../../src/api/response-json.ts";
import { ManualClock } from "../../src/base/clock.ts";
import type { Item } from "../../src/item/attribute-value.ts";
import { type Caller, openWorkbench, type Workbench } from "../../src/workbench/workbench.ts";
import { Random } from "../random.ts";
import { Generator, type Twin } from "./generate.ts";

const long = process.env.KEYWRIGHT_LONG !== undefined;
const histories = long ? 400 : 8;
const steps = 120;

const statements: Caller = { account: "111111111111", region: "us-east-1" };
const requests: Caller = { account: "222222222222", region: "us-east-1" };

const table = {
  TableName: "Things",
  BillingMode: "PAY_PER_REQUEST",
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "N" },
    { AttributeName: "mark", AttributeType: "S" },
    { AttributeName: "score", AttributeType: "N" },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: "byMark",
      KeySchema: [
        { AttributeName: "mark", KeyType: "HASH" },
        { AttributeName: "score", KeyType: "RANGE" },
      ],
      Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["a"] },
    },
  ],
  LocalSecondaryIndexes: [
    {
      IndexName: "byScore",
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "score", KeyType: "RANGE" },
      ],
      Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["a"] },
    },
  ],
  StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
};

interface Outcome {
  readonly items: readonly Item[];
  readonly units: unknown;
  readonly error: string | undefined;
  readonly more: boolean;
}

async function ask(
  workbench: Workbench,
  caller: Caller,
  operation: string,
  input: object,
): Promise<Record<string, unknown> | ServiceError> {
  try {
    return plain(await workbench.execute(operation, structuredClone(input), caller));
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

function outcome(answer: Record<string, unknown> | ServiceError): Outcome {
  if (answer instanceof ServiceError) {
    const error = answer.type.replace("DuplicateItemException", "ConditionalCheckFailedException");
    return { items: [], units: undefined, error, more: false };
  }
  const one = (answer.Item ?? answer.Attributes) as Item | undefined;
  return {
    items: (answer.Items as Item[] | undefined) ?? (one === undefined ? [] : [one]),
    units: answer.ConsumedCapacity,
    error: undefined,
    more: answer.LastEvaluatedKey !== undefined,
  };
}

async function compare(workbench: Workbench, twin: Twin): Promise<Outcome> {
  const ReturnConsumedCapacity = "INDEXES";
  const [statement, request] = await Promise.all([
    ask(workbench, statements, "ExecuteStatement", {
      Statement: twin.statement,
      ...(twin.parameters.length > 0 && { Parameters: twin.parameters }),
      ...twin.options,
      ReturnConsumedCapacity,
    }),
    ask(workbench, requests, twin.operation, { ...twin.input, ReturnConsumedCapacity }),
  ]);
  const found = outcome(statement);
  expect(found, `${twin.statement}\n${JSON.stringify(twin.input)}`).toEqual(outcome(request));
  return found;
}

/** All records of a table's stream by item, in the order of each, less what tells two streams apart. */
async function records(workbench: Workbench, caller: Caller): Promise<unknown[]> {
  const streams = await ask(workbench, caller, "ListStreams", { TableName: "Things" });
  const { Streams } = streams as unknown as { Streams: { StreamArn: string }[] };
  const StreamArn = Streams[0]?.StreamArn;
  const described = await ask(workbench, caller, "DescribeStream", { StreamArn });
  const { Shards } = (
    described as unknown as { StreamDescription: { Shards: { ShardId: string }[] } }
  ).StreamDescription;
  const all: ({ Keys: Item } & Record<string, unknown>)[] = [];
  for (const { ShardId } of Shards) {
    const begin = { StreamArn, ShardId, ShardIteratorType: "TRIM_HORIZON" };
    const first = (await ask(workbench, caller, "GetShardIterator", begin)) as unknown as {
      ShardIterator?: string;
    };
    let more = first.ShardIterator;
    while (more !== undefined) {
      const page = (await ask(workbench, caller, "GetRecords", {
        ShardIterator: more,
      })) as unknown as {
        Records: {
          eventName: string;
          dynamodb: { Keys: Item; NewImage?: Item; OldImage?: Item; SizeBytes: number };
        }[];
        NextShardIterator?: string;
      };
      if (page.Records.length === 0) break;
      for (const { eventName, dynamodb } of page.Records) {
        const { Keys, NewImage, OldImage, SizeBytes } = dynamodb;
        all.push({ eventName, Keys, NewImage, OldImage, SizeBytes });
      }
      more = page.NextShardIterator;
    }
  }
  // Shards are found in any order, but an item is always in the same one.
  const name = ({ Keys }: { Keys: Item }): string => JSON.stringify([Keys.pk, Keys.sk]);
  return all.toSorted((a, b) => (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : 0));
}

test.each(Array.from({ length: histories }, (_, i) => i + 1))(
  "history %i: statements and requests do, cost and tell the same",
  async (seed) => {
    const workbench = await openWorkbench({ clock: new ManualClock(1_790_000_000_000) });
    try {
      for (const caller of [statements, requests]) {
        await workbench.execute("CreateTable", structuredClone(table), caller);
      }
      const generator = new Generator(new Random(seed));
      let succeeded = 0;
      for (let step = 0; step < steps; step += 1) {
        const { error } = await compare(workbench, generator.next());
        if (error === undefined) succeeded += 1;
      }
      // A history in which everything is refused would prove nothing.
      expect(succeeded).toBeGreaterThan(steps / 3);
      const told = await records(workbench, statements);
      expect(told.length).toBeGreaterThan(10);
      expect(told).toEqual(await records(workbench, requests));
    } finally {
      await workbench.close();
    }
  },
);
