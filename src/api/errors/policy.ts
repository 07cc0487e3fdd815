import { resourcePolicyBytesMax, resourcePolicyChangeMs } from "../limits.ts";
import { ServiceError, validationError } from "./service-error.ts";
import { invalid, stillInUse } from "./table.ts";
import { accessDenied } from "./wire.ts";

/** What a policy belongs to, in words: `table things`, or `stream` and its label. */
export interface PolicyHolder {
  readonly kind: "table" | "stream";
  /** Of a stream: its label. */
  readonly name: string;
}

// The document

const badDocument = (text: string): ServiceError => invalid(`Invalid policy document: ${text}`);

export const policyTooLarge = (): ServiceError =>
  invalid(`Maximum policy size of ${resourcePolicyBytesMax} bytes exceeded`);

export const policyNotJson = (): ServiceError => badDocument("This policy contains invalid Json");

export const policyIsNull = (): ServiceError => badDocument("This text appears not to be a policy");

/** Line and column count from 1. Which place is meant is a guess, but for the end of `{}`. */
export const policySyntax = (line: number, column: number): ServiceError =>
  badDocument(`Syntax error at position (${line},${column})`);

/** A guess, after what is said of policies elsewhere. */
export const policyVersionInvalid = (): ServiceError =>
  badDocument("The policy must contain a valid version string");

export const policyWithoutStatement = (): ServiceError =>
  badDocument("Could not parse the policy: Statement is empty!");

export const policyFieldMissing = (
  field: "Effect" | "Principal" | "Action" | "Resource",
): ServiceError => badDocument(`Missing required field ${field}`);

export const statementIdTwice = (): ServiceError =>
  badDocument("The Statement Ids in the policy are not unique");

export const actionsInvalid = (actions: readonly string[]): ServiceError =>
  badDocument(
    `The following action names are invalid: ${actions.map((action) => `"${action}"`).join(", ")}`,
  );

/** A guess, after what is said of policies elsewhere. */
export const resourceNotArn = (resource: string): ServiceError =>
  badDocument(`Resource ${resource} must be in ARN format or "*".`);

export const resourceInvalid = (relativeId: string, arn: string): ServiceError =>
  badDocument(`The relative-id "${relativeId}" is invalid for ARN "${arn}"`);

export const principalInvalid = (): ServiceError =>
  invalid("Invalid principal in policy document.");

export const unboundedAccess = (): ServiceError =>
  validationError(
    "Resource-based policy grants unbounded access in one or more elements. " +
      "Please revise the policy to ensure least-privilege form of access",
  );

export const lockedOut = (): ServiceError =>
  accessDenied(
    "The new resource policy will not allow you to update the resource policy in the future.",
  );

// Keeping it

const notFound = (text: string): ServiceError =>
  new ServiceError(
    "PolicyNotFoundException",
    `Resource-based policy not found for the provided ResourceArn: ${text}`,
  );

export const policyNotFound = (arn: string): ServiceError => notFound(arn);

export const revisionDiffers = (
  wanted: string,
  { kind, name }: PolicyHolder,
  revision: number,
): ServiceError =>
  notFound(
    `Requested update for policy with revision id ${wanted}, but the policy associated to ` +
      `target ${kind} ${name} has revision id ${revision}.`,
  );

export const noRevision = (wanted: string, { kind, name }: PolicyHolder): ServiceError =>
  notFound(
    `Requested update for policy with revision id ${wanted}, but ${kind} ${name} has no ` +
      "associated policy.",
  );

export const policyExists = ({ kind, name }: PolicyHolder, revision: number): ServiceError =>
  notFound(
    `Requested policy update expecting none to be present for ${kind} ${name}, but a policy ` +
      `exists with revision id ${revision}.`,
  );

export const policyChanging = ({ kind, name }: PolicyHolder): ServiceError =>
  stillInUse(
    `${kind === "table" ? "Table" : "Stream"} is pending previous resource-based policy update`,
    name,
  );

export const policyChangedTooSoon = (
  { kind, name }: PolicyHolder,
  revision: number,
): ServiceError =>
  new ServiceError(
    "ThrottlingException",
    `Resource-based policy for ${kind} ${name} modified within the previous ` +
      `${resourcePolicyChangeMs} milliseconds. Please try again after ` +
      `${new Date(revision + resourcePolicyChangeMs).toISOString()}.`,
  );

export const tableWithChangingPolicy = (table: string): ServiceError =>
  new ServiceError(
    "ResourceInUseException",
    "Attempt to change a resource which is still in use: " +
      `Table: ${table} has a pending resource-based policy update.`,
  );

export const policyStreamNotFound = (label: string, table: string): ServiceError =>
  new ServiceError(
    "ResourceNotFoundException",
    `Requested resource not found: Stream: ${label} not found for Table: ${table}`,
  );
