import type { KeyType } from "../item/attribute-value.ts";
import type { StreamDescriptor } from "./stream-descriptor.ts";

export interface KeyAttribute {
  readonly name: string;
  readonly type: KeyType;
}

/** A table has one hash and at most one range attribute, a global index up to four of each. */
export interface KeySchema {
  readonly hash: readonly KeyAttribute[];
  readonly range: readonly KeyAttribute[];
}

export type ProjectionType = "ALL" | "KEYS_ONLY" | "INCLUDE";

export interface IndexProjection {
  readonly type: ProjectionType;
  /** In the order of the request; empty unless the type is INCLUDE. */
  readonly attributes: readonly string[];
}

export interface Throughput {
  readonly read: number;
  readonly write: number;
  readonly decreasesToday: number;
  readonly lastIncreaseAt?: number;
  readonly lastDecreaseAt?: number;
}

export interface OnDemandLimits {
  readonly read?: number;
  readonly write?: number;
}

export interface WarmThroughput {
  readonly read: number;
  readonly write: number;
}

export type InsightsMode = "ACCESSED_AND_THROTTLED_KEYS" | "THROTTLED_KEYS";

/** Contributor Insights of a table or index: which keys are used and throttled most. */
export interface InsightsSettings {
  readonly mode: InsightsMode;
  /** Part of the names of its rules. */
  readonly enabledAt: number;
  readonly changedAt: number;
}

/** Auto scaling of one direction of a table or index: its bounds, and what to do between them. */
export interface ScalableTarget {
  /** Ends its ARN. */
  readonly arnId: string;
  readonly min: number;
  readonly max: number;
  readonly roleArn: string;
  readonly createdAt: number;
  readonly suspended?: SuspendedScaling;
  readonly policy?: TargetTracking;
}

export interface SuspendedScaling {
  readonly in: boolean;
  readonly out: boolean;
  readonly scheduled: boolean;
}

export interface TargetTracking {
  readonly name: string;
  /** Part of its ARN. */
  readonly arnId: string;
  readonly createdAt: number;
  /** The share of what is provisioned that should be in use. */
  readonly targetPercent: number;
  readonly scaleInCooldown?: number;
  readonly scaleOutCooldown?: number;
  readonly disableScaleIn?: boolean;
}

export interface ScalableTargets {
  readonly read?: ScalableTarget;
  readonly write?: ScalableTarget;
}

export interface IndexDescriptor {
  readonly name: string;
  /** Names the index's key space; never used again. */
  readonly id: number;
  readonly kind: "local" | "global";
  readonly key: KeySchema;
  readonly projection: IndexProjection;
  /** Absent until its backfill has ended. A local index is ready from the start. */
  readonly ready: boolean;
  readonly throughput?: Throughput;
  readonly onDemand?: OnDemandLimits;
  readonly warm?: WarmThroughput;
  /** Absent: not enabled. */
  readonly insights?: InsightsSettings;
  /** What they were until they were disabled; `changedAt` is then. */
  readonly formerInsights?: InsightsSettings;
  readonly scaling?: ScalableTargets;
}

/** Items are deleted some time after the second that this attribute of theirs names. */
export interface TimeToLive {
  readonly attribute: string;
  /** Names the key space of the queue in which items wait for that; never used again. */
  readonly queueId: number;
}

/** Who may do what with a table or stream, as somebody has written it down. */
export interface ResourcePolicy extends PolicyVersion {
  /** Until then the one before is told, if there was one. */
  readonly change?: { readonly until: number; readonly before?: PolicyVersion };
}

export interface PolicyVersion {
  /** The moment of the change; never the same twice. */
  readonly revision: number;
  /** In the service's own form. Absent: it has been deleted. */
  readonly document?: string;
  /** It came without a version: to the service that is another one than with the version it then gets. */
  readonly versionless?: true;
}

export interface KinesisDestination {
  /** Its ARN. */
  readonly stream: string;
  readonly status: "ACTIVE" | "DISABLED" | "ENABLE_FAILED";
  /** Why it could not be enabled. */
  readonly failure?: string;
  /** Of the times in its records; milliseconds if nothing was said. */
  readonly precision?: "MILLISECOND" | "MICROSECOND";
  /** What it reports until then, instead of its status. */
  readonly passing?: {
    readonly status: "ENABLING" | "UPDATING" | "DISABLING";
    readonly until: number;
  };
}

export interface Tag {
  readonly key: string;
  readonly value: string;
}

/** Until it is done, the tags before it are told, and no other change is taken. */
export interface TagChange {
  readonly until: number;
  readonly before: readonly Tag[];
  /** Undefined: tags are being removed. */
  readonly added?: readonly Tag[];
}

/** What items were before they were changed is kept: for recovery, and for whoever is reading the past. */
export interface HistoryDescriptor {
  /** Names the key spaces of the log; never used again. */
  readonly id: number;
  /** Point-in-time recovery. Absent: not enabled. */
  readonly recovery?: Recovery;
  /** The jobs for which the log is kept as it is until they have ended. */
  readonly holds?: readonly number[];
}

export interface Recovery {
  /** Nothing is known of earlier times. */
  readonly since: number;
  readonly days: number;
}

/** Where a table comes from that is being restored; nobody can use it before. */
export interface RestoreOrigin {
  readonly table: string;
  /** The id of the backup, unless the table was restored to a point in time. */
  readonly backup?: string;
  /** The moment to which the items belong. */
  readonly at: number;
}

