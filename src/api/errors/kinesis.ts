import { type ServiceError, validationError } from "./service-error.ts";

/** Whatever is to be done with the destination, the service speaks of enabling it. */
const notInState = (text: string): ServiceError =>
  validationError(`Table is not in a valid state to enable Kinesis Streaming Destination: ${text}`);

export const destinationNotDisabled = (): ServiceError =>
  notInState(
    "EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE operation.",
  );

export const destinationNotActive = (): ServiceError =>
  notInState("KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.");

export const destinationNotUpdatable = (table: string, stream: string): ServiceError =>
  notInState(
    "Kinesis streaming is not in ACTIVE state. Updates are only allowed in ACTIVE state. " +
      `TableName: ${table}, kdsArn: ${stream}`,
  );

export const destinationNotFound = (table: string, stream: string): ServiceError =>
  notInState(
    `No streaming destination with streamArn: ${stream} found for table with tableName: ${table}`,
  );

export const disabledWithConfiguration = (): ServiceError =>
  validationError("Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters");

export const updatedWithoutConfiguration = (): ServiceError =>
  validationError(
    "Streaming destination cannot be updated with given parameters: " +
      "UpdateKinesisStreamingConfiguration cannot be null or contain only null values",
  );

export const precisionUnchanged = (
  precision: string,
  tableId: string,
  stream: string,
): ServiceError =>
  validationError(
    `Invalid Request: Precision is already set to the desired value of ${precision} ` +
      `for tableId: ${tableId}, kdsArn: ${stream}`,
  );

/** Why a destination could not be enabled, as its description tells. */
export const destinationFailures = {
  otherRegion:
    "The kinesis Arn used to enable kinesis replication belongs to a stream which is not in the current region",
  otherAccount:
    "The kinesis Arn used to enable kinesis replication belongs to a stream which is not in Active state",
  noStream: "User does not have a permission to use kinesis stream",
};
