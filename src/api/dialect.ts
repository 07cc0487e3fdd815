import {
  failureOfMember,
  failureOfNothing,
  failureOfValue,
  mustBeOneOf,
  parameterRequired,
  requestItemsRequired,
  tableNameLength,
} from "./errors/request.ts";

/**
 * In 2026 the service moved, operation by operation, to a new layer of request validation. The older
 * wording shows values and gathers all failures; the newer names the member only and stops early.
 * What moved is data here: per dialect and operation, in which steps failures are reported and how
 * each is worded.
 */
export type Dialect = "2026-05" | "2026-10";

export const defaultDialect: Dialect = "2026-10";

export type Constraint =
  | "required"
  | "min"
  | "max"
  | "pattern"
  | "enum"
  | "keys"
  | "valuesMin"
  | "valuesMax";

export interface Failure {
  /** The members' names without indices and map keys, then the constraint: `Expected.Exists enum`. */
  readonly rule: string;
  /** With indices and map keys: `RequestItems.orders.member.Keys`. */
  readonly memberPath: string;
  /** As the older wording writes it: `requestItems.orders.member.keys`. */
  readonly valuePath: string;
  /** The value as the older wording shows it, made on demand; undefined: missing. */
  readonly echo: () => string | undefined;
  /** What the member must be, in the older wording. */
  readonly constraint: string;
  /** The same in the newer wording, where it differs. */
  readonly memberConstraint: string;
}

export interface Wording {
  readonly text: (failure: Failure) => string;
  /** Answered without "1 validation error detected: ". */
  readonly bare?: true;
}

export const withValue: Wording = {
  text: (failure) => failureOfValue(failure.echo(), failure.valuePath, failure.constraint),
};

const withMember: Wording = {
  text: (failure) => failureOfMember(failure.memberPath, failure.memberConstraint),
};

/** The newer layer's own sets, misspelt as the service has them. */
const newerReturnValues: Wording = {
  text: () =>
    failureOfNothing(mustBeOneOf(["ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATE_NEW", "NONE"])),
};

const newerConditionalOperator: Wording = {
  text: () => failureOfNothing(mustBeOneOf(["ALL", "OR"])),
};

function bareText(text: string): Wording {
  return { text: () => text, bare: true };
}

/** The first step with failures reports all of them together. */
export type Step = Readonly<Record<string, Wording>>;

export interface Rules {
  /** What comes before everything else; all failures not named in a step are the last step. */
  readonly steps: readonly Step[];
  /**
   * Set for operations on the newer layer: a request that it cannot take (one of these rules fails,
   * a member is missing, or a value is nested too deeply) is judged by the older layer.
   */
  readonly older?: readonly string[];
  /** The older wording shows values as JSON instead of the service's own form. */
  readonly jsonEcho?: true;
}

const gathered: Rules = { steps: [] };

const newTable: Rules = {
  steps: [{ "TableName required": bareText(parameterRequired("TableName")) }],
};

const existingTable: Rules = {
  steps: [
    { "TableName required": bareText(parameterRequired("TableName")) },
    { "TableName min": bareText(tableNameLength), "TableName max": bareText(tableNameLength) },
  ],
};

const globalTable: Rules = {
  steps: [
    {
      "GlobalTableName min": bareText(tableNameLength),
      "GlobalTableName max": bareText(tableNameLength),
    },
  ],
};

const tableRules: Readonly<Record<string, Rules>> = {
  CreateTable: newTable,
  DescribeTable: existingTable,
  UpdateTable: existingTable,
  DeleteTable: existingTable,
  CreateGlobalTable: globalTable,
  DescribeGlobalTable: globalTable,
  DescribeGlobalTableSettings: globalTable,
  UpdateGlobalTable: globalTable,
  UpdateGlobalTableSettings: globalTable,
};

const batchGetKeys = {
  "RequestItems.Keys min": withMember,
  "RequestItems.Keys max": withMember,
};

const badTableName = ["TableName max", "TableName pattern"];
const shortTableName: Step = { "TableName min": withMember };

const returnOptions: Step = {
  "ReturnConsumedCapacity enum": withValue,
  "ReturnItemCollectionMetrics enum": withValue,
};

const writeOfItem: Rules = {
  steps: [
    shortTableName,
    { ...returnOptions, "ReturnValues enum": newerReturnValues },
    { "ConditionalOperator enum": newerConditionalOperator },
  ],
  older: badTableName,
};

const transactItems: Step = {
  "TransactItems min": withMember,
  "TransactItems max": withMember,
};

const rules: Readonly<Record<Dialect, Readonly<Record<string, Rules>>>> = {
  "2026-05": {
    ...tableRules,
    Query: { steps: [{ "Limit min": withMember }] },
    BatchGetItem: {
      steps: [{ "RequestItems min": bareText(requestItemsRequired("BatchGetItem")) }, batchGetKeys],
      jsonEcho: true,
    },
    BatchWriteItem: {
      steps: [{ "RequestItems min": bareText(requestItemsRequired("BatchWriteItem")) }],
    },
  },
  "2026-10": {
    ...tableRules,
    PutItem: writeOfItem,
    DeleteItem: writeOfItem,
    UpdateItem: {
      steps: [
        shortTableName,
        { "ReturnValues enum": newerReturnValues },
        returnOptions,
        { "ConditionalOperator enum": newerConditionalOperator },
      ],
      older: badTableName,
    },
    GetItem: {
      steps: [
        shortTableName,
        { "AttributesToGet min": withMember, "AttributesToGet max": withMember },
      ],
      older: badTableName,
    },
    Query: {
      steps: [
        shortTableName,
        { "ConditionalOperator enum": { ...newerConditionalOperator, bare: true } },
        { "Limit min": withMember },
      ],
      older: badTableName,
    },
    Scan: {
      steps: [
        {
          "Limit min": withMember,
          "Segment min": withMember,
          "Segment max": withMember,
          "TotalSegments min": withMember,
          "TotalSegments max": withMember,
        },
      ],
      older: badTableName,
    },
    BatchGetItem: {
      steps: [{ "RequestItems min": withMember }, batchGetKeys],
      older: [],
      jsonEcho: true,
    },
    BatchWriteItem: {
      steps: [
        returnOptions,
        { "RequestItems min": withMember, "RequestItems valuesMax": withMember },
      ],
      older: [],
    },
    TransactGetItems: { steps: [transactItems], older: [] },
    TransactWriteItems: {
      steps: [
        { "ClientRequestToken min": withMember, "ClientRequestToken max": withMember },
        transactItems,
      ],
      older: [],
    },
  },
};

export function rulesOf(operation: string, dialect: Dialect): Rules {
  const byOperation = rules[dialect];
  return Object.hasOwn(byOperation, operation) ? (byOperation[operation] ?? gathered) : gathered;
}
