import { ServiceError, validationError } from "./service-error.ts";

/** Item operations do not name the table. */
export const resourceNotFound = (): ServiceError =>
  new ServiceError("ResourceNotFoundException", "Requested resource not found");

/** Table operations do. */
export const tableNotFound = (name: string): ServiceError =>
  new ServiceError(
    "ResourceNotFoundException",
    `Requested resource not found: Table: ${name} not found`,
  );

/** An index that is to be changed or deleted. */
export const indexNotFound = (index: string, table: string): ServiceError =>
  new ServiceError(
    "ResourceNotFoundException",
    `Requested resource not found: Index ${index} for table ${table}`,
  );

export const notGlobalIndex = (deed: "update" | "delete", index: string): ServiceError =>
  validationError(`Cannot ${deed} an index that is not a GlobalSecondaryIndex: ${index}`);

export const tableExists = (name: string): ServiceError =>
  new ServiceError("ResourceInUseException", `Table already exists: ${name}`);

/** `state`: what is going on, for example `Table is being created`. */
export const stillInUse = (state: string, name: string): ServiceError =>
  new ServiceError(
    "ResourceInUseException",
    `Attempt to change a resource which is still in use: ${state}: ${name}`,
  );

export const tableBeingCreated = (name: string): ServiceError =>
  stillInUse("Table is being created", name);

export const tableBeingUpdated = (name: string): ServiceError =>
  stillInUse("Table is being updated", name);

export const tableBeingDeleted = (name: string): ServiceError =>
  stillInUse("Table is being deleted", name);

export const tableTagsBeingUpdated = (name: string): ServiceError =>
  stillInUse("Table tags are being updated", name);

export const deletionProtected = (): ServiceError =>
  validationError(
    "Resource cannot be deleted as it is currently protected against deletion. Disable deletion " +
      "protection first.",
  );

/** A parameter of the service whose feature this server does not have. */
export const notSupportedYet = (operation: string, parameter: string): ServiceError =>
  validationError(`The parameter ${parameter} of ${operation} is not supported by Keywright yet`);

export const limitExceeded = (text: string): ServiceError =>
  new ServiceError("LimitExceededException", `Subscriber limit exceeded: ${text}`);

export const invalid = (text: string): ServiceError =>
  validationError(`One or more parameter values were invalid: ${text}`);

// Key schemas

export const keyWithoutDefinition = (): ServiceError =>
  validationError("Invalid KeySchema: Some index key attribute have no definition");

export const keysNotDefined = (keys: readonly string[], defined: readonly string[]): ServiceError =>
  invalid(
    "Some index key attributes are not defined in AttributeDefinitions. " +
      `Keys: [${keys.join(", ")}], AttributeDefinitions: [${defined.join(", ")}]`,
  );

export const keysWithSameName = (): ServiceError =>
  validationError(
    "Both the Hash Key and the Range Key element in the KeySchema have the same name",
  );

export const firstKeyNotHash = (): ServiceError =>
  validationError("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");

export const secondKeyNotRange = (): ServiceError =>
  validationError("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");

export const hashKeyAfterRangeKey = (): ServiceError =>
  invalid("All HASH key attributes must precede RANGE key attributes in the KeySchema");

export const tooManyIndexKeys = (type: "HASH" | "RANGE"): ServiceError =>
  invalid(`The KeySchema exceeds the maximum allowed number of ${type} key attributes`);

export const definitionCountMismatch = (): ServiceError =>
  invalid(
    "Number of attributes in KeySchema does not exactly match number of attributes defined in " +
      "AttributeDefinitions",
  );

export const definitionsNotUsed = (
  defined: readonly string[],
  used: readonly string[],
): ServiceError =>
  invalid(
    "Some AttributeDefinitions are not used. " +
      `AttributeDefinitions: [${defined.join(", ")}], keys used: [${used.join(", ")}]`,
  );

export const definedTwice = (name: string): ServiceError =>
  validationError(`Attribute Name is duplicated: ${name}`);

export const keyNameTooLong = (name: string, max: number): ServiceError =>
  invalid(`Key attribute name exceeds the limit of ${max} bytes in its UTF-8 encoding: ${name}`);

// Indexes

type IndexList = "LocalSecondaryIndexes" | "GlobalSecondaryIndexes";

