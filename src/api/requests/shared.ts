import type { AttributeValue, Item, KeyType } from "../../item/attribute-value.ts";
import { attributeValue, boolean, list, long, map, oneOf, string, struct } from "../shape.ts";

/** Members that several requests have: their types and shapes. */

export type ReturnConsumedCapacity = "INDEXES" | "TOTAL" | "NONE";
export type ReturnItemCollectionMetrics = "SIZE" | "NONE";
export type ReturnValue = "NONE" | "ALL_OLD" | "UPDATED_OLD" | "ALL_NEW" | "UPDATED_NEW";
export type ReturnValuesOnConditionCheckFailure = "ALL_OLD" | "NONE";
export type ConditionalOperator = "AND" | "OR";
export type Select =
  | "ALL_ATTRIBUTES"
  | "ALL_PROJECTED_ATTRIBUTES"
  | "SPECIFIC_ATTRIBUTES"
  | "COUNT";
export type ComparisonOperator =
  | "EQ"
  | "NE"
  | "IN"
  | "LE"
  | "LT"
  | "GE"
  | "GT"
  | "BETWEEN"
  | "NOT_NULL"
  | "NULL"
  | "CONTAINS"
  | "NOT_CONTAINS"
  | "BEGINS_WITH";

export type ExpressionAttributeNames = Readonly<Record<string, string>>;
export type ExpressionAttributeValues = Readonly<Record<string, AttributeValue>>;

export interface ExpectedAttributeValue {
  readonly Value?: AttributeValue;
  readonly Exists?: boolean;
  readonly ComparisonOperator?: ComparisonOperator;
  readonly AttributeValueList?: readonly AttributeValue[];
}

export interface Condition {
  readonly AttributeValueList?: readonly AttributeValue[];
  readonly ComparisonOperator: ComparisonOperator;
}

export interface AttributeDefinition {
  readonly AttributeName: string;
  readonly AttributeType: KeyType;
}

export interface KeySchemaElement {
  readonly AttributeName: string;
  readonly KeyType: "HASH" | "RANGE";
}

export interface Projection {
  readonly ProjectionType?: "ALL" | "KEYS_ONLY" | "INCLUDE";
  readonly NonKeyAttributes?: readonly string[];
}

export interface ProvisionedThroughput {
  readonly ReadCapacityUnits: number;
  readonly WriteCapacityUnits: number;
}

export interface OnDemandThroughput {
  readonly MaxReadRequestUnits?: number;
  readonly MaxWriteRequestUnits?: number;
}

export interface WarmThroughput {
  readonly ReadUnitsPerSecond?: number;
  readonly WriteUnitsPerSecond?: number;
}

/** What of it is missing is told by the check of tags. */
export interface Tag {
  readonly Key?: string;
  readonly Value?: string;
}

export interface StreamSpecification {
  readonly StreamEnabled: boolean;
  readonly StreamViewType?: "NEW_IMAGE" | "OLD_IMAGE" | "NEW_AND_OLD_IMAGES" | "KEYS_ONLY";
}

export interface SSESpecification {
  readonly Enabled?: boolean;
  readonly SSEType?: "AES256" | "KMS";
  readonly KMSMasterKeyId?: string;
}

export type BillingMode = "PROVISIONED" | "PAY_PER_REQUEST";
export type GlobalTableSettingsReplicationMode = "ENABLED" | "DISABLED" | "ENABLED_WITH_OVERRIDES";
export type TableClass = "STANDARD" | "STANDARD_INFREQUENT_ACCESS";

export type { AttributeValue, Item };

export const namePattern = "[a-zA-Z0-9_.-]+";
export const arnLengthMax = 1_024;

/** A table's name or ARN in a request that reads or writes items: one character will do. */
export const tableName = string({
  required: true,
  pattern: namePattern,
  min: 1,
  max: 255,
  arnMax: arnLengthMax,
});

/** The names that key a batch, where the service asks for three characters. */
export const batchTableName = string({
  pattern: namePattern,
  min: 3,
  max: 255,
  arnMax: arnLengthMax,
});

/** A table's name in a request about the table. */
const managedName = { required: true, pattern: namePattern, min: 3, max: 255 };

export const newTableName = string(managedName);
/** The name or ARN of a table that exists. */
export const managedTableName = string({ ...managedName, arnMax: arnLengthMax });

export const indexName = string({ pattern: namePattern, min: 3, max: 255 });
export const requiredIndexName = string({
  required: true,
  pattern: namePattern,
  min: 3,
  max: 255,
});

