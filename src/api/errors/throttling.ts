import { ServiceError } from "./service-error.ts";

/** Which limit of which table or index, by its ARN. */
export interface ThrottlingReason {
  readonly reason: string;
  readonly resource: string;
}

/** What the limit belongs to. */
export type LimitOwner = "provisioned" | "on-demand" | "on-demand maximum" | "account";

const provisionedTable =
  "The level of configured provisioned throughput for the table was exceeded. " +
  "Consider increasing your provisioning level with the UpdateTable API.";
const provisionedIndex =
  "The level of configured provisioned throughput for one or more global secondary indexes of the " +
  "table was exceeded. Consider increasing your provisioning level for the under-provisioned global " +
  "secondary indexes with the UpdateTable API.";
const onDemandTable =
  "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling " +
  "your table or index so please try again shortly. If exceptions persist, check if you have a hot " +
  "key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html";
const onDemandIndex =
  "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is " +
  "automatically scaling your index so please try again shortly.";
const onDemandMaximum =
  "Throughput exceeds the maximum OnDemandThroughput configured on table or index";
const accountLimit =
  "Throughput exceeds the current throughput limit for your account. To request a limit increase, " +
  "contact AWS Support at https://aws.amazon.com/support";

/** A request that a limit on throughput holds up. ThrottlingException spells its list in its own way. */
export function throttled(
  owner: LimitOwner,
  resource: "table" | "index",
  reason: ThrottlingReason,
): ServiceError {
  switch (owner) {
    case "provisioned":
      return new ServiceError(
        "ProvisionedThroughputExceededException",
        resource === "table" ? provisionedTable : provisionedIndex,
        { fields: { ThrottlingReasons: [reason] } },
      );
    case "on-demand":
      return new ServiceError(
        "ThrottlingException",
        resource === "table" ? onDemandTable : onDemandIndex,
        { fields: { throttlingReasons: [reason] } },
      );
    case "on-demand maximum":
      return new ServiceError("ThrottlingException", onDemandMaximum, {
        fields: { throttlingReasons: [reason] },
      });
    case "account":
      return new ServiceError("RequestLimitExceeded", accountLimit, {
        fields: { ThrottlingReasons: [reason] },
      });
  }
}

/** The code of a cancellation reason; nothing if the error is not one of throttling. */
export function throttlingCode({ type }: ServiceError): string | undefined {
  if (type === "ProvisionedThroughputExceededException") return "ProvisionedThroughputExceeded";
  return type === "ThrottlingException" ? "ThrottlingError" : undefined;
}