export const emptyIndexList = (list: IndexList): ServiceError =>
  invalid(`List of ${list} is empty`);

export const localIndexNeedsTableRange = (): ServiceError =>
  invalid(
    "Table KeySchema does not have a range key, which is required when specifying a " +
      "LocalSecondaryIndex",
  );

export const localIndexWithoutRange = (index: string): ServiceError =>
  invalid(`Index KeySchema does not have a range key for index: ${index}`);

export const localIndexHashDiffers = (
  index: string,
  indexHash: string,
  tableHash: string,
): ServiceError =>
  invalid(
    "Index KeySchema does not have the same leading hash key as table KeySchema for index: " +
      `${index}. index hash key: ${indexHash}, table hash key: ${tableHash}`,
  );

export const projectionTypeMissing = (): ServiceError => invalid("Unknown ProjectionType: null");

export const nonKeyAttributesGiven = (type: string): ServiceError =>
  invalid(`ProjectionType is ${type}, but NonKeyAttributes is specified`);

export const nonKeyAttributesMissing = (): ServiceError =>
  invalid("ProjectionType is INCLUDE, but NonKeyAttributes is not specified");

export const nonKeyAttributeTwice = (name: string): ServiceError =>
  invalid(`Duplicate element in NonKeyAttributes: ${name}`);

export const tooManyProjected = (max: number): ServiceError =>
  invalid(`Number of projected attributes of all indexes exceeds the per-table limit of ${max}`);

export const duplicateIndexName = (name: string): ServiceError =>
  invalid(`Duplicate index name: ${name}`);

export const tooManyLocalIndexes = (max: number): ServiceError =>
  invalid(`Number of LocalSecondaryIndexes exceeds per-table limit of ${max}`);

export const tooManyGlobalIndexes = (max: number): ServiceError =>
  invalid(`GlobalSecondaryIndex count exceeds the per-table limit of ${max}`);

/** In a table that exists; a new table is refused as invalid. */
export const oneGlobalIndexTooMany = (max: number): ServiceError =>
  limitExceeded(`Number of global secondary indexes exceeds per-table limit of ${max}`);

export const indexExists = (): ServiceError =>
  validationError("Attempting to create an index which already exists");

export const emptyIndexUpdate = (): ServiceError =>
  invalid(
    "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, " +
      "GlobalSecondaryIndexUpdate.Delete must not be null",
  );

export const severalActionsInIndexUpdate = (): ServiceError =>
  invalid(
    "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object",
  );

export const indexUpdatedTwice = (index: string): ServiceError =>
  invalid(
    "Only one global secondary index update per index is allowed simultaneously. " +
      `Index: ${index}`,
  );

export const oneIndexAtATime = (): ServiceError =>
  limitExceeded("Only 1 online index can be created or deleted simultaneously per table");

// Other properties

export const nothingToUpdate = (): ServiceError =>
  validationError(
    "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, " +
      "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, " +
      "ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, " +
      "OnDemandThroughput, WarmThroughput or TableClass is required",
  );

/** The properties of a table that are changed one at a time. */
export const notTheOnlyOperation = (
  what: "Server-Side Encryption" | "TableClass" | "DeletionProtection",
): ServiceError => invalid(`${what} modification must be the only operation in the request`);

export const warmThroughputNotAlone = (): ServiceError =>
  invalid("WarmThroughput must be the only operation in the request");

export const warmThroughputWithNewIndex = (): ServiceError =>
  invalid("Create global secondary index cannot be specified when updating WarmThroughput");

export const onDemandLimitNotAlone = (): ServiceError =>
  invalid("OnDemandThroughput can only be combined with BillingMode in an UpdateTable request");

export const indexAndThroughput = (): ServiceError =>
  invalid("You cannot create or delete index while updating table IOPS");

export const tooManyTableClassChanges = (times: number, days: number): ServiceError =>
  limitExceeded(`Update to TableClass are limited to ${times} times in ${days} day(s).`);

export const encryptedByDefault = (): ServiceError =>
  invalid("Table is already encrypted by default");

export const encryptionTypeNotSupported = (type: string): ServiceError =>
  invalid(`SSEType ${type} is not supported`);

export const encryptionSettingWithoutEncryption = (
  member: "SSEType" | "KMSMasterKeyId",
): ServiceError => invalid(`${member} can not be specified if Enabled is false`);
