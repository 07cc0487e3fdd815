import { ServiceError } from "./service-error.ts";

/** An operation of the API that this program knows of but does not carry out. */
export const operationNotSupported = (operation: string): ServiceError =>
  new ServiceError(
    "UnsupportedOperationException",
    `Keywright does not support ${operation} yet; COMPATIBILITY.md lists what it supports.`,
  );
