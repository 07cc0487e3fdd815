import type { NumberProblem } from "../../item/number.ts";
import type { SetType } from "../../item/set.ts";
import { type ServiceError, validationError } from "./service-error.ts";

/**
 * What can be wrong with an attribute value. The service has two layers of checks that word some
 * failures differently; which of them judges a request depends on the operation.
 */
export type ValueLayer = "current" | "older";

const invalid = "One or more parameter values were invalid: ";

export function valueEmpty(): ServiceError {
  return validationError(
    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
  );
}

export function valueOfSeveralTypes(): ServiceError {
  return validationError(
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
  );
}

export function nullNotTrue(): ServiceError {
  return validationError(`${invalid}Null attribute value types must have the value of true`);
}

/** The blanks and the wording are the service's. */
const emptySets: Readonly<Record<SetType, string>> = {
  SS: "An string set  may not be empty",
  NS: "An number set  may not be empty",
  BS: "Binary sets should not be empty",
};

export function setEmpty(type: SetType): ServiceError {
  return validationError(invalid + emptySets[type]);
}

/** `members`: as they are to be shown. */
export function setHasDuplicates(
  type: SetType,
  members: readonly string[],
  layer: ValueLayer,
): ServiceError {
  if (type === "NS") {
    return validationError(
      layer === "older"
        ? "Input collection contains duplicates"
        : `${invalid}Input collection contains duplicates.`,
    );
  }
  const shown = layer === "older" ? members : members.map((member) => `"${member}"`);
  const separator = layer === "current" && type === "BS" ? "," : ", ";
  const kind = type === "BS" ? "of type BS" : "";
  return validationError(
    `${invalid}Input collection [${shown.join(separator)}]${kind} contains duplicates.`,
  );
}

/** `text`: the number as sent. */
export function numberInvalid(
  { problem }: NumberProblem,
  text: string,
  layer: ValueLayer,
): ServiceError {
  switch (problem) {
    case "not-a-number": {
      const message = "The parameter cannot be converted to a numeric value";
      return validationError(layer === "older" && text === "" ? message : `${message}: ${text}`);
    }
    case "too-many-digits":
      return validationError("Attempting to store more than 38 significant digits in a Number");
    case "overflow":
      return validationError(
        "Number overflow. Attempting to store a number with magnitude larger than supported range",
      );
    case "underflow":
      return validationError(
        "Number underflow. Attempting to store a number with magnitude smaller than supported range",
      );
  }
}

export function nestedTooDeep(): ServiceError {
  return validationError(
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit",
  );
}

export function attributeNameEmpty(): ServiceError {
  return validationError("Empty attribute name");
}

export function attributeNameTooLarge(): ServiceError {
  return validationError("Attribute name is too large, must be less than 65536 bytes");
}
