import { type ServiceError, validationError } from "./service-error.ts";

/** What the result of an update may not be. */

export function updateNumberOverflow(): ServiceError {
  return validationError(
    "Number overflow. Attempting to store a number with magnitude larger than supported range",
  );
}

export function updateNumberUnderflow(): ServiceError {
  return validationError(
    "Number underflow. Attempting to store a number with magnitude smaller than supported range",
  );
}

export function updateTooDeep(): ServiceError {
  return validationError(
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit",
  );
}
