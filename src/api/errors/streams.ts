import { ServiceError, validationError } from "./service-error.ts";
import { invalid } from "./table.ts";

/**
 * Texts that nobody has recorded from the service are called a guess; its type is that of the service
 * in every case.
 */

// Switching a stream on and off

export const enabledStreamWithoutView = (): ServiceError =>
  invalid("Table is being created with a stream enabled, UpdateViewType is required");

export const disabledStreamWithView = (): ServiceError =>
  invalid("Table is being created with a stream disabled, UpdateViewType should not be specified");

export const viewOfEnabledStreamMissing = (): ServiceError =>
  invalid("If stream is being enabled then UpdateViewType is required");

export const viewOfDisabledStream = (): ServiceError =>
  invalid("If stream is being disabled, then UpdateViewType must not be specified");

export const streamAlreadyEnabled = (table: string): ServiceError =>
  validationError(`Table already has an enabled stream: TableName: ${table}`);

export const noStreamToDisable = (table: string): ServiceError =>
  validationError(`Table has no stream to disable: TableName: ${table}`);

export const streamAndThroughput = (): ServiceError =>
  invalid("You cannot modify stream status while updating table IOPS");

export const streamAndIndex = (): ServiceError =>
  invalid("You cannot create or delete index while changing stream status");

// Reading a stream

export const invalidStreamArn = (): ServiceError => validationError("Invalid StreamArn");

export const streamNotFound = (arn: string): ServiceError =>
  new ServiceError(
    "ResourceNotFoundException",
    `Requested resource not found: Stream: ${arn} not found`,
  );

export const shardNotFound = (): ServiceError =>
  new ServiceError(
    "ResourceNotFoundException",
    "Requested resource not found: Shard does not exist",
  );

/** A guess. */
export const shardFilterIncomplete = (member: "Type" | "ShardId"): ServiceError =>
  invalid(`ShardFilter requires ${member}`);

/** A guess. */
export const sequenceNumberMissing = (type: string): ServiceError =>
  invalid(`SequenceNumber must be specified when ShardIteratorType is ${type}`);

/** A guess. */
export const sequenceNumberGiven = (type: string): ServiceError =>
  invalid(`SequenceNumber must not be specified when ShardIteratorType is ${type}`);

/** No number, or one that the shard has not given out. A guess. */
export const invalidSequenceNumber = (): ServiceError => validationError("Invalid SequenceNumber");

/** A guess, after the text for a stream's ARN. */
export const invalidShardIterator = (): ServiceError => validationError("Invalid ShardIterator");

/** As the service's own documentation words it. */
export const iteratorExpired = (): ServiceError =>
  new ServiceError(
    "ExpiredIteratorException",
    "The provided iterator exceeds the maximum age allowed.",
  );

export const dataTrimmed = (): ServiceError =>
  new ServiceError(
    "TrimmedDataAccessException",
    "The data you are trying to access has been trimmed",
  );