export const returnConsumedCapacity = oneOf(["INDEXES", "TOTAL", "NONE"]);
export const returnItemCollectionMetrics = oneOf(["SIZE", "NONE"]);
export const returnValues = oneOf(["ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"]);
export const returnValuesOnConditionCheckFailure = oneOf(["ALL_OLD", "NONE"]);
export const conditionalOperator = oneOf(["OR", "AND"]);
export const select = oneOf([
  "SPECIFIC_ATTRIBUTES",
  "COUNT",
  "ALL_ATTRIBUTES",
  "ALL_PROJECTED_ATTRIBUTES",
]);

const comparisonOperators = [
  "IN",
  "NULL",
  "BETWEEN",
  "LT",
  "NOT_CONTAINS",
  "EQ",
  "GT",
  "NOT_NULL",
  "NE",
  "LE",
  "BEGINS_WITH",
  "GE",
  "CONTAINS",
];

export const expected = map(
  struct<ExpectedAttributeValue>("ExpectedAttributeValue", {
    AttributeValueList: list(attributeValue()),
    ComparisonOperator: oneOf(comparisonOperators),
    Exists: boolean(),
    Value: attributeValue(),
  }),
);

export const conditions = map(
  struct<Condition>("Condition", {
    AttributeValueList: list(attributeValue()),
    ComparisonOperator: oneOf(comparisonOperators, { required: true }),
  }),
);

export const attributes = map(attributeValue());
export const requiredAttributes = map(attributeValue(), { required: true });
export const attributesToGet = list(string(), { min: 1, max: 255 });
export const expressionAttributeNames = map(string());
export const expressionAttributeValues = attributes;
export const expression = string();

export const attributeDefinition = struct<AttributeDefinition>("AttributeDefinition", {
  AttributeName: string({ required: true, min: 1, max: 255 }),
  AttributeType: oneOf(["B", "N", "S"], { required: true }),
});

export const keySchemaElement = struct<KeySchemaElement>("KeySchemaElement", {
  AttributeName: string({ required: true, min: 1, max: 255 }),
  KeyType: oneOf(["HASH", "RANGE"], { required: true }),
});

/** A table or local index has at most one key of each kind. */
export const keySchema = list(keySchemaElement, { required: true, min: 1, max: 2 });
/** A global index has up to four of each kind. */
export const globalKeySchema = list(keySchemaElement, { required: true, min: 1, max: 8 });

export const projection = struct<Projection>(
  "Projection",
  {
    ProjectionType: oneOf(["ALL", "INCLUDE", "KEYS_ONLY"]),
    NonKeyAttributes: list(string({ min: 1, max: 255 }), { min: 1 }),
  },
  { required: true },
);

export const provisionedThroughput = struct<ProvisionedThroughput>(
  "ProvisionedThroughput",
  {
    WriteCapacityUnits: long({ required: true, min: 1 }),
    ReadCapacityUnits: long({ required: true, min: 1 }),
  },
  { echo: ["ReadCapacityUnits", "WriteCapacityUnits"] },
);

export const onDemandThroughput = struct<OnDemandThroughput>("OnDemandThroughput", {
  MaxReadRequestUnits: long(),
  MaxWriteRequestUnits: long(),
});

export const warmThroughput = struct<WarmThroughput>("WarmThroughput", {
  ReadUnitsPerSecond: long(),
  WriteUnitsPerSecond: long(),
});

export const tags = list(struct<Tag>("Tag", { Key: string(), Value: string() }));

export const streamSpecification = struct<StreamSpecification>("StreamSpecification", {
  StreamEnabled: boolean({ required: true }),
  StreamViewType: oneOf(["OLD_IMAGE", "NEW_AND_OLD_IMAGES", "NEW_IMAGE", "KEYS_ONLY"]),
});

export const sseSpecification = struct<SSESpecification>("SSESpecification", {
  Enabled: boolean(),
  SSEType: oneOf(["AES256", "KMS"]),
  KMSMasterKeyId: string(),
});

export const billingMode = oneOf(["PROVISIONED", "PAY_PER_REQUEST"]);
export const tableClass = oneOf(["STANDARD", "STANDARD_INFREQUENT_ACCESS"]);
export const globalTableSettingsReplicationMode = oneOf([
  "ENABLED",
  "DISABLED",
  "ENABLED_WITH_OVERRIDES",
]);
