import { ServiceError } from "./service-error.ts";

/** Item operations do not name the table. */
export const resourceNotFound = (): ServiceError =>
  new ServiceError("ResourceNotFoundException", "Requested resource not found");

/** Table operations do. */
export const tableNotFound = (name: string): ServiceError =>
  new ServiceError(
    "ResourceNotFoundException",
    `Requested resource not found: Table: ${name} not found`,
  );
