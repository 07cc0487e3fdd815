import type { Table } from "../../model/design.ts";
import type { TableRequests } from "../requests/table-requests.ts";
import type { Consumer } from "./consumers.ts";
import { alarmSubjectMax } from "./service-limits.ts";
import { cut, distinctName, shortName } from "./short-name.ts";

/** An alarm on CloudWatch's numbers of a table, one of its global indexes, or a consumer of its stream. */
export interface Alarm {
  /** In two or three words, such as `read throttles`. */
  readonly what: string;
  readonly index: string | undefined;
  readonly consumer: string | undefined;
  readonly description: string;
  readonly namespace: "AWS/DynamoDB" | "AWS/Lambda" | "AWS/SQS";
  readonly metric: string;
  readonly statistic: "Sum" | "Average" | "Maximum";
  /** What the number is about; a function and a queue are those of the consumer. */
  readonly dimensions: readonly (readonly [string, Subject | { readonly text: string }])[];
  /** The number is kept for each operation, and they are added. */
  readonly operations: readonly string[] | undefined;
  /** What is too much in a minute: above it, or at it. */
  readonly threshold: number;
  readonly above: boolean;
  /** So many minutes one after the other. */
  readonly minutes: number;
}

export type Subject = "table" | "function" | "queue";

const descriptionMax = 1_024;
const fullShare = 0.8;
/** Replicas are usually a second behind, and streams are read within one. */
const replicationMs = 10_000;
const iteratorMs = 900_000;

/** `operations` are those that patterns use on the table. */
export function alarmsOf(
  table: Table,
  requests: TableRequests,
  consumers: readonly Consumer[],
  operations: readonly string[],
): readonly Alarm[] {
  const global = requests.create.GlobalSecondaryIndexes ?? [];
  return [
    ...[undefined, ...global.map(({ IndexName }) => IndexName)].flatMap((index) => [
      ...(["read", "write"] as const).map((direction) => throttles(table, index, direction)),
      ...(["read", "write"] as const).flatMap((direction) => full(requests, index, direction)),
    ]),
    ...(operations.length === 0 ? [] : [systemErrors(table, operations)]),
    ...table.replicas.map((region) => replication(table, region)),
    ...consumers.flatMap((consumer) => ofConsumer(table, consumer)),
  ].map((alarm) => ({ ...alarm, description: cut(alarm.description, descriptionMax) }));
}

/** What an alarm is called after, besides its table: an index or a consumer, and what it is about. */
export function alarmWords({ index, consumer, what }: Alarm): readonly string[] {
  const part = index ?? consumer;
  return part === undefined ? [what] : [part, what];
}

/** The end of an alarm's name: of signs that no language reads, and short enough with all that comes before it. */
export function alarmSubject(table: Table, alarm: Alarm): string {
  const { index, consumer, what } = alarm;
  const part = index ?? (consumer === undefined ? undefined : distinctName(consumer));
  const words = [table.name, ...(part === undefined ? [] : [part]), what.replaceAll(" ", "-")];
  return shortName(words.join("-"), alarmSubjectMax);
}

type Direction = "read" | "write";

const ofTable = {
  consumer: undefined,
  namespace: "AWS/DynamoDB",
  statistic: "Sum",
  operations: undefined,
} as const;

function dimensionsOf(index: string | undefined): Alarm["dimensions"] {
  return [
    ["TableName", "table"],
    ...(index === undefined ? [] : [["GlobalSecondaryIndexName", { text: index }] as const]),
  ];
}

function throttles(table: Table, index: string | undefined, direction: Direction): Alarm {
  return {
    ...ofTable,
    what: `${direction} throttles`,
    index,
    description: `${capital(direction)}s of ${nameOf(table.name, index)} are throttled`,
    metric: direction === "read" ? "ReadThrottleEvents" : "WriteThrottleEvents",
    dimensions: dimensionsOf(index),
    threshold: 0,
    above: true,
    minutes: 5,
  };
}

/** Four fifths of what there can be: of the highest that auto scaling goes, or of the on-demand limit. */
function full(
  requests: TableRequests,
  index: string | undefined,
  direction: Direction,
): readonly Alarm[] {
  const units = mostUnits(requests, index, direction);
  if (units === undefined) return [];
  return [
    {
      ...ofTable,
      what: `${direction} capacity`,
      index,
      description: `${capital(direction)}s of ${nameOf(requests.table.name, index)} use ${fullShare * 100} % of the ${units} units per second that there can be`,
      metric: direction === "read" ? "ConsumedReadCapacityUnits" : "ConsumedWriteCapacityUnits",
      dimensions: dimensionsOf(index),
      threshold: Math.floor(units * 60 * fullShare),
      above: false,
      minutes: 10,
    },
  ];
}

function mostUnits(
  { create, scaling }: TableRequests,
  index: string | undefined,
  direction: Direction,
): number | undefined {
  const scaled = scaling.find((one) => one.index === index && one.direction === direction);
  if (scaled !== undefined) return scaled.max;
  const part =
    index === undefined
      ? create
      : create.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index);
  const { ProvisionedThroughput: fixed, OnDemandThroughput: most } = part ?? {};
  return direction === "read"
    ? (fixed?.ReadCapacityUnits ?? most?.MaxReadRequestUnits)
    : (fixed?.WriteCapacityUnits ?? most?.MaxWriteRequestUnits);
}

function systemErrors(table: Table, operations: readonly string[]): Alarm {
  return {
    ...ofTable,
    what: "system errors",
    index: undefined,
    description: `DynamoDB answers requests to ${table.name} with errors of its own`,
    metric: "SystemErrors",
    dimensions: dimensionsOf(undefined),
    operations,
    threshold: 0,
    above: true,
    minutes: 3,
  };
}

function replication(table: Table, region: string): Alarm {
  return {
    ...ofTable,
    what: `replication to ${region}`,
    index: undefined,
    description: `The replica of ${table.name} in ${region} is more than ${replicationMs / 1_000} seconds behind`,
    metric: "ReplicationLatency",
    statistic: "Average",
    dimensions: [...dimensionsOf(undefined), ["ReceivingRegion", { text: region }]],
    threshold: replicationMs,
    above: true,
    minutes: 10,
  };
}

function ofConsumer(table: Table, { name, givesUp }: Consumer): readonly Alarm[] {
  const shared = { index: undefined, consumer: name, statistic: "Maximum", above: true } as const;
  return [
    {
      ...shared,
      what: "iterator age",
      description: `${name} is more than ${iteratorMs / 60_000} minutes behind the changes of ${table.name}`,
      namespace: "AWS/Lambda",
      metric: "IteratorAge",
      dimensions: [["FunctionName", "function"]],
      operations: undefined,
      threshold: iteratorMs,
      minutes: 5,
    },
    ...(givesUp
      ? [
          {
            ...shared,
            what: "failed batches",
            description: `${name} gave up changes of ${table.name}: a queue holds where they are`,
            namespace: "AWS/SQS" as const,
            metric: "ApproximateNumberOfMessagesVisible",
            dimensions: [["QueueName", "queue"]] as const,
            operations: undefined,
            threshold: 0,
            minutes: 1,
          },
        ]
      : []),
  ];
}

function nameOf(table: string, index: string | undefined): string {
  return index === undefined ? table : `the index ${index} of ${table}`;
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
