import { ServiceError, validationError } from "./service-error.ts";

/** Operations on backups do not call tables resources. A table that is being created is not found either. */
export const tableOfBackupsNotFound = (name: string): ServiceError =>
  new ServiceError("TableNotFoundException", `Table not found: ${name}`);

export const backupNotFound = (arn: string): ServiceError =>
  new ServiceError("BackupNotFoundException", `Backup not found: ${arn}`);

/** The service makes backups too fast for anybody to have seen this text: it is a guess. */
export const backupBeingCreated = (arn: string): ServiceError =>
  new ServiceError("BackupInUseException", `Backup is being created: ${arn}`);

export const backupBeingRestored = (arn: string): ServiceError =>
  new ServiceError("BackupInUseException", `Backup is being used to restore another table: ${arn}`);

/** Said to whoever wants to delete it. */
export const backupNeededForRestore = (arn: string): ServiceError =>
  new ServiceError("BackupInUseException", `Backup is being used to restore table: ${arn}`);

/** How the service writes the moment is a guess. */
export const systemBackupNotDeletable = (arn: string, expiresAt: number): ServiceError =>
  validationError(
    `Invalid Request: User is not allowed to delete the system backup with arn ${arn}. ` +
      `It will automatically expire on ${secondText(expiresAt)}`,
  );

export const backupArnMalformed = (): ServiceError => validationError("Invalid Backup ARN");

/** An ARN, but of another service or partition. */
export const backupArnNotValid = (): ServiceError =>
  validationError("Invalid Request: BackupArn is not valid");

export const backupOfOtherAccount = (): ServiceError =>
  new ServiceError("AccessDeniedException", "Access is denied");

export const startBackupOfOtherRegion = (): ServiceError =>
  validationError(
    "Invalid Request: The supplied ExclusiveStartBackupArn does not match the region",
  );

export const backupTimesReversed = (): ServiceError =>
  validationError(
    "One or more parameter values were invalid: " +
      "Time range lower bound must be less than or equal to upper bound",
  );

export const recoveryNotEnabled = (table: string): ServiceError =>
  new ServiceError(
    "PointInTimeRecoveryUnavailableException",
    `Point in time recovery is not enabled for table '${table}'`,
  );

export const recoveryDaysOfDisabled = (): ServiceError =>
  validationError(
    "Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.",
  );

/** The end of this text is known only as far as an error message was cut off in public. */
export const restoreTimeNotKept = (at: number, earliest: number, latest: number): ServiceError =>
  new ServiceError(
    "InvalidRestoreTimeException",
    `RestoreDateTime '${secondText(at)}' must be within EarliestRestorableDateTime ` +
      `'${secondText(earliest)}' and LatestRestorableDateTime '${secondText(latest)}'`,
  );

export const restoreTimeMissing = (): ServiceError =>
  validationError(
    "Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, " +
      "but not both",
  );

export const restoreTimeTwice = (): ServiceError =>
  validationError(
    "Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set for " +
      "point-in-time restore request. Please specify either RestoreDateTime time or " +
      "UseLatestRestorableTime",
  );

export const restoreSourceMissing = (): ServiceError =>
  validationError("The parameter 'TableName' is required but was not present in the request");

export const restoreSourceTwice = (): ServiceError =>
  validationError("Invalid Request: Must provide exactly one of: sourceTableArn, sourceTableName");

export const restoreSourceNoArn = (text: string): ServiceError =>
  validationError(
    `One or more parameter values were invalid: ARNs must start with 'arn:': ${text}`,
  );

export const restoreSourceMalformed = (): ServiceError =>
  validationError("Invalid Request: sourceTableArn is not a valid ARN");

export const restoreSourceOfOtherAccount = (): ServiceError =>
  validationError(
    "This action is only supported by accounts that match the resource owner’s account.",
  );

export const restoreTargetExists = (table: string): ServiceError =>
  new ServiceError("TableAlreadyExistsException", `Table already exists: ${table}`);

/** What is said of a table that is being restored to a point in time is a guess. */
export const restoreTargetInUse = (table: string, backupArn: string | undefined): ServiceError =>
  new ServiceError(
    "TableInUseException",
    backupArn === undefined
      ? `Table: ${table} is already being restored`
      : `Table: ${table} is already being restored from backup: ${backupArn}`,
  );

/** Of CreateTable. */
export const tableBeingRestored = (table: string): ServiceError =>
  new ServiceError("ResourceInUseException", `Table is being used: ${table}`);

export const tooManyRestores = (max: number): ServiceError =>
  new ServiceError(
    "LimitExceededException",
    `Subscriber limit exceeded: Only ${max} restore operations can be done simultaneously`,
  );

export const restoreAcrossRegions = (): ServiceError =>
  validationError(
    "Invalid Request: sseSpecificationOverride must be provided for cross-region restores",
  );

export const restoredIndexUnknown = (index: string): ServiceError =>
  validationError(
    `Invalid Request: Index ${index} does not match a secondary index that existed in the source ` +
      "table and cannot be created during the restore operation",
  );

export const restoredThroughputOfOnDemand = (index?: string): ServiceError =>
  validationError(
    "Invalid Request: Cannot override ProvisionedThroughput if BillingMode is overridden to " +
      `PAY_PER_REQUEST${index === undefined ? "" : ` for index ${index}`}`,
  );

export const restoredThroughputWithoutMode = (): ServiceError =>
  validationError(
    "Invalid Request: Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED",
  );

export const restoredThroughputMissing = (): ServiceError =>
  validationError(
    "Invalid Request: Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED",
  );

export const restoredIndexThroughputMissing = (index: string): ServiceError =>
  validationError(`Invalid Request: Must specify provisioned throughput for index ${index}`);

type OnDemandMember = "MaxReadRequestUnits" | "MaxWriteRequestUnits";

export const restoredLimitOfProvisioned = (member: OnDemandMember): ServiceError =>
  validationError(
    `Invalid Request: Cannot override ${member} for OnDemandThroughput unless ` +
      "BillingModeOverride is PAY_PER_REQUEST",
  );

export const restoredLimitOutOfRange = (member: OnDemandMember): ServiceError =>
  validationError(
    `Invalid Request: Requested ${member} for OnDemandThroughput is outside of valid range`,
  );

/** That the request fails is documented; how is a guess. */
export const restoredIndexWarm = (index: string): ServiceError =>
  validationError(
    `Invalid Request: WarmThroughput is not supported for index ${index} during the restore operation`,
  );

/** Whole seconds, as the service writes moments in these texts. */
function secondText(milliseconds: number): string {
  const date = new Date(Math.min(Math.max(milliseconds, -dateMax), dateMax));
  return `${date.toISOString().slice(0, -5)}Z`;
}

/** What a date can hold. */
const dateMax = 8.64e15;
