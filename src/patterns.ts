/** What `keywright/patterns` offers: helpers for programs that use the AWS SDK, without a model and without a dependency. */

export { type BackoffOptions, fullJitter } from "./patterns/backoff.ts";
export {
  type BatchGetInput,
  type BatchGetOptions,
  type BatchGetOutput,
  type BatchKey,
  type BatchOptions,
  type BatchWrite,
  type BatchWriteInput,
  type BatchWriteOptions,
  type BatchWriteOutput,
  batchGet,
  batchWrite,
  UnprocessedError,
} from "./patterns/batch.ts";
export {
  absent,
  allOf,
  anyOf,
  atLeast,
  atMost,
  beginsWith,
  between,
  type Condition,
  containing,
  createOnly,
  type ExpressionParts,
  equalTo,
  expressionsOf,
  greaterThan,
  inRange,
  lessThan,
  mustExist,
  not,
  notEqualTo,
  oneOf,
  present,
  unchanged,
  type WrittenExpressions,
} from "./patterns/conditions.ts";
export {
  boundedIncrement,
  type CountedWrite,
  type CounterBounds,
  countOnce,
  increment,
  type OnceMarker,
  type ShardedCounter,
  shardForCount,
  shardsOfCount,
  sumOfShards,
} from "./patterns/counter.ts";
export {
  AdjacencyList,
  type GraphEdge,
  type GraphNames,
  type GraphNode,
  type GraphOptions,
  graphNames,
} from "./patterns/edges.ts";
export {
  AlreadyExistsError,
  type CancellationReason,
  ConditionFailedError,
  cancellationReasons,
  failedMembers,
  isConditionFailed,
  isPassing,
  isThrottled,
  NotFoundError,
  NotUniqueError,
  PatternError,
  VersionConflictError,
} from "./patterns/errors.ts";
export {
  type AttributePath,
  type Changes,
  type ExpressionMembers,
  Placeholders,
  UpdateBuilder,
  updateOf,
} from "./patterns/expression.ts";
export {
  type GatherOptions,
  type GatherPageOptions,
  type GatherSource,
  gatherItems,
  gatherPage,
  gatherUnordered,
} from "./patterns/gather.ts";
export {
  type IndexKeySource,
  type IndexKeySpec,
  indexKey,
  indexKeys,
  updateIndexKeys,
} from "./patterns/index-keys.ts";
export {
  CompositeKey,
  type CompositeKeyOptions,
  compositeKey,
  type KeyWriting,
  type PartValues,
  type SomePartValues,
} from "./patterns/key.ts";
export {
  cutTime,
  descending,
  escapePart,
  keyText,
  type PartFormat,
  type PartTransform,
  padded,
  type TimeUnit,
  unescapePart,
} from "./patterns/key-parts.ts";
export type { KeyRange, RangeOperator } from "./patterns/key-range.ts";
export type { PartNames, TextOfTemplate } from "./patterns/key-template.ts";
export { ksuid, ksuidBounds, ksuidMaker, ksuidTime } from "./patterns/ksuid.ts";
export {
  acquireLease,
  isNotFencedOff,
  type Lease,
  type LeaseNames,
  type LeaseWrite,
  leaseNames,
  releaseLease,
  renewLease,
} from "./patterns/lock.ts";
export {
  type NumberLike,
  numberText,
  sumNumbers,
  ValueError,
  type WrappedNumber,
} from "./patterns/numbers.ts";
export {
  allItems,
  eachItem,
  eachPage,
  type ListPage,
  type ListPageOptions,
  listPage,
  type PageInput,
  type PageOutput,
  type PageSend,
  type PagesOptions,
} from "./patterns/pages.ts";
export { type Period, periodName, periodStart, periodsBetween } from "./patterns/period.ts";
export type { ByteSource, RandomSource, Sleep, TimeSource } from "./patterns/platform.ts";
export {
  type RetryOptions,
  requestToken,
  retried,
  sendTransaction,
  type TransactionOptions,
} from "./patterns/retry.ts";
export type { IdOptions } from "./patterns/rising-ids.ts";
export {
  allShards,
  calculatedShard,
  randomShard,
  timeShard,
  timeShardsBetween,
} from "./patterns/shard.ts";
export {
  decodeToken,
  encodeToken,
  openToken,
  sealToken,
  TokenError,
  type TokenOptions,
} from "./patterns/token.ts";
export {
  type CheckMember,
  checkMember,
  type DeleteMember,
  deleteMember,
  type PutMember,
  putMember,
  type TransactMember,
  type UpdateMember,
  updateMember,
} from "./patterns/transact.ts";
export { expiresIn, isExpired, notExpired, ttlSeconds } from "./patterns/ttl.ts";
export { ulid, ulidBounds, ulidMaker, ulidTime } from "./patterns/ulid.ts";
export {
  changeUnique,
  claimUnique,
  moveUnique,
  releaseUnique,
  type UniqueValue,
} from "./patterns/unique.ts";
export {
  type Attributes,
  compareKeyValues,
  type KeyValue,
  keyIdentity,
  pickAttributes,
} from "./patterns/values.ts";
export {
  changedAtVersion,
  isAtVersion,
  lockVersion,
  putVersion,
  type VersionedItem,
} from "./patterns/version.ts";
