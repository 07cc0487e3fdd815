import { boolean, integer, list, oneOf, required, string, struct } from "../shape.ts";
import * as shared from "./shared.ts";

export interface CreateTableRequest {
  readonly AttributeDefinitions: readonly shared.AttributeDefinition[];
  readonly TableName: string;
  readonly KeySchema: readonly shared.KeySchemaElement[];
  readonly LocalSecondaryIndexes?: readonly LocalSecondaryIndex[];
  readonly GlobalSecondaryIndexes?: readonly GlobalSecondaryIndex[];
  readonly BillingMode?: shared.BillingMode;
  readonly ProvisionedThroughput?: shared.ProvisionedThroughput;
  readonly StreamSpecification?: shared.StreamSpecification;
  readonly SSESpecification?: shared.SSESpecification;
  readonly Tags?: readonly shared.Tag[];
  readonly TableClass?: shared.TableClass;
  readonly DeletionProtectionEnabled?: boolean;
  readonly WarmThroughput?: shared.WarmThroughput;
  readonly ResourcePolicy?: string;
  readonly OnDemandThroughput?: shared.OnDemandThroughput;
  readonly GlobalTableSourceArn?: string;
  readonly GlobalTableSettingsReplicationMode?: shared.GlobalTableSettingsReplicationMode;
  readonly VectorIndexes?: readonly VectorIndex[];
}

export interface LocalSecondaryIndex {
  readonly IndexName: string;
  readonly KeySchema: readonly shared.KeySchemaElement[];
  readonly Projection: shared.Projection;
}

export interface GlobalSecondaryIndex extends LocalSecondaryIndex {
  readonly ProvisionedThroughput?: shared.ProvisionedThroughput;
  readonly OnDemandThroughput?: shared.OnDemandThroughput;
  readonly WarmThroughput?: shared.WarmThroughput;
}

export interface VectorIndex {
  readonly IndexName: string;
  readonly VectorAttribute: { readonly AttributeName: string };
  readonly SearchSchema?: readonly SearchSchemaElement[];
  readonly Projection: shared.Projection;
  readonly Dimensions: number;
  readonly DistanceFunction: "COSINE" | "DOT_PRODUCT" | "EUCLIDEAN";
}

export interface SearchSchemaElement {
  readonly AttributeName: string;
  readonly SearchSchemaElementType: "HASH" | "INLINE_FILTER";
}

const attributeName = string({ required: true, min: 1, max: 255 });

/** The members of a vector index, also where UpdateTable adds one. */
export const vectorIndexMembers = {
  IndexName: shared.requiredIndexName,
  VectorAttribute: required(
    struct<VectorIndex["VectorAttribute"]>("VectorAttributeDefinition", {
      AttributeName: attributeName,
    }),
  ),
  SearchSchema: list(
    struct<SearchSchemaElement>("SearchSchemaElement", {
      AttributeName: attributeName,
      SearchSchemaElementType: oneOf(["HASH", "INLINE_FILTER"], { required: true }),
    }),
  ),
  Projection: shared.projection,
  Dimensions: integer({ required: true, min: 1 }),
  DistanceFunction: oneOf(["COSINE", "DOT_PRODUCT", "EUCLIDEAN"], { required: true }),
};

export const vectorIndexShape = struct<VectorIndex>("VectorIndex", vectorIndexMembers);

export const globalIndexShape = struct<GlobalSecondaryIndex>("GlobalSecondaryIndex", {
  IndexName: shared.requiredIndexName,
  KeySchema: shared.globalKeySchema,
  Projection: shared.projection,
  ProvisionedThroughput: shared.provisionedThroughput,
  OnDemandThroughput: shared.onDemandThroughput,
  WarmThroughput: shared.warmThroughput,
});

export const localIndexShape = struct<LocalSecondaryIndex>("LocalSecondaryIndex", {
  IndexName: shared.requiredIndexName,
  KeySchema: shared.keySchema,
  Projection: shared.projection,
});

/** Also of a table that is imported. */
export const globalIndexes = list(globalIndexShape);

export const createTableShape = struct<CreateTableRequest>("CreateTableInput", {
  AttributeDefinitions: list(shared.attributeDefinition, { required: true }),
  TableName: shared.newTableName,
  BillingMode: shared.billingMode,
  ProvisionedThroughput: shared.provisionedThroughput,
  KeySchema: shared.keySchema,
  GlobalSecondaryIndexes: globalIndexes,
  LocalSecondaryIndexes: list(localIndexShape),
  StreamSpecification: shared.streamSpecification,
  SSESpecification: shared.sseSpecification,
  Tags: shared.tags,
  TableClass: shared.tableClass,
  DeletionProtectionEnabled: boolean(),
  WarmThroughput: shared.warmThroughput,
  ResourcePolicy: string(),
  OnDemandThroughput: shared.onDemandThroughput,
  GlobalTableSourceArn: string({ min: 1, max: shared.arnLengthMax }),
  GlobalTableSettingsReplicationMode: shared.globalTableSettingsReplicationMode,
  VectorIndexes: list(vectorIndexShape),
});
