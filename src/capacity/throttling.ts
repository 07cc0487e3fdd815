import type { Direction } from "./throughput.ts";

export type LimitKind =
  | "ProvisionedThroughputExceeded"
  | "KeyRangeThroughputExceeded"
  | "AccountLimitExceeded"
  | "MaxOnDemandThroughputExceeded";

export const limitKinds: readonly LimitKind[] = [
  "ProvisionedThroughputExceeded",
  "KeyRangeThroughputExceeded",
  "AccountLimitExceeded",
  "MaxOnDemandThroughputExceeded",
];

export type ThrottlingReason = `${"Table" | "Index"}${"Read" | "Write"}${LimitKind}`;

/** Why a request was refused: by which limit of which table or index. */
export interface Throttle {
  /** The index by name; nothing: the table itself. */
  readonly index: string | undefined;
  readonly direction: Direction;
  readonly limit: LimitKind;
}

/** As the service spells it. */
export function reasonOf({ index, direction, limit }: Throttle): ThrottlingReason {
  const resource = index === undefined ? "Table" : "Index";
  return `${resource}${direction === "read" ? "Read" : "Write"}${limit}`;
}
