import * as errors from "../api/errors/backups.ts";
import { duplicateIndexName, notSupportedYet } from "../api/errors/table.ts";
import type { RestoreOverrides } from "../api/requests/backups.ts";
import type { GlobalSecondaryIndex, LocalSecondaryIndex } from "../api/requests/create-table.ts";
import type { KeySchemaElement, OnDemandThroughput } from "../api/requests/shared.ts";
import type { RestoreRequest } from "../engine/backups.ts";
import { isGone, newUuid } from "../engine/catalog.ts";
import {
  type BillingMode,
  type IndexDescriptor,
  type KeySchema,
  keyAttributes,
  type RestoreOrigin,
  type TableDescriptor,
  type Throughput,
  untilRestored,
} from "../engine/descriptor.ts";
import { backupArnOf } from "./backup-arn.ts";
import { checkEncryption, encryptionOf, warmOf } from "./create-table.ts";
import type { Context } from "./operation.ts";
import { projectionOf } from "./table-indexes.ts";
import { checkAccountQuota, checkTableQuotas, noUnits, reservedByOthers } from "./table-quotas.ts";
import { checkCapacityBounds, noThroughput, onDemandOf, throughputOf } from "./table-throughput.ts";

/** There are no vector indexes, and so none to choose from. */
export const refusedOverrides = ["VectorIndexOverride"] as const;

export function refuseOverrides(operation: string, request: RestoreOverrides): void {
  for (const name of refusedOverrides) {
    if ((request[name]?.length ?? 0) > 0) throw notSupportedYet(operation, name);
  }
}

/** Whether the name is free for a table to be restored. */
export function checkTarget(
  context: Context,
  name: string,
  existing: TableDescriptor | undefined,
): void {
  if (existing === undefined || isGone(existing, context.database.clock.now())) return;
  const { restore } = existing;
  if (restore === undefined) throw errors.restoreTargetExists(name);
  const arn = restore.backup && backupArnOf(context, restore.table, restore.backup);
  throw errors.restoreTargetInUse(name, arn);
}

/** What a restored table takes over of its source, and what of the request; all else is as of a new table. */
export async function restoreRequest(
  context: Context,
  name: string,
  source: TableDescriptor,
  origin: RestoreOrigin,
  overrides: RestoreOverrides,
): Promise<RestoreRequest> {
  const draft = draftOf(context, name, source, origin, overrides);
  const reserves = draft.billingMode === "PROVISIONED";
  const others = reserves ? await reservedByOthers(context, name) : noUnits;
  return {
    ids: 1 + draft.indexes.length,
    target: (firstId) => ({
      ...draft,
      id: firstId,
      indexes: draft.indexes.map((index, place) => ({ ...index, id: firstId + 1 + place })),
    }),
    check: (existing) => {
      checkTarget(context, name, existing);
      checkTableQuotas(draft, undefined, context.region);
      checkAccountQuota(others, undefined, draft, context.region);
    },
  };
}

function draftOf(
  context: Context,
  name: string,
  source: TableDescriptor,
  origin: RestoreOrigin,
  overrides: RestoreOverrides,
): TableDescriptor {
  const now = context.database.clock.now();
  const billingMode = overrides.BillingModeOverride ?? source.billingMode;
  checkThroughput(overrides, billingMode);
  checkOnDemand(overrides.OnDemandThroughputOverride, billingMode);
  checkEncryption(overrides.SSESpecificationOverride);
  const { SSESpecificationOverride: encryption, OnDemandThroughputOverride: limits } = overrides;
  const isOnDemand = billingMode === "PAY_PER_REQUEST";
  const onDemand = limits === undefined ? source.onDemand : onDemandOf(limits).onDemand;
  return {
    namespace: context.namespace,
    name,
    id: 0,
    version: 1,
    uuid: newUuid(),
    createdAt: now,
    key: source.key,
    indexes: indexesOf(source, overrides, billingMode),
    billingMode,
    ...(isOnDemand && { onDemandSince: now }),
    throughput: restoredUnits(source.throughput, billingMode, overrides),
    ...(isOnDemand && onDemand !== undefined && { onDemand }),
    deletionProtection: false,
    ...(encryption !== undefined
      ? encryptionOf(encryption)
      : source.encryption !== undefined && { encryption: source.encryption }),
    restore: origin,
    transition: { status: "CREATING", until: untilRestored },
  };
}

function checkThroughput(overrides: RestoreOverrides, billingMode: BillingMode): void {
  const { BillingModeOverride: mode, ProvisionedThroughputOverride: units } = overrides;
  if (units === undefined) {
    if (mode === "PROVISIONED") throw errors.restoredThroughputMissing();
    return;
  }
  if (mode === "PAY_PER_REQUEST") throw errors.restoredThroughputOfOnDemand();
  if (billingMode !== "PROVISIONED") throw errors.restoredThroughputWithoutMode();
  checkCapacityBounds(units);
}