/** The table is CREATING until the job that restores it says otherwise. */
export const untilRestored = Number.MAX_SAFE_INTEGER;

export type BillingMode = "PROVISIONED" | "PAY_PER_REQUEST";

/** All that is known of a table; stored as JSON, replaced as a whole. */
export interface TableDescriptor {
  readonly namespace: string;
  readonly name: string;
  /** Names the table's key space; never used again. */
  readonly id: number;
  /** Raised with every change; each commit on the table checks it. */
  readonly version: number;
  readonly uuid: string;
  readonly createdAt: number;
  readonly key: KeySchema;
  readonly indexes: readonly IndexDescriptor[];
  readonly billingMode: BillingMode;
  /** When the table last became on-demand. */
  readonly onDemandSince?: number;
  /** When provisioned throughput was last given up for that, the earliest first: it is limited. */
  readonly modeSwitches?: readonly number[];
  readonly throughput: Throughput;
  readonly onDemand?: OnDemandLimits;
  readonly warm?: WarmThroughput;
  /** Absent: not enabled. */
  readonly insights?: InsightsSettings;
  /** What they were until they were disabled; `changedAt` is then. */
  readonly formerInsights?: InsightsSettings;
  readonly scaling?: ScalableTargets;
  /** Absent: not enabled. */
  readonly timeToLive?: TimeToLive;
  /** When it was last enabled or disabled: changes are limited in number. */
  readonly timeToLiveChangedAt?: number;
  readonly deletionProtection: boolean;
  readonly tableClass?: "STANDARD" | "STANDARD_INFREQUENT_ACCESS";
  readonly tableClassChangedAt?: number;
  /** The change before the last: changes are limited in number. */
  readonly tableClassChangedBeforeAt?: number;
  readonly encryption?: { readonly keyId?: string };
  readonly policy?: ResourcePolicy;
  /** Of its streams, by their labels. */
  readonly streamPolicies?: readonly (ResourcePolicy & { readonly label: string })[];
  /** Kinesis streams that its changes shall go to, the newest first. */
  readonly kinesis?: readonly KinesisDestination[];
  readonly tags?: readonly Tag[];
  /** The last change of the tags, while it is under way. */
  readonly tagChange?: TagChange;
  /** Absent: there is none. */
  readonly stream?: StreamDescriptor;
  /** Of the stream that was disabled last: it is still told. */
  readonly formerStreamLabel?: string;
  /** Absent: what was before is not kept. */
  readonly history?: HistoryDescriptor;
  /** Absent: the table is not being restored. */
  readonly restore?: RestoreOrigin;
  /** The table reports CREATING, UPDATING or DELETING until then. */
  readonly transition?: {
    readonly status: "CREATING" | "UPDATING" | "DELETING";
    readonly until: number;
  };
}

export type TableStatus = "CREATING" | "UPDATING" | "DELETING" | "ACTIVE";

export function tableStatus(table: TableDescriptor, now: number): TableStatus {
  if (table.transition !== undefined && now < table.transition.until) {
    return table.transition.status;
  }
  return table.indexes.every((index) => index.ready) ? "ACTIVE" : "UPDATING";
}

export function findIndex(table: TableDescriptor, name: string): IndexDescriptor | undefined {
  return table.indexes.find((index) => index.name === name);
}

interface ScalingBounds {
  readonly min: number;
  readonly max: number;
  readonly targetPercent: number;
  readonly only?: "up" | "down";
  readonly cooldownMs: { readonly up: number; readonly down: number };
}

export interface ScalingPolicies {
  readonly read?: ScalingBounds;
  readonly write?: ScalingBounds;
}

/** What keeps the throughput of a table or index in step with its use: undefined if nothing does. */
export function scalingPolicies({
  scaling,
}: {
  readonly scaling?: ScalableTargets;
}): ScalingPolicies | undefined {
  const read = scalingBounds(scaling?.read);
  const write = scalingBounds(scaling?.write);
  if (read === undefined && write === undefined) return undefined;
  return { ...(read !== undefined && { read }), ...(write !== undefined && { write }) };
}

/** Without a policy, or if it must not act, the bounds alone move nothing. */
function scalingBounds(target: ScalableTarget | undefined): ScalingBounds | undefined {
  if (target?.policy === undefined) return undefined;
  const { min, max, policy, suspended } = target;
  const noIn = suspended?.in === true || policy.disableScaleIn === true;
  const noOut = suspended?.out === true;
  if (noIn && noOut) return undefined;
  return {
    min,
    max,
    targetPercent: policy.targetPercent,
    ...(noIn && { only: "up" }),
    ...(noOut && { only: "down" }),
    cooldownMs: {
      // The service takes negative ones, too.
      up: Math.max(0, policy.scaleOutCooldown ?? 0) * 1_000,
      down: Math.max(0, policy.scaleInCooldown ?? 0) * 1_000,
    },
  };
}

export function hasLocalIndex(table: TableDescriptor): boolean {
  return table.indexes.some((index) => index.kind === "local");
}

/** Every attribute that is part of the table's or an index's key, with its type. */
export function keyAttributes(schema: KeySchema): readonly KeyAttribute[] {
  return schema.range.length === 0 ? schema.hash : [...schema.hash, ...schema.range];
}
