import { type ServiceError, validationError } from "./service-error.ts";

/**
 * Mistakes in the parameters that expressions have replaced: Expected, QueryFilter, ScanFilter,
 * ConditionalOperator, KeyConditions, AttributesToGet and AttributeUpdates.
 */

function invalid(detail: string): ServiceError {
  return validationError(`One or more parameter values were invalid: ${detail}`);
}

export function valueAndValueList(attribute: string): ServiceError {
  return invalid(
    `Value and AttributeValueList cannot be used together for Attribute: ${attribute}`,
  );
}

export function existsAndComparison(attribute: string): ServiceError {
  return invalid(
    `Exists and ComparisonOperator cannot be used together for Attribute: ${attribute}`,
  );
}

export function comparisonWithoutValue(operator: string, attribute: string): ServiceError {
  return invalid(
    `Value or AttributeValueList must be used with ComparisonOperator: ${operator} for Attribute: ${attribute}`,
  );
}

export function valueListWithoutComparison(attribute: string): ServiceError {
  return invalid(
    `AttributeValueList can only be used with a ComparisonOperator for Attribute: ${attribute}`,
  );
}

/** `exists` as sent; undefined if it was not. */
export function existsWithoutValue(exists: true | undefined, attribute: string): ServiceError {
  return invalid(
    `Value must be provided when Exists is ${exists ?? "null"} for Attribute: ${attribute}`,
  );
}

export function valueDespiteNotExists(attribute: string): ServiceError {
  return invalid(`Value cannot be used when Exists is false for Attribute: ${attribute}`);
}

export function comparisonArgumentCount(operator: string): ServiceError {
  return invalid(`Invalid number of argument(s) for the ${operator} ComparisonOperator`);
}

export function comparisonArgumentTypesDiffer(): ServiceError {
  return invalid("AttributeValues inside AttributeValueList must be of same type");
}

export function comparisonArgumentType(operator: string, type: string): ServiceError {
  return invalid(`ComparisonOperator ${operator} is not valid for ${type} AttributeValue type`);
}

export function comparisonBoundsReversed(): ServiceError {
  return validationError(
    "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound",
  );
}

export function conditionalOperatorAlone(): ServiceError {
  return validationError("ConditionalOperator cannot be used without Filter or Expected");
}

export function conditionalOperatorForOne(): ServiceError {
  return validationError(
    "ConditionalOperator can only be used when Filter or Expected has two or more elements",
  );
}

export function keyConditionsCount(): ServiceError {
  return validationError("Conditions can be of length 1 or 2 only");
}

export function keyConditionNotIndexable(): ServiceError {
  return validationError("Attempted conditional constraint is not an indexable operation");
}

export function attributesToGetDuplicate(name: string): ServiceError {
  return invalid(`Duplicate value in attribute name: ${name}`);
}

export function updateWithoutValue(): ServiceError {
  return invalid("Only DELETE action is allowed when no attribute value is specified");
}

export function updateDeleteType(type: string): ServiceError {
  return invalid(`DELETE action with value is not supported for the type ${type}`);
}

export function updateAddType(type: string): ServiceError {
  return invalid(`ADD action is not supported for the type ${type}`);
}

/** An ADD or DELETE that meets an attribute of another type. */
export function updateTypeMismatch(): ServiceError {
  return validationError("Type mismatch for attribute to update");
}
