import type { Item } from "../../item/attribute-value.ts";
import { ServiceError, validationError } from "./service-error.ts";

export const conditionalCheckFailed = (item?: Item): ServiceError =>
  new ServiceError(
    "ConditionalCheckFailedException",
    "The conditional request failed",
    item === undefined ? {} : { fields: { Item: item } },
  );

export const itemTooLarge = (): ServiceError =>
  validationError("Item size has exceeded the maximum allowed size");

export const updatedItemTooLarge = (): ServiceError =>
  validationError("Item size to update has exceeded the maximum allowed size");

export const itemCollectionTooLarge = (): ServiceError =>
  new ServiceError(
    "ItemCollectionSizeLimitExceededException",
    "Item collection size limit exceeded.",
  );

export const keySchemaMismatch = (): ServiceError =>
  validationError("The provided key element does not match the schema");

export const keyMissing = (name: string): ServiceError =>
  validationError(`One or more parameter values were invalid: Missing the key ${name} in the item`);

export const keyTypeMismatch = (name: string, expected: string, actual: string): ServiceError =>
  validationError(
    `One or more parameter values were invalid: Type mismatch for key ${name} expected: ${expected} actual: ${actual}`,
  );

export const emptyKey = (name: string, type: "S" | "B"): ServiceError =>
  validationError(
    `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${type === "S" ? "string" : "binary"} value. Key: ${name}`,
  );

export const hashKeyTooLarge = (): ServiceError =>
  validationError(
    "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes",
  );

export const rangeKeyTooLarge = (): ServiceError =>
  validationError(
    "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes",
  );

export const indexKeyTypeMismatch = (
  name: string,
  expected: string,
  actual: string,
  index: string,
): ServiceError =>
  validationError(
    `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: ${expected} Actual: ${actual} IndexName: ${index}`,
  );

export const updatedIndexKeyTypeUnsupported = (): ServiceError =>
  validationError(
    "The update expression attempted to update the secondary index key to unsupported type",
  );

export const emptyIndexKey = (name: string, type: "S" | "B", index: string): ServiceError =>
  validationError(
    `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty ${type === "S" ? "string" : "binary"} value. IndexName: ${index}, IndexKey: ${name}`,
  );

export const updatedIndexKeyTooLarge = (): ServiceError =>
  validationError(
    "The update expression attempted to update the secondary index key beyond allowed size limits",
  );

/** Of an update: it names neither the index nor the attribute. */
export const emptyUpdatedIndexKey = (type: "S" | "B"): ServiceError =>
  validationError(
    `One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty ${type === "S" ? "string" : "binary"} value.`,
  );

export const cannotUpdateKey = (name: string): ServiceError =>
  validationError(
    `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
  );

export const returnValuesOldOnly = (): ServiceError =>
  validationError("ReturnValues can only be ALL_OLD or NONE");