const onDemandMembers = ["MaxReadRequestUnits", "MaxWriteRequestUnits"] as const;

function checkOnDemand(limits: OnDemandThroughput | undefined, billingMode: BillingMode): void {
  for (const member of onDemandMembers) {
    const value = limits?.[member];
    if (value === undefined) continue;
    if (billingMode === "PROVISIONED") throw errors.restoredLimitOfProvisioned(member);
    if (value < 1) throw errors.restoredLimitOutOfRange(member);
  }
}

function restoredUnits(
  { read, write }: Throughput,
  billingMode: BillingMode,
  { ProvisionedThroughputOverride: units }: RestoreOverrides,
): Throughput {
  if (billingMode === "PAY_PER_REQUEST") return noThroughput;
  return units === undefined ? { read, write, decreasesToday: 0 } : throughputOf(units);
}

/** Indexes can be left out and get other names, but none can be new. An empty list leaves out all. */
function indexesOf(
  source: TableDescriptor,
  overrides: RestoreOverrides,
  billingMode: BillingMode,
): IndexDescriptor[] {
  const { LocalSecondaryIndexOverride: local, GlobalSecondaryIndexOverride: global } = overrides;
  const kept = (kind: IndexDescriptor["kind"]) =>
    source.indexes.filter((index) => index.kind === kind);
  const names = new Set<string>();
  const takeName = (name: string): void => {
    if (names.has(name)) throw duplicateIndexName(name);
    names.add(name);
  };
  const locals =
    local?.map((index) => {
      takeName(index.IndexName);
      return { ...plain(matching(kept("local"), index)), name: index.IndexName };
    }) ?? kept("local").map(plain);
  const globals =
    global?.map((index) => {
      takeName(index.IndexName);
      return overridden(matching(kept("global"), index), index, overrides, billingMode);
    }) ?? kept("global").map((index) => keptGlobal(index, billingMode));
  return [...locals, ...globals];
}

/** What of an index is the same in every table. */
function plain({ name, kind, key, projection }: IndexDescriptor): IndexDescriptor {
  return { name, id: 0, kind, key, projection, ready: true };
}

function keptGlobal(index: IndexDescriptor, billingMode: BillingMode): IndexDescriptor {
  const { throughput, onDemand } = index;
  if (billingMode === "PAY_PER_REQUEST") {
    return {
      ...plain(index),
      throughput: noThroughput,
      ...(onDemand !== undefined && { onDemand }),
    };
  }
  if (throughput === undefined || throughput.read === 0) {
    throw errors.restoredIndexThroughputMissing(index.name);
  }
  const { read, write } = throughput;
  return { ...plain(index), throughput: { read, write, decreasesToday: 0 } };
}

function overridden(
  index: IndexDescriptor,
  request: GlobalSecondaryIndex,
  { BillingModeOverride: mode }: RestoreOverrides,
  billingMode: BillingMode,
): IndexDescriptor {
  const { IndexName: name, ProvisionedThroughput: units, OnDemandThroughput: limits } = request;
  if (billingMode === "PROVISIONED") {
    if (units === undefined) throw errors.restoredIndexThroughputMissing(name);
    checkCapacityBounds(units, name);
  } else if (units !== undefined) {
    if (mode === "PAY_PER_REQUEST") throw errors.restoredThroughputOfOnDemand(name);
    throw errors.restoredThroughputWithoutMode();
  }
  checkOnDemand(limits, billingMode);
  return {
    ...plain(index),
    name,
    throughput: throughputOf(units),
    ...onDemandOf(limits),
    ...warmOf(request, billingMode, name),
  };
}

function matching(
  indexes: readonly IndexDescriptor[],
  { IndexName: name, KeySchema: key, Projection: projection }: LocalSecondaryIndex,
): IndexDescriptor {
  const wanted = projectionOf(projection);
  const found = indexes.find(
    (index) =>
      isSameKey(index.key, key) &&
      index.projection.type === wanted.type &&
      isSameSet(index.projection.attributes, wanted.attributes),
  );
  if (found === undefined) throw errors.restoredIndexUnknown(name);
  return found;
}

function isSameKey(key: KeySchema, elements: readonly KeySchemaElement[]): boolean {
  const attributes = keyAttributes(key);
  return (
    attributes.length === elements.length &&
    elements.every(
      ({ AttributeName: name, KeyType: type }, i) =>
        attributes[i]?.name === name && type === (i < key.hash.length ? "HASH" : "RANGE"),
    )
  );
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name) => others.includes(name));
}
