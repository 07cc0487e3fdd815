import { ServiceError, validationError } from "./service-error.ts";
import { limitExceeded } from "./table.ts";

export const noTags = (): ServiceError =>
  validationError("Atleast one Tag needs to be provided as Input.");

export const noTagKeys = (): ServiceError =>
  validationError("Atleast one Tag Key needs to be provided as Input.");

export const tagKeyInvalid = (key: string | undefined): ServiceError =>
  validationError(`The Tag Key provided is invalid, Key: ${key ?? "null"}`);

export const tagValueInvalid = (value: string | undefined): ServiceError =>
  validationError(`The Tag Value provided is invalid, Value: ${value ?? "null"}`);

export const tagKeyReserved = (key: string): ServiceError =>
  validationError(`Tag Key cannot be prefixed with aws:, Key: ${key}`);

export const tagKeyTwice = (key: string): ServiceError =>
  validationError(`Duplicate Tag Keys provided as input: Duplicate Tag Key found ${key}`);

export const tooManyTags = (): ServiceError =>
  validationError("Number of Tags exceed the current limit for the provided ResourceArn");

export const taggedNotFound = (arn: string): ServiceError =>
  new ServiceError(
    "ResourceNotFoundException",
    `Requested resource not found: ResourceArn: ${arn} not found`,
  );

/** A change of tags is still under way. */
export const tagsBeingUpdated = (table: string): ServiceError =>
  limitExceeded(`Table tags are being updated: ${table}`);

/** A guess: the service has never been seen to give a token. */
export const tagsTokenInvalid = (): ServiceError => validationError("Invalid NextToken");
