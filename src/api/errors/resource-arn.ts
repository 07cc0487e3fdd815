import { type ServiceError, validationError } from "./service-error.ts";
import { invalid } from "./table.ts";
import { accessDenied } from "./wire.ts";

/** What is said of an ARN that names what tags or a policy shall belong to. */

/** No ARN at all, as tags have it. */
export const arnMissing = (): ServiceError => validationError("Invalid TableArn");

export const arnWithoutPrefix = (arn: string): ServiceError =>
  invalid(`ARNs must start with 'arn:': ${arn}`);

const delimiters = [
  "Second colon partition",
  "Third colon vendor",
  "Fourth colon (region/namespace delimiter)",
  "Fifth colon (namespace/relative-id delimiter)",
];

/** Its parts are too few. The texts are those of another service that reads ARNs as this one does. */
export const arnTooShort = (arn: string, parts: number): ServiceError =>
  invalid(`${delimiters[parts - 2]} not found: ${arn}`);

export const notDynamoDbArn = (arn: string): ServiceError =>
  invalid(`Provided Arn is not a DynamoDB resource arn: ${arn}`);

export const neitherTableNorStream = (arn: string): ServiceError =>
  invalid(
    "Invalid resource arn provided, only table or stream is accepted. " +
      `Provided resource arn: ${arn}`,
  );

/** Of another account or service. */
export const tagsDenied = (): ServiceError => accessDenied("Access is denied");

/** Of another Region or partition. */
export const tagsOfOtherRegion = (arn: string): ServiceError =>
  validationError(`Invalid TableArn: Invalid ResourceArn provided as input ${arn}`);

export const policyOfOtherAccount = (): ServiceError =>
  validationError(
    "This action is only supported by accounts that match the resource owner’s account.",
  );

/** Of another Region or partition. */
export const policyOfOtherRegion = (arn: string): ServiceError =>
  invalid(`Invalid resource Arn: ${arn}`);
