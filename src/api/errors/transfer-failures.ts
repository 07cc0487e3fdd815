/** Why an export or import has failed, as its description tells. */
export interface TransferFailure {
  readonly code: string;
  readonly message: string;
}

/** What the service says of S3; the ids of requests are ours. */
const s3Failure = (
  code: string,
  what: string,
  status: number,
  error: string,
  id: string,
): TransferFailure => ({
  code,
  message:
    `${what} (Service: Amazon S3; Status Code: ${status}; Error Code: ${error}; ` +
    `Request ID: ${id}; S3 Extended Request ID: ${id}; Proxy: null)`,
});

export const noSuchBucket = (id: string): TransferFailure =>
  s3Failure("S3NoSuchBucket", "The specified bucket does not exist", 404, "NoSuchBucket", id);

/** The bucket belongs to somebody else than was said. */
export const bucketAccessDenied = (id: string): TransferFailure =>
  s3Failure("S3AccessDenied", "Access Denied", 403, "AccessDenied", id);

export const itemsNotImported = (): TransferFailure => ({
  code: "ItemValidationError",
  message:
    "Some of the items failed validation checks and were not imported. " +
    "Please check CloudWatch error logs for more details.",
});

/** The code is the service's, the text a guess. */
export const importedTableExists = (table: string): TransferFailure => ({
  code: "TableAlreadyExists",
  message: `Table already exists: ${table}`,
});

/** Of this program alone: the service's jobs do not end with a process. */
export const interrupted = (what: "export" | "import"): TransferFailure => ({
  code: "KeywrightNoS3Folder",
  message:
    `The ${what} was interrupted, and this process has no folder that stands for Amazon S3 ` +
    "with which to go on: start it with --s3-folder.",
});

/** The service has not been seen to say this: its exports go on when the table is gone. */
export const exportedTableGone = (): TransferFailure => ({
  code: "KeywrightTableGone",
  message: "The table was deleted, or its past was given up, before all of it was exported.",
});

/** What nobody foresaw, such as a disk that is full. */
export const transferBroken = (error: unknown): TransferFailure => ({
  code: "InternalServerError",
  message: error instanceof Error ? error.message : String(error),
});
