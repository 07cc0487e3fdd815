import { accessRules } from "../access-rules.ts";
import type { Rule } from "../rule.ts";
import { beginsWithAcrossGap } from "./begins-with-across-gap.ts";
import { caseOrder } from "./case-order.ts";
import { componentOrder } from "./component-order.ts";
import { constantPartitionKey } from "./constant-partition-key.ts";
import { keyDoesNotIdentify } from "./key-does-not-identify.ts";
import { keyTooLong } from "./key-too-long.ts";
import { lowCardinalityKey } from "./low-cardinality-key.ts";
import { monotonicPartitionKey } from "./monotonic-partition-key.ts";
import { mutableAttributeInKey } from "./mutable-attribute-in-key.ts";
import { overlappingPrefixes } from "./overlapping-prefixes.ts";
import { sameSortValue } from "./same-sort-value.ts";
import { separatorInValue } from "./separator-in-value.ts";
import { ttlInMilliseconds } from "./ttl-in-milliseconds.ts";
import { unpaddedNumber } from "./unpadded-number.ts";
import { uuidForOrder } from "./uuid-for-order.ts";

/** All rules, in the order in which they are listed. */
export const rules: readonly Rule[] = [
  // Keys
  constantPartitionKey,
  lowCardinalityKey,
  monotonicPartitionKey,
  mutableAttributeInKey,
  keyDoesNotIdentify,
  keyTooLong,
  // Order
  sameSortValue,
  unpaddedNumber,
  uuidForOrder,
  caseOrder,
  separatorInValue,
  overlappingPrefixes,
  componentOrder,
  beginsWithAcrossGap,
  // Items in time
  ttlInMilliseconds,
  ...accessRules,
];
