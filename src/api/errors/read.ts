import { type ServiceError, validationError } from "./service-error.ts";

export const indexNotFound = (index: string): ServiceError =>
  validationError(`The table does not have the specified index: ${index}`);

export const indexNotReady = (index: string): ServiceError =>
  validationError(`Cannot read from backfilling global secondary index: ${index}`);

export const consistentReadOnGlobalIndex = (): ServiceError =>
  validationError("Consistent reads are not supported on global secondary indexes");

export const keyConditionRequired = (): ServiceError =>
  validationError(
    "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.",
  );

export const startKeyInvalid = (reason?: string): ServiceError =>
  validationError(
    reason === undefined
      ? "The provided starting key is invalid"
      : `The provided starting key is invalid: ${reason}`,
  );

/** Complaints of numbers and of repeated members stand alone, others say that the key is meant. */
export const startKeyValueInvalid = (error: ServiceError): ServiceError =>
  /duplicates|number set|numeric value|significant digits|magnitude/.test(error.message)
    ? error
    : startKeyInvalid(error.message);

export const startKeyOutsideRange = (): ServiceError =>
  validationError(
    "The provided starting key is outside query boundaries based on provided conditions",
  );

export const startKeyMissesPredicate = (): ServiceError =>
  validationError("The provided starting key does not match the range key predicate");

export const startKeySegment = (segment: number, total: number): string =>
  `Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: ${total} Segment: ${segment}`;

export const totalSegmentsRequired = (): ServiceError =>
  validationError(
    "The TotalSegments parameter is required but was not present in the request when Segment parameter is present",
  );

export const segmentRequired = (): ServiceError =>
  validationError(
    "The Segment parameter is required but was not present in the request when parameter TotalSegments is present",
  );

/** Since 2026-10 the two numbers are no longer named. */
export const segmentTooLarge = (numbers?: { segment: number; total: number }): ServiceError => {
  const text = "The Segment parameter is zero-based and must be less than parameter TotalSegments";
  if (numbers === undefined) return validationError(text);
  const { segment, total } = numbers;
  return validationError(`${text}: Segment: ${segment} is not less than TotalSegments: ${total}`);
};

export const specificAttributesMissing = (): ServiceError =>
  validationError(
    "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
  );

/** `parameter` is ProjectionExpression or AttributesToGet, `select` what was chosen beside it. */
export const selectWithAttributes = (parameter: string, select: string): ServiceError =>
  validationError(
    select === "COUNT"
      ? `Cannot specify the ${parameter} when choosing to get only the Count`
      : `Cannot specify the ${parameter} when choosing to get ${select}`,
  );

export const projectedAttributesWithoutIndex = (): ServiceError =>
  validationError("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");

export const allAttributesOnGlobalIndex = (index: string): ServiceError =>
  validationError(
    `One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index ${index} because its projection type is not ALL`,
  );

export const globalIndexDoesNotProject = (
  index: string,
  attributes: readonly string[],
): ServiceError =>
  validationError(
    `One or more parameter values were invalid: Global secondary index ${index} does not project [${attributes.join(", ")}]`,
  );

/** Of either kind: no index reads the table to filter. */
export const indexDoesNotProjectFilter = (
  index: string,
  attributes: readonly string[],
): ServiceError =>
  validationError(
    `One or more parameter values were invalid: Secondary index ${index} does not project one or more filter attributes: [${attributes.join(", ")}]`,
  );

export const singleRowNotRestartable = (): ServiceError =>
  validationError("The query can return at most one row and cannot be restarted");
