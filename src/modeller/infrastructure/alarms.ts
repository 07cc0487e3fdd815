import type { Table } from "../../model/design.ts";
import type { TableRequests } from "../requests/table-requests.ts";

/** An alarm on CloudWatch's numbers of a table or one of its global indexes. */
export interface Alarm {
  /** In two or three words, such as `read throttles`. */
  readonly what: string;
  readonly index: string | undefined;
  readonly description: string;
  readonly metric: string;
  /** The number is kept for each operation, and they are added. */
  readonly operations: readonly string[] | undefined;
  /** The sum of a minute that is too much: above it, or at it. */
  readonly threshold: number;
  readonly above: boolean;
  /** So many minutes one after the other. */
  readonly minutes: number;
}

/** An alarm can add up ten numbers; these are the operations that patterns are made of. */
const operations = [
  "GetItem",
  "BatchGetItem",
  "Query",
  "PutItem",
  "UpdateItem",
  "DeleteItem",
  "BatchWriteItem",
  "TransactGetItems",
  "TransactWriteItems",
] as const;

const fullShare = 0.8;

export function alarmsOf(table: Table, requests: TableRequests): readonly Alarm[] {
  const global = requests.create.GlobalSecondaryIndexes ?? [];
  return [
    ...[undefined, ...global.map(({ IndexName }) => IndexName)].flatMap((index) => [
      ...(["read", "write"] as const).map((direction) => throttles(table, index, direction)),
      ...(["read", "write"] as const).flatMap((direction) => full(requests, index, direction)),
    ]),
    {
      what: "system errors",
      index: undefined,
      description: `DynamoDB answers requests to ${table.name} with errors of its own`,
      metric: "SystemErrors",
      operations,
      threshold: 0,
      above: true,
      minutes: 3,
    },
  ];
}

type Direction = "read" | "write";

function throttles(table: Table, index: string | undefined, direction: Direction): Alarm {
  return {
    what: `${direction} throttles`,
    index,
    description: `${capital(direction)}s of ${nameOf(table.name, index)} are throttled`,
    metric: direction === "read" ? "ReadThrottleEvents" : "WriteThrottleEvents",
    operations: undefined,
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
      what: `${direction} capacity`,
      index,
      description: `${capital(direction)}s of ${nameOf(requests.table.name, index)} use ${fullShare * 100} % of the ${units} units per second that there can be`,
      metric: direction === "read" ? "ConsumedReadCapacityUnits" : "ConsumedWriteCapacityUnits",
      operations: undefined,
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

function nameOf(table: string, index: string | undefined): string {
  return index === undefined ? table : `${table}'s index ${index}`;
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
