import * as errors from "../api/errors/policy.ts";
import { tableBeingDeleted, tableNotFound } from "../api/errors/table.ts";
import { resourcePolicyChangeMs } from "../api/limits.ts";
import type { PolicySubject } from "../api/policy/read-policy.ts";
import { isGone } from "../engine/catalog.ts";
import {
  type PolicyVersion,
  type ResourcePolicy,
  type TableDescriptor,
  tableStatus,
} from "../engine/descriptor.ts";
import type { Context } from "./operation.ts";
import { policyRefusals, readResourceArn } from "./resource-arn.ts";

/** A table or stream that has a policy, or could have one. */
export interface PolicyPlace extends PolicySubject {
  readonly table: string;
  /** Of a stream. */
  readonly label: string | undefined;
}

export function placeOfPolicy(context: Context, arn: string): PolicyPlace {
  const { table, stream: label } = readResourceArn(context, arn, policyRefusals);
  const kind = label === undefined ? "table" : "stream";
  return { kind, arn, account: context.account, table, label };
}

const holderOf = ({ kind, table, label }: PolicyPlace): errors.PolicyHolder => ({
  kind,
  name: label ?? table,
});

/** Throws if there is no such stream. A stream may be there longer than its table. */
export async function requireStream(context: Context, place: PolicyPlace): Promise<void> {
  const { table, label } = place;
  if (label === undefined) return;
  const { database, namespace } = context;
  if ((await database.streams.find(namespace, table, label)) === undefined) {
    throw errors.policyStreamNotFound(label, table);
  }
}

/** Nothing is known of a table before it has been made. */
export function requireHolder(
  table: TableDescriptor | undefined,
  { table: name }: PolicyPlace,
  now: number,
): TableDescriptor {
  if (table === undefined || isGone(table, now) || tableStatus(table, now) === "CREATING") {
    throw tableNotFound(name);
  }
  return table;
}

export function storedPolicy(
  table: TableDescriptor,
  { label }: PolicyPlace,
): ResourcePolicy | undefined {
  if (label === undefined) return table.policy;
  return table.streamPolicies?.find((policy) => policy.label === label);
}

/** The policy as it is told: a change shows when it is done. */
export function visiblePolicy(
  policy: ResourcePolicy | undefined,
  now: number,
): PolicyVersion | undefined {
  const told = isChanging(policy, now) ? policy?.change?.before : policy;
  return told?.document === undefined ? undefined : told;
}

function isChanging(policy: ResourcePolicy | undefined, now: number): boolean {
  return policy?.change !== undefined && now < policy.change.until;
}

/** Whether the policy of the table itself is being changed. */
export function policyChanging({ policy }: TableDescriptor, now: number): boolean {
  return isChanging(policy, now);
}

export interface WantedPolicy {
  readonly expected: string | undefined;
  /** Undefined: it is to be deleted. */
  readonly document: string | undefined;
  readonly versionless: boolean;
}

/** That there must be none yet. */
const noPolicy = "NO_POLICY";

/** Changes a policy in one commit. Answers the revision that the service would tell. */
export async function changePolicy(
  context: Context,
  place: PolicyPlace,
  wanted: WantedPolicy,
): Promise<number | undefined> {
  const { database, namespace } = context;
  const { catalog, clock, transitionMs } = database;
  return catalog.change(namespace, place.table, (found) => {
    const now = clock.now();
    const table = requireHolder(found, place, now);
    const policy = storedPolicy(table, place);
    checkRevision(policy, wanted, place, now);
    if (isSame(policy, wanted)) return { table, result: toldRevision(policy, now) };
    if (tableStatus(table, now) === "DELETING") throw tableBeingDeleted(table.name);
    checkPace(policy, place, now, transitionMs);
    const revision = Math.max(now, (policy?.revision ?? 0) + 1);
    const before = visiblePolicy(policy, now);
    const after: ResourcePolicy = {
      revision,
      ...(wanted.document !== undefined && { document: wanted.document }),
      ...(wanted.versionless && { versionless: true }),
      ...(transitionMs > 0 && {
        change: { until: now + transitionMs, ...(before !== undefined && { before }) },
      }),
    };
    // What is deleted is told by the revision that it had.
    const result = wanted.document === undefined ? policy?.revision : revision;
    return { table: withPolicy(table, place, after), result };
  });
}

function checkRevision(
  policy: ResourcePolicy | undefined,
  { expected, document }: WantedPolicy,
  place: PolicyPlace,
  now: number,
): void {
  if (expected === undefined) return;
  const holder = holderOf(place);
  const isThere = policy?.document !== undefined;
  if (expected === noPolicy && document !== undefined) {
    if (isThere) throw errors.policyExists(holder, policy.revision);
    return;
  }
  const revision = isThere ? policy.revision : toldRevision(policy, now);
  if (revision === undefined) throw errors.noRevision(expected, holder);
  if (!isThere || expected !== String(revision)) {
    throw errors.revisionDiffers(expected, holder, revision);
  }
}

/** For a while after it was deleted a policy has a revision: that of its deletion. */
function toldRevision(policy: ResourcePolicy | undefined, now: number): number | undefined {
  if (policy === undefined) return undefined;
  const isRecent = now < policy.revision + resourcePolicyChangeMs;
  return policy.document !== undefined || isRecent ? policy.revision : undefined;
}

function isSame(policy: ResourcePolicy | undefined, wanted: WantedPolicy): boolean {
  return (
    policy?.document === wanted.document && (policy?.versionless ?? false) === wanted.versionless
  );
}

/** Where changes take their time, the next one has to wait; elsewhere nobody waits. */
function checkPace(
  policy: ResourcePolicy | undefined,
  place: PolicyPlace,
  now: number,
  transitionMs: number,
): void {
  if (policy === undefined || transitionMs === 0) return;
  if (isChanging(policy, now)) throw errors.policyChanging(holderOf(place));
  if (now < policy.revision + resourcePolicyChangeMs) {
    throw errors.policyChangedTooSoon(holderOf(place), policy.revision);
  }
}

function withPolicy(
  table: TableDescriptor,
  { label }: PolicyPlace,
  policy: ResourcePolicy,
): TableDescriptor {
  const changed = { ...table, version: table.version + 1 };
  if (label === undefined) return { ...changed, policy };
  // Older streams than the last one are about to go, if they have not gone.
  const kept = [table.stream?.label, table.formerStreamLabel];
  const others = (table.streamPolicies ?? []).filter(
    (one) => one.label !== label && kept.includes(one.label),
  );
  return { ...changed, streamPolicies: [...others, { ...policy, label }] };
}
