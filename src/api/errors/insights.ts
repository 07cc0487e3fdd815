import { ServiceError, validationError } from "./service-error.ts";

export const insightsIndexNotFound = (index: string, table: string): ServiceError =>
  new ServiceError(
    "ResourceNotFoundException",
    `Requested resource not found: Index: ${index} not found for table: ${table}`,
  );

const notActive = (what: "TableStatus" | "IndexStatus"): ServiceError =>
  validationError(
    "Table or Index is not in a valid state to update Key Access Insights: " +
      `${what} must be ACTIVE to enable ContributorInsights.`,
  );

export const insightsOfInactiveTable = (): ServiceError => notActive("TableStatus");
export const insightsOfInactiveIndex = (): ServiceError => notActive("IndexStatus");

/** A guess: nobody has told what the service says. */
export const insightsTokenInvalid = (): ServiceError => validationError("Invalid NextToken");
