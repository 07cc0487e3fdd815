import { ServiceError, validationError } from "./service-error.ts";
import { invalid, limitExceeded } from "./table.ts";

export const throughputWithOnDemand = (): ServiceError =>
  invalid(
    "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is " +
      "PAY_PER_REQUEST",
  );

/** A request that itself names the mode. */
export const throughputWithOnDemandMode = (): ServiceError =>
  invalid("ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST");

export const indexThroughputOfOnDemandTable = (index: string): ServiceError =>
  invalid(
    `The only Updates for index: ${index} when TableThroughputMode is PAY_PER_REQUEST can be to ` +
      "OnDemandThroughput, WarmThroughput",
  );

/** Of an index that is added to a table, as is the next. */
export const newIndexThroughputWithOnDemand = (index: string): ServiceError =>
  invalid(
    "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: " +
      `${index} when BillingMode is PAY_PER_REQUEST`,
  );

export const newIndexThroughputMissing = (index: string): ServiceError =>
  invalid(`Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: ${index}`);

export const throughputMissing = (): ServiceError =>
  invalid(
    "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is " +
      "PROVISIONED",
  );

export const indexThroughputWithOnDemand = (index: string): ServiceError =>
  invalid(
    `ProvisionedThroughput should not be specified for index: ${index} when BillingMode is ` +
      "PAY_PER_REQUEST",
  );

/** Of an index that is made with its table. */
export const firstIndexThroughputMissing = (index: string): ServiceError =>
  invalid(`ProvisionedThroughput is not specified for index: ${index}`);

export const indexThroughputMissing = (indexes: readonly string[]): ServiceError =>
  invalid(`ProvisionedThroughput must be specified for index: ${indexes.join(",")}`);

type CapacityMember = "ReadCapacityUnits" | "WriteCapacityUnits";

export const capacityOutOfBounds = (
  member: CapacityMember,
  value: number,
  index?: string,
): ServiceError =>
  validationError(
    `Given value ${value} for ${member} is out of bounds${
      index === undefined ? "" : ` for index ${index}`
    }`,
  );

/** `index` absent: the table itself. */
const subject = (index: string | undefined): string =>
  index === undefined ? "table" : `index ${index}`;

type OnDemandMember = "MaxReadRequestUnits" | "MaxWriteRequestUnits";

export const onDemandLimitOfProvisionedNewTable = (member: OnDemandMember): ServiceError =>
  invalid(
    `${member} for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.`,
  );

export const onDemandLimitOfProvisionedTable = (
  member: OnDemandMember,
  index?: string,
): ServiceError =>
  invalid(
    `${member} for OnDemandThroughput ${index === undefined ? "" : `for index : ${index} `}` +
      "cannot be specified when the table BillingMode is PROVISIONED",
  );

export const onDemandLimitOutOfRange = (member: OnDemandMember, index?: string): ServiceError =>
  invalid(
    `Requested ${member} for OnDemandThroughput for ` +
      `${index === undefined ? "table" : `index : ${index}`} is outside of valid range`,
  );

type WarmMember = "ReadUnitsPerSecond" | "WriteUnitsPerSecond";

export const warmThroughputLowered = (member: WarmMember, index?: string): ServiceError =>
  invalid(
    `Requested ${member} for WarmThroughput for ${subject(index)} is lower than current ` +
      "WarmThroughput, decreasing WarmThroughput is not supported",
  );

const initialThroughputPage =
  "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html" +
  "#on-demand-capacity-mode-initial";

/** Of a new table or index: less than it has anyway. */
export const warmThroughputBelowStart = (
  member: WarmMember,
  mode: "PROVISIONED" | "PAY_PER_REQUEST",
  index?: string,
): ServiceError => {
  const units = member === "ReadUnitsPerSecond" ? "ReadCapacityUnits" : "WriteCapacityUnits";
  return invalid(
    `Requested ${member} for WarmThroughput for ${subject(index)} is lower than ${
      mode === "PROVISIONED"
        ? `${units} of ProvisionedThroughput`
        : `initial throughput for OnDemand. See: ${initialThroughputPage}`
    }`,
  );
};

export const throughputMissingForMode = (): ServiceError =>
  invalid("ProvisionedThroughput must be specified when BillingMode is PROVISIONED");

interface Units {
  readonly read: number;
  readonly write: number;
}

