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
export const indexNotFound = (): ServiceError =>
  new ServiceError("ResourceNotFoundException", "Requested resource not found");

export const tableExists = (name: string): ServiceError =>
  new ServiceError("ResourceInUseException", `Table already exists: ${name}`);

/** `state`: what is going on, for example `Table is being created`. */
const stillInUse = (state: string, name: string): ServiceError =>
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

export const deletionProtected = (): ServiceError =>
  validationError(
    "Resource cannot be deleted as it is currently protected against deletion. Disable deletion " +
      "protection first.",
  );

/** A parameter of the service whose feature this server does not have. */
export const notSupportedYet = (operation: string, parameter: string): ServiceError =>
  validationError(`Keywright does not support the parameter ${parameter} of ${operation} yet`);

const limitExceeded = (text: string): ServiceError =>
  new ServiceError("LimitExceededException", `Subscriber limit exceeded: ${text}`);

const invalid = (text: string): ServiceError =>
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
  validationError(
    "Invalid KeySchema: All HASH key type elements must come before all RANGE key type elements",
  );

export const tooManyIndexKeys = (type: "HASH" | "RANGE", max: number): ServiceError =>
  validationError(
    `Invalid KeySchema: Number of ${type} key type elements exceeds the limit of ${max}`,
  );

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
  invalid(`Duplicate attribute name in AttributeDefinitions: ${name}`);

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
  invalid(`Duplicate attribute name in NonKeyAttributes: ${name}`);

export const tooManyProjected = (max: number): ServiceError =>
  invalid(`Number of projected attributes of all indexes exceeds the per-table limit of ${max}`);

export const duplicateIndexName = (name: string): ServiceError =>
  invalid(`Duplicate index name: ${name}`);

export const tooManyLocalIndexes = (max: number): ServiceError =>
  invalid(`Number of LocalSecondaryIndexes exceeds per-table limit of ${max}`);

export const tooManyGlobalIndexes = (max: number): ServiceError =>
  invalid(`GlobalSecondaryIndex count exceeds the per-table limit of ${max}`);

export const indexExists = (): ServiceError =>
  validationError("Attempting to create an index which already exists");

export const emptyIndexUpdate = (): ServiceError =>
  invalid(
    "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, " +
      "GlobalSecondaryIndexUpdate.Delete must not be null",
  );

export const severalActionsInIndexUpdate = (): ServiceError =>
  invalid(
    "Only one of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, " +
      "GlobalSecondaryIndexUpdate.Delete can be specified",
  );

export const indexUpdatedTwice = (index: string): ServiceError =>
  invalid(
    "Only one global secondary index update per index is allowed simultaneously. " +
      `Index: ${index}`,
  );

export const oneIndexAtATime = (): ServiceError =>
  limitExceeded("Only 1 online index can be created or deleted simultaneously per table");

// Throughput

export const throughputWithOnDemand = (): ServiceError =>
  invalid(
    "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is " +
      "PAY_PER_REQUEST",
  );

export const throughputMissing = (): ServiceError =>
  invalid(
    "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is " +
      "PROVISIONED",
  );

export const indexThroughputWithOnDemand = (index: string): ServiceError =>
  invalid(
    `ProvisionedThroughput should not be specified for index: ${index} when BillingMode is ` +
      "PAY_PER_REQUEST",
  );

export const indexThroughputMissing = (indexes: readonly string[]): ServiceError =>
  invalid(`ProvisionedThroughput must be specified for index: ${indexes.join(",")}`);

type CapacityMember = "ReadCapacityUnits" | "WriteCapacityUnits";

export const capacityOutOfBounds = (
  member: CapacityMember,
  value: number,
  index?: string,
): ServiceError =>
  validationError(
    `Given value ${value} for ${member} is out of bounds${
      index === undefined ? "" : ` for index ${index}`
    }`,
  );

/** `index` absent: the table itself. */
const subject = (index: string | undefined): string =>
  index === undefined ? "table" : `index ${index}`;

type OnDemandMember = "MaxReadRequestUnits" | "MaxWriteRequestUnits";

