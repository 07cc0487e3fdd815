import { ServiceError, validationError } from "./service-error.ts";

export const timeToLiveAlreadyEnabled = (): ServiceError =>
  validationError("TimeToLive is already enabled");

export const timeToLiveAlreadyDisabled = (): ServiceError =>
  validationError("TimeToLive is already disabled");

export const timeToLiveOfOtherAttribute = (attribute: string): ServiceError =>
  validationError(
    `TimeToLive is active on a different AttributeName: current AttributeName is ${attribute}`,
  );

export const timeToLiveChangedTooSoon = (): ServiceError =>
  validationError("Time to live has been modified multiple times within a fixed interval");

/** Worded otherwise than what UpdateTable says. */
export const timeToLiveOfNewTable = (table: string): ServiceError =>
  new ServiceError(
    "ResourceInUseException",
    `Attempt to change a resource which is still in use: Table ${table} is being created`,
  );

export const timeToLiveNotDescribed = (state: "CREATING" | "DELETING"): ServiceError =>
  validationError(
    `Cannot describe time to live while table is in ${state} state: ` +
      `Current table state is ${state}`,
  );
