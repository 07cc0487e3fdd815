import { ServiceError, validationError } from "./service-error.ts";
import { invalid } from "./table.ts";

/** Global tables of version 2017.11.29: the service makes none any more, and says so. */

const notThere = (name: string): string => `Global table with name: '${name}' does not exist.`;

export const globalTableNotFound = (name: string): ServiceError =>
  new ServiceError("GlobalTableNotFoundException", `Global table not found: ${notThere(name)}`);

export const globalTableSettingsNotFound = (name: string): ServiceError =>
  new ServiceError("GlobalTableNotFoundException", notThere(name));

export const legacyGlobalTables = (): ServiceError =>
  invalid(
    "DynamoDB global tables version 2017.11.29 is not supported. We recommend using DynamoDB global " +
      "tables version 2019.11.21, instead of version 2017.11.29 (Legacy).",
  );

export const noReplica = (): ServiceError => invalid("Global table must have atleast one replica");

export const replicaUpdateEmpty = (): ServiceError =>
  validationError("One or more parameter values were invalid");

export const replicaUpdateTwice = (): ServiceError =>
  invalid(
    "A ReplicaUpdate structure cannot contain both a create replica action and a delete replica action",
  );
