import { type ServiceError, validationError } from "./service-error.ts";

/** The texts of failed constraints: what a member must be, and how failures are put together. */

export const mustNotBeNull = "Member must not be null";

export function mustHaveLengthMin(min: number): string {
  return `Member must have length greater than or equal to ${min}`;
}

export function mustHaveLengthMax(max: number): string {
  return `Member must have length less than or equal to ${max}`;
}

export function mustHaveValueMin(min: number): string {
  return `Member must have value greater than or equal to ${min}`;
}

export function mustHaveValueMax(max: number): string {
  return `Member must have value less than or equal to ${max}`;
}

export function mustMatch(pattern: string): string {
  return `Member must satisfy regular expression pattern: ${pattern}`;
}

export function mustBeOneOf(values: readonly string[]): string {
  return `Member must satisfy enum value set: [${values.join(", ")}]`;
}

export function mapKeysMust(constraints: readonly string[]): string {
  return `Map keys must satisfy constraint: [${constraints.join(", ")}]`;
}

export function mapValuesMust(constraints: readonly string[]): string {
  return `Map value must satisfy constraint: [${constraints.join(", ")}]`;
}

/** A failure that shows the value; `undefined` is a missing one. */
export function failureOfValue(
  value: string | undefined,
  path: string,
  constraint: string,
): string {
  const shown = value === undefined ? "null" : `'${value}'`;
  return `Value ${shown} at '${path}' failed to satisfy constraint: ${constraint}`;
}

/** A failure that names the member only. */
export function failureOfMember(path: string, constraint: string): string {
  return `Value at '${path}' failed to satisfy constraint: ${constraint}`;
}

/** A failure that names neither value nor member. */
export function failureOfNothing(constraint: string): string {
  return `Failed to satisfy constraint: ${constraint}`;
}

export function constraintsFailed(failures: readonly string[]): ServiceError {
  const plural = failures.length === 1 ? "" : "s";
  return validationError(
    `${failures.length} validation error${plural} detected: ${failures.join("; ")}`,
  );
}

/** A failure answered without the counting prefix. */
export function constraintFailedBare(text: string): ServiceError {
  return validationError(text);
}

export function parameterRequired(name: string): string {
  return `The parameter '${name}' is required but was not present in the request`;
}

export const tableNameLength =
  "TableName must be at least 3 characters long and at most 255 characters long";

export function requestItemsRequired(operation: string): string {
  return `The requestItems parameter is required for ${operation}`;
}

const setNames = { SS: "An string set ", NS: "An number set ", BS: "Binary sets" };

export function nullInSet(type: "SS" | "NS" | "BS"): ServiceError {
  return validationError(
    `One or more parameter values were invalid: ${setNames[type]} may not have a null member`,
  );
}
