import { accessRules } from "../access-rules.ts";
import type { Rule } from "../rule.ts";
import { attributeNeverRead } from "./attribute-never-read.ts";
import { beginsWithAcrossGap } from "./begins-with-across-gap.ts";
import { bigItemSmallUpdate } from "./big-item-small-update.ts";
import { blobInItem } from "./blob-in-item.ts";
import { caseOrder } from "./case-order.ts";
import { componentOrder } from "./component-order.ts";
import { constantPartitionKey } from "./constant-partition-key.ts";
import { embeddedButApart } from "./embedded-but-apart.ts";
import { embeddedUnbounded } from "./embedded-unbounded.ts";
import { embeddedWithoutHost } from "./embedded-without-host.ts";
import { genericKeyNames } from "./generic-key-names.ts";
import { idNotUnique } from "./id-not-unique.ts";
import { itemNearLimit } from "./item-near-limit.ts";
import { itemTooLarge } from "./item-too-large.ts";
import { keyDoesNotIdentify } from "./key-does-not-identify.ts";
import { keyTooLong } from "./key-too-long.ts";
import { longNames } from "./long-names.ts";
import { lowCardinalityKey } from "./low-cardinality-key.ts";
import { monotonicPartitionKey } from "./monotonic-partition-key.ts";
import { mutableAttributeInKey } from "./mutable-attribute-in-key.ts";
import { mutableIndexKey } from "./mutable-index-key.ts";
import { numbersDoNotAddUp } from "./numbers-do-not-add-up.ts";
import { overlappingPrefixes } from "./overlapping-prefixes.ts";
import { personalDataInKey } from "./personal-data-in-key.ts";
import { ratesDoNotAddUp } from "./rates-do-not-add-up.ts";
import { reservedWord } from "./reserved-word.ts";
import { retentionWithoutTtl } from "./retention-without-ttl.ts";
import { sameSortValue } from "./same-sort-value.ts";
import { separatorInValue } from "./separator-in-value.ts";
import { timeWithoutFormat } from "./time-without-format.ts";
import { togetherButApart } from "./together-but-apart.ts";
import { ttlInMilliseconds } from "./ttl-in-milliseconds.ts";
import { ttlTrusted } from "./ttl-trusted.ts";
import { ttlWithoutTime } from "./ttl-without-time.ts";
import { unboundedList } from "./unbounded-list.ts";
import { unpaddedNumber } from "./unpadded-number.ts";
import { uuidForOrder } from "./uuid-for-order.ts";

/** All rules, in the order in which they are listed. */
export const rules: readonly Rule[] = [
  // Keys
  constantPartitionKey,
  lowCardinalityKey,
  monotonicPartitionKey,
  mutableAttributeInKey,
  mutableIndexKey,
  keyDoesNotIdentify,
  idNotUnique,
  keyTooLong,
  personalDataInKey,
  genericKeyNames,
  reservedWord,
  // Order
  sameSortValue,
  unpaddedNumber,
  uuidForOrder,
  caseOrder,
  separatorInValue,
  overlappingPrefixes,
  componentOrder,
  beginsWithAcrossGap,
  // Items
  itemTooLarge,
  itemNearLimit,
  unboundedList,
  embeddedUnbounded,
  embeddedButApart,
  embeddedWithoutHost,
  togetherButApart,
  blobInItem,
  bigItemSmallUpdate,
  attributeNeverRead,
  longNames,
  // Time
  ttlInMilliseconds,
  ttlWithoutTime,
  ttlTrusted,
  retentionWithoutTtl,
  timeWithoutFormat,
  // Requirements
  numbersDoNotAddUp,
  ratesDoNotAddUp,
  ...accessRules,
];
