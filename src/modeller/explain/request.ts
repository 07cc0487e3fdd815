import { defaultDialect } from "../../api/dialect.ts";
import { ServiceError } from "../../api/errors/service-error.ts";
import { batchGetItemShape } from "../../api/requests/batch-get-item.ts";
import { batchWriteItemShape } from "../../api/requests/batch-write-item.ts";
import { deleteItemShape } from "../../api/requests/delete-item.ts";
import { getItemShape } from "../../api/requests/get-item.ts";
import { putItemShape } from "../../api/requests/put-item.ts";
import { queryShape } from "../../api/requests/query.ts";
import { scanShape } from "../../api/requests/scan.ts";
import { transactGetItemsShape } from "../../api/requests/transact-get-items.ts";
import { transactWriteItemsShape } from "../../api/requests/transact-write-items.ts";
import { updateItemShape } from "../../api/requests/update-item.ts";
import type { StructShape } from "../../api/shape.ts";
import { checkConstraints } from "../../api/shape-constraints.ts";
import { checkTypes } from "../../api/shape-types.ts";
import { didYouMean } from "../../document/nearest.ts";
import type { Item } from "../../item/attribute-value.ts";
import type { Facts } from "../facts.ts";
import type { PlannedRequest } from "../plans/plan.ts";
import { estimateRun } from "../units/estimate.ts";
import type { Explaining, Explanation } from "./explain.ts";
import { getRequests, Mismatch, queryRequest, scanRequest } from "./read-request.ts";
import { readReasons, writeReasons } from "./reasons.ts";
import {
  batchRequest,
  deleteRequest,
  putRequest,
  transactRequest,
  updateRequest,
} from "./write-request.ts";

/** A request of the API, as it would be sent. */
export interface ApiRequest {
  readonly operation: string;
  readonly input: object;
}

type Planner = (facts: Facts, input: object) => readonly PlannedRequest[];

function planner<T>(
  operation: string,
  shape: StructShape<T>,
  plan: (facts: Facts, request: T) => readonly PlannedRequest[],
): readonly [string, Planner] {
  return [
    operation,
    (facts, input) => {
      const request = checkTypes(shape, structuredClone(input));
      checkConstraints(operation, shape, request, defaultDialect);
      return plan(facts, request);
    },
  ];
}

const planners: ReadonlyMap<string, Planner> = new Map([
  planner("GetItem", getItemShape, (facts, { TableName, Key, ConsistentRead }) =>
    getRequests(facts, "GetItem", [
      { table: TableName, key: Key as Item, consistent: ConsistentRead === true },
    ]),
  ),
  planner("BatchGetItem", batchGetItemShape, (facts, { RequestItems }) =>
    getRequests(
      facts,
      "BatchGetItem",
      Object.entries(RequestItems).flatMap(([table, { Keys, ConsistentRead }]) =>
        Keys.map((key) => ({ table, key: key as Item, consistent: ConsistentRead === true })),
      ),
    ),
  ),
  planner("TransactGetItems", transactGetItemsShape, (facts, { TransactItems }) =>
    getRequests(
      facts,
      "TransactGetItems",
      TransactItems.map(({ Get }) => ({
        table: Get.TableName,
        key: Get.Key as Item,
        consistent: true,
      })),
    ),
  ),
  planner("Query", queryShape, (facts, request) => [queryRequest(facts, request)]),
  planner("Scan", scanShape, (facts, request) => [scanRequest(facts, request)]),
  planner("PutItem", putItemShape, (facts, request) => [putRequest(facts, request)]),
  planner("UpdateItem", updateItemShape, (facts, request) => [updateRequest(facts, request)]),
  planner("DeleteItem", deleteItemShape, (facts, request) => [deleteRequest(facts, request)]),
  planner("BatchWriteItem", batchWriteItemShape, (facts, request) => [
    batchRequest(facts, request),
  ]),
  planner("TransactWriteItems", transactWriteItemsShape, (facts, request) => [
    transactRequest(facts, request),
  ]),
]);

/** A request as a text: `{ "operation": "Query", "input": { … } }`. Answers with a sentence if it is none. */
export function parseApiRequest(text: string): ApiRequest | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `is no JSON: ${(error as Error).message}`;
  }
  const isObject = (one: unknown): one is object =>
    typeof one === "object" && one !== null && !Array.isArray(one);
  const { operation, input } = (isObject(value) ? value : {}) as Record<string, unknown>;
  if (typeof operation !== "string" || !isObject(input)) {
    return 'needs an operation and its input: { "operation": "Query", "input": { … } }';
  }
  if (!planners.has(operation)) {
    const known = [...planners.keys()];
    return `has an operation '${operation}' that cannot be explained${didYouMean(operation, known) || "; "} known: ${known.join(", ")}`;
  }
  return { operation, input };
}

/** What a request would do in the model's tables. A sentence if it has no place there or is refused. */
export function explainRequest(
  explaining: Explaining,
  { operation, input }: ApiRequest,
): Explanation | string {
  const { facts } = explaining.design;
  let requests: readonly PlannedRequest[];
  try {
    requests = planners.get(operation)?.(facts, input) ?? [];
  } catch (error) {
    if (error instanceof Mismatch || error instanceof ServiceError) return error.message;
    throw error;
  }
  const run = estimateRun(facts, requests);
  return {
    id: operation,
    name: "a request",
    problem: undefined,
    stated: false,
    ...explaining.figures(run),
    dollars: explaining.dollars(run, undefined),
    reasons: requests.flatMap((one, i) =>
      one.kind === "read" ? readReasons(one, i) : writeReasons(facts, one),
    ),
    rejected: [],
    alternatives: undefined,
    similar: similarTo(explaining, requests),
    open: [],
  };
}

/** Patterns with a request of the same kind to the same place, for the same items. */
function similarTo({ design }: Explaining, requests: readonly PlannedRequest[]): readonly string[] {
  const looks = (one: PlannedRequest): readonly string[] => {
    if (one.kind === "read") {
      const { operation, table, index, record } = one;
      return [JSON.stringify([operation, table.name, index?.name, record.name])];
    }
    return one.actions.map(({ kind, record }) =>
      JSON.stringify([one.operation, kind, record.table.name, record.name]),
    );
  };
  const wanted = requests.flatMap(looks);
  return [...design.plans.values()].flatMap((plan) => {
    const own = plan.requests.flatMap(looks);
    return wanted.length > 0 && wanted.every((one) => own.includes(one)) ? [plan.pattern.id] : [];
  });
}
