import { ServiceError, validationError } from "./service-error.ts";
import { invalid } from "./table.ts";
import { accessDenied } from "./wire.ts";

/** Exports and imports. The texts were seen on the service, unless it is said that they were guessed. */

const invalidRequest = (text: string): ServiceError => validationError(`Invalid Request: ${text}`);

/** Of this program alone. */
export const noS3Folder = (operation: string): ServiceError =>
  new ServiceError(
    "UnsupportedOperationException",
    `${operation} needs a folder that stands for Amazon S3: start Keywright with --s3-folder DIR. ` +
      "Its sub-folders are the buckets.",
  );

/** Of this program alone: keys are paths in a folder. */
export const keyCannotBePath = (member: string, reason: string): ServiceError =>
  invalidRequest(`Keywright keeps buckets in a folder, where this ${member} cannot be: ${reason}.`);

export const tokenConflict = (kind: "export" | "import"): ServiceError =>
  kind === "export"
    ? new ServiceError(
        "ExportConflictException",
        "Export conflict: Duplicate request detected with conflicting parameters",
      )
    : new ServiceError(
        "ImportConflictException",
        "Import conflict: Duplicate request detected with conflicting parameters",
      );

export const otherAccount = (): ServiceError => accessDenied("Access is denied");

export const invalidJobArn = (kind: "export" | "import"): ServiceError =>
  validationError(`Invalid ${kind === "export" ? "Export" : "Import"} ARN`);

const jobNotFound = (kind: "export" | "import", what: string): ServiceError =>
  kind === "export"
    ? new ServiceError("ExportNotFoundException", `Export not found: ${what}`)
    : new ServiceError("ImportNotFoundException", `Import not found: ${what}`);

/** The type is the service's for both, the text of imports a guess from that of exports. */
export const noSuchJob = (kind: "export" | "import", arn: string): ServiceError =>
  jobNotFound(kind, `${kind === "export" ? "Export" : "Import"} not found: ${arn}`);

export const jobOfOtherRegion = (kind: "export" | "import"): ServiceError =>
  jobNotFound(kind, `Invalid ${kind} arn`);

export const invalidTransferToken = (token: string): ServiceError =>
  invalidRequest(`Provided nextToken is invalid: ${token}`);

// Exports

export const notTableArn = (): ServiceError => invalid("tableArn is not a valid ARN");

/** An ARN of something else than a table. */
export const arnNotOfTable = (): ServiceError => invalidRequest("Table ARN is invalid.");

export const exportedTableNotFound = (arn: string): ServiceError =>
  new ServiceError("TableNotFoundException", `Table not found: ${arn}`);

export const incrementalTypeExpected = (): ServiceError =>
  invalidRequest(
    "Export Type expected to be Incremental Export when incremental export specification is provided",
  );

export const incrementalNotExpected = (): ServiceError =>
  invalidRequest(
    "When Export Type is Full Export , Incremental Export Specification should not be provided",
  );

export const incrementalExpected = (): ServiceError =>
  invalidRequest(
    "Incremental Export Specification expected when export type is set as Incremental Export",
  );

export const exportFromTimeMissing = (): ServiceError =>
  invalidRequest("ExportFromTime must be provided in IncrementalExportSpecification");

export const keyWithoutKms = (): ServiceError =>
  invalidRequest("KMS Key Id is not supported for this encryption type");

export const filterEmpty = (): ServiceError =>
  invalidRequest("Invalid FilterSpecification: The specification can not be empty");

const invalidExportTime = (text: string): ServiceError =>
  new ServiceError("InvalidExportTimeException", text);

/** In the future, or before there was the table. */
export const exportTimeInvalid = (): ServiceError => invalidExportTime("Export Time is invalid");

export const exportTimeNotKept = (): ServiceError =>
  invalidExportTime("Point in Time Recovery is not available for specified export time");

export const fromBeforeTable = (from: number): ServiceError =>
  invalidExportTime(
    `Incremental export period from time cannot be less than the table creation time : ${second(from)}`,
  );

export const toInFuture = (to: number): ServiceError =>
  invalidExportTime(
    `Incremental export period to time cannot be greater than the current time : ${second(to)}`,
  );

export const periodTooShort = (minutes: number): ServiceError =>
  invalidExportTime(
    `Difference between export period from time and export period to time is less than ${minutes} minutes`,
  );

/** A guess from the text for periods that are too short. */
export const periodTooLong = (hours: number): ServiceError =>
  invalidExportTime(
    `Difference between export period from time and export period to time is greater than ${hours} hours`,
  );

/** A guess: all that was seen are ends before the table was made. */
export const fromAfterTo = (): ServiceError =>
  invalidExportTime("Incremental export period from time cannot be greater than to time");

const second = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(/\.[0-9]+Z$/, "Z");

// Imports

export const formatOptionsNotSupported = (format: string): ServiceError =>
  invalidRequest(`Unsupported InputFormatOptions for the given input format: ${format}.`);