export const onDemandLimitOfProvisionedNewTable = (member: OnDemandMember): ServiceError =>
  invalid(
    `${member} for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.`,
  );

export const onDemandLimitOfProvisionedTable = (member: OnDemandMember): ServiceError =>
  invalid(
    `${member} for OnDemandThroughput cannot be specified when the table BillingMode is ` +
      "PROVISIONED",
  );

export const onDemandLimitOutOfRange = (member: OnDemandMember, index?: string): ServiceError =>
  invalid(
    `Requested ${member} for OnDemandThroughput for ${subject(index)} is outside of valid range`,
  );

type WarmMember = "ReadUnitsPerSecond" | "WriteUnitsPerSecond";

export const warmThroughputLowered = (member: WarmMember, index?: string): ServiceError =>
  invalid(
    `Requested ${member} for WarmThroughput for ${subject(index)} is lower than current ` +
      "WarmThroughput, decreasing WarmThroughput is not supported",
  );

export const throughputMissingForMode = (): ServiceError =>
  invalid("ProvisionedThroughput must be specified when BillingMode is PROVISIONED");

interface Units {
  readonly read: number;
  readonly write: number;
}

export const throughputUnchanged = (current: Units, index?: string): ServiceError => {
  const what = index === undefined ? "table" : "index";
  const named = index === undefined ? "table" : `index ${index}`;
  return validationError(
    `The provisioned throughput for the ${named} will not change. The requested value equals the ` +
      `current value. Current ReadCapacityUnits provisioned for the ${what}: ${current.read}. ` +
      `Requested ReadCapacityUnits: ${current.read}. ` +
      `Current WriteCapacityUnits provisioned for the ${what}: ${current.write}. ` +
      `Requested WriteCapacityUnits: ${current.write}. ` +
      "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher " +
      "limits.",
  );
};

export const indexUpdateBlocked = (): ServiceError =>
  validationError(
    "This operation cannot be performed with given input values. Please contact DynamoDB service " +
      "team for more info: Action Blocked: IndexUpdate",
  );

/** For example `Thursday, January 15, 2026 12:00:00 PM UTC`. */
function spelledTime(at: number): string {
  // Made when it is needed, which is almost never: loading its data takes 25 ms, a fifth of a start.
  const moment = new Intl.DateTimeFormat("en-US", {
    dateStyle: "full",
    timeStyle: "medium",
    timeZone: "UTC",
  });
  const parts = new Map(moment.formatToParts(at).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? "";
  return (
    `${part("weekday")}, ${part("month")} ${part("day")}, ${part("year")} ` +
    `${part("hour")}:${part("minute")}:${part("second")} ${part("dayPeriod")} UTC`
  );
}

export const tooManyDecreases = (
  today: number,
  free: number,
  lastAt: number,
  nextAt: number,
): ServiceError =>
  limitExceeded(
    "Provisioned throughput decreases are limited within a given UTC day. " +
      `After the first ${free} decreases, each subsequent decrease in the same UTC day can be ` +
      `performed at most once every ${(nextAt - lastAt) / 1_000} seconds. ` +
      `Number of decreases today: ${today}. Last decrease at ${spelledTime(lastAt)}. ` +
      `Next decrease can be made at ${spelledTime(nextAt)}`,
  );

// Other properties

export const nothingToUpdate = (): ServiceError =>
  validationError(
    "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, " +
      "GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required",
  );

export const viewOfDisabledStream = (): ServiceError =>
  invalid("StreamViewType should not be specified when StreamEnabled is false");

export const tooManyTableClassChanges = (times: number, days: number): ServiceError =>
  limitExceeded(`Update to TableClass are limited to ${times} times in ${days} day(s).`);

export const disabledStreamWithView = (): ServiceError =>
  invalid("Table is being created with a stream disabled, UpdateViewType should not be specified");

export const encryptionTypeNotSupported = (type: string): ServiceError =>
  invalid(`SSEType ${type} is not supported`);

export const encryptionKeyWithoutEncryption = (): ServiceError =>
  invalid(
    "SSEType and KMSMasterKeyId can only be specified when server-side encryption is enabled",
  );