export const throughputUnchanged = (current: Units, index?: string): ServiceError => {
  const what = index === undefined ? "table" : "index";
  const named = index === undefined ? "table" : `index ${index}`;
  return validationError(
    `The provisioned throughput for the ${named} will not change. The requested value equals the ` +
      `current value. Current ReadCapacityUnits provisioned for the ${what}: ${current.read}. ` +
      `Requested ReadCapacityUnits: ${current.read}. ` +
      `Current WriteCapacityUnits provisioned for the ${what}: ${current.write}. ` +
      `Requested WriteCapacityUnits: ${current.write}. ` +
      "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher " +
      "limits.",
  );
};

export const indexUpdateBlocked = (): ServiceError =>
  validationError(
    "This operation cannot be performed with given input values. Please contact DynamoDB service " +
      "team for more info: Action Blocked: IndexUpdate",
  );

/** For example `Thursday, January 15, 2026 at 12:00:00 PM Coordinated Universal Time`. */
function spelledTime(at: number): string {
  // Made when it is needed, which is almost never: loading its data takes 25 ms, a fifth of a start.
  const moment = new Intl.DateTimeFormat("en-US", {
    dateStyle: "full",
    timeStyle: "medium",
    timeZone: "UTC",
  });
  const parts = new Map(moment.formatToParts(at).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? "";
  return (
    `${part("weekday")}, ${part("month")} ${part("day")}, ${part("year")} at ` +
    `${part("hour")}:${part("minute")}:${part("second")} ${part("dayPeriod")} ` +
    "Coordinated Universal Time"
  );
}

interface Decreases {
  readonly today: number;
  /** So many at once, then one in so many seconds. */
  readonly free: number;
  readonly everySeconds: number;
  readonly lastAt: number;
  readonly nextAt: number;
}

export const tooManyDecreases = (decreases: Decreases): ServiceError =>
  limitExceeded(
    "Provisioned throughput decreases are limited within a given UTC day. " +
      `After the first ${decreases.free} decreases, each subsequent decrease in the same UTC day ` +
      `can be performed at most once every ${decreases.everySeconds} seconds. ` +
      `Number of decreases today: ${decreases.today}. ` +
      `Last decrease at ${spelledTime(decreases.lastAt)}. ` +
      `Next decrease can be made at ${spelledTime(decreases.nextAt)}`,
  );

/** For example `Sat Feb 23 03:07:45 UTC 2019`. */
function terseTime(at: number): string {
  const [weekday, day, month, year, time] = new Date(at).toUTCString().split(/,? /);
  return `${weekday} ${month} ${day} ${time} UTC ${year}`;
}

/** Known from the days when it was once a day; what it says since it is four times is a guess. */
export const tooManySwitches = (
  max: number,
  days: number,
  lastAt: number,
  nextAt: number,
): ServiceError =>
  limitExceeded(
    `Update to PayPerRequest mode are limited to ${max} times in ${days} day(s). ` +
      `Last update at ${terseTime(lastAt)}. Next update can be made at ${terseTime(nextAt)}`,
  );

// Quotas

const seeGuide =
  "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.";

const quotaExceeded = (text: string): ServiceError =>
  new ServiceError("LimitExceededException", text);

export const tableQuotaExceeded = (
  member: CapacityMember,
  requested: number,
  max: number,
  region: string,
  index?: string,
): ServiceError =>
  quotaExceeded(
    `The requested ${member}${index === undefined ? "" : ` for index ${index}`}, ${requested}, ` +
      `is above the per ${index === undefined ? "table" : "index"} maximum for the account in ` +
      `${region}. Per table maximum: ${max}. ${seeGuide}`,
  );

export const accountQuotaExceeded = (
  member: CapacityMember,
  reserved: number,
  requested: number,
  max: number,
  region: string,
): ServiceError =>
  quotaExceeded(
    `This request would have caused the ${member} limit to be exceeded for the account in ` +
      `${region}. Current ${member} reserved by the account: ${reserved}. Limit: ${max}. ` +
      `Requested: ${requested}. ${seeGuide}`,
  );

const tableMaximum = (member: OnDemandMember | WarmMember): string =>
  member.includes("Read") ? "TableMaxReadCapacityUnits" : "TableMaxWriteCapacityUnits";

export const onDemandLimitAboveQuota = (
  member: OnDemandMember,
  region: string,
  index?: string,
): ServiceError =>
  limitExceeded(
    `Requested ${member} for OnDemandThroughput for ` +
      `${index === undefined ? "table" : `index : ${index}`} exceeds ${tableMaximum(member)} of ` +
      `the account in region ${region}`,
  );

export const warmThroughputAboveQuota = (
  member: WarmMember,
  region: string,
  index?: string,
): ServiceError =>
  limitExceeded(
    `Requested ${member} for WarmThroughput for ${subject(index)} exceeds ` +
      `${tableMaximum(member)} of the account in region ${region}`,
  );
