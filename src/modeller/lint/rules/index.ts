import type { Rule } from "../rule.ts";
import { constantPartitionKey } from "./constant-partition-key.ts";
import { ttlInMilliseconds } from "./ttl-in-milliseconds.ts";
import { unpaddedNumber } from "./unpadded-number.ts";

/** All rules, in the order in which they are listed. */
export const rules: readonly Rule[] = [
  // Keys
  constantPartitionKey,
  // Order
  unpaddedNumber,
  // Items in time
  ttlInMilliseconds,
];
