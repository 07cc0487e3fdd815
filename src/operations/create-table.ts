import { tableBeingRestored } from "../api/errors/backups.ts";
import * as errors from "../api/errors/table.ts";
import {
  onDemandLimitOfProvisionedNewTable,
  throughputMissing,
  throughputWithOnDemand,
} from "../api/errors/throughput.ts";
import { readPolicy } from "../api/policy/read-policy.ts";
import { type CreateTableRequest, createTableShape } from "../api/requests/create-table.ts";
import type { SSESpecification } from "../api/requests/shared.ts";
import { isGone, newUuid } from "../engine/catalog.ts";
import type {
  BillingMode,
  IndexDescriptor,
  KeySchema,
  TableDescriptor,
} from "../engine/descriptor.ts";
import type { Context, Operation } from "./operation.ts";
import { tableDescription } from "./table-description.ts";
import {
  checkGlobalIndexes,
  checkLocalIndexes,
  checkProjectedTotal,
  projectionOf,
} from "./table-indexes.ts";
import { checkTableKey, Definitions, keySchemaOf, namesOf } from "./table-keys.ts";
import { tableArn } from "./table-name.ts";
import { checkAccountQuota, checkTableQuotas, noUnits, reservedByOthers } from "./table-quotas.ts";
import { checkNewStream, withNewStream } from "./table-streams.ts";
import {
  checkCapacityBounds,
  checkOnDemand,
  onDemandOf,
  startWarm,
  throughputOf,
} from "./table-throughput.ts";
import { checkedTags } from "./tags.ts";

const operation = "CreateTable";

const refused = [
  "GlobalTableSourceArn",
  "GlobalTableSettingsReplicationMode",
  "VectorIndexes",
] as const;

export const createTable: Operation<CreateTableRequest> = {
  name: operation,
  shape: createTableShape,
  refused,
  async run(context, request) {
    const { database, namespace, region } = context;
    const draft = draftTable(context, request);
    const reserves = draft.billingMode === "PROVISIONED";
    const others = reserves ? await reservedByOthers(context, draft.name) : noUnits;
    const idCount = 1 + draft.indexes.length;
    const streamed = request.StreamSpecification?.StreamEnabled === true;
    const firstId = await database.catalog.takeIds(idCount + Number(streamed));
    const plain: TableDescriptor = {
      ...draft,
      id: firstId,
      indexes: draft.indexes.map((index, place) => ({ ...index, id: firstId + 1 + place })),
    };
    const { table, writes } = await withNewStream(context, plain, request, firstId + idCount);
    await database.catalog.change(namespace, table.name, (existing) => {
      if (existing !== undefined && !isGone(existing, database.clock.now())) {
        throw existing.restore === undefined
          ? errors.tableExists(table.name)
          : tableBeingRestored(table.name);
      }
      checkTableQuotas(table, undefined, region);
      checkAccountQuota(others, undefined, table, region);
      return { table, writes, result: undefined };
    });
    return { TableDescription: await tableDescription(context, table, { status: "CREATING" }) };
  },
};

/** The table that is asked for, without ids, if all is well with the request. */
export function draftTable(context: Context, request: CreateTableRequest): TableDescriptor {
  const definitions = new Definitions(request.AttributeDefinitions);
  check(request, definitions);
  return draftOf(context, request, definitions);
}

/** All that can be said of the request alone, in the order of the service. */
function check(request: CreateTableRequest, definitions: Definitions): void {
  const billingMode = request.BillingMode ?? "PROVISIONED";
  const { ProvisionedThroughput: throughput, KeySchema: key } = request;
  const { LocalSecondaryIndexes: local, GlobalSecondaryIndexes: global } = request;
  if (billingMode === "PAY_PER_REQUEST") {
    if (throughput !== undefined) throw throughputWithOnDemand();
  } else {
    if (throughput === undefined) throw throughputMissing();
    checkCapacityBounds(throughput);
  }
  checkTableKey(key, definitions);
  if (local === undefined && global === undefined && key.length !== definitions.names.length) {
    throw errors.definitionCountMismatch();
  }
  const names = new Set<string>();
  if (local !== undefined) checkLocalIndexes(local, key, definitions, names);
  if (global !== undefined) checkGlobalIndexes(global, billingMode, definitions, names);
  const keys = [key, ...(local ?? []).map(keyOf), ...(global ?? []).map(keyOf)];
  definitions.assertUsed(new Set(keys.flatMap(namesOf)));
  checkNewStream(request.StreamSpecification);
  checkEncryption(request.SSESpecification);
  checkOnDemandLimits(request, billingMode);
  refuseUnsupported(request);
}

const keyOf = (index: { readonly KeySchema: CreateTableRequest["KeySchema"] }) => index.KeySchema;

/** The descriptor's form of an encryption with a key of the customer's or the service's. */
export function encryptionOf(
  request: SSESpecification | undefined,
): Pick<TableDescriptor, "encryption"> {
  if (request?.Enabled !== true) return {};
  const keyId = request.KMSMasterKeyId;
  return { encryption: keyId === undefined ? {} : { keyId } };
}

export function checkEncryption(request: SSESpecification | undefined): void {
  if (request === undefined) return;
  if (request.Enabled !== true) {
    for (const member of ["SSEType", "KMSMasterKeyId"] as const) {
      if (request[member] !== undefined) throw errors.encryptionSettingWithoutEncryption(member);
    }
  } else if (request.SSEType === "AES256") throw errors.encryptionTypeNotSupported("AES256");
}

function checkOnDemandLimits(request: CreateTableRequest, billingMode: BillingMode): void {
  const refusal = onDemandLimitOfProvisionedNewTable;
  checkOnDemand(request.OnDemandThroughput, billingMode, refusal, { removable: false });
  for (const index of request.GlobalSecondaryIndexes ?? []) {
    checkOnDemand(index.OnDemandThroughput, billingMode, refusal, {
      removable: false,
      index: index.IndexName,
    });
  }
}

/** An empty list of vector indexes asks for nothing. */
function refuseUnsupported(request: CreateTableRequest): void {
  for (const name of refused) {
    if (request[name] === undefined) continue;
    if (name === "VectorIndexes" && request[name].length === 0) continue;
    throw errors.notSupportedYet(operation, name);
  }
}

/** The descriptor without ids. */
function draftOf(
  context: Context,
  request: CreateTableRequest,
  definitions: Definitions,
): TableDescriptor {
  const { clock, transitionMs } = context.database;
  const now = clock.now();
  const billingMode = request.BillingMode ?? "PROVISIONED";
  const throughput = throughputOf(request.ProvisionedThroughput);
  const indexes = indexesOf(request, definitions, billingMode);
  checkProjectedTotal(indexes);
  const tags = checkedTags(request.Tags ?? []);
  const policy = newPolicy(context, request, now);
  return {
    namespace: context.namespace,
    name: request.TableName,
    id: 0,
    version: 1,
    uuid: newUuid(),
    createdAt: now,
    key: keySchemaOf(request.KeySchema, (name) => definitions.type(name)),
    indexes,
    billingMode,
    ...(billingMode === "PAY_PER_REQUEST" && { onDemandSince: now }),
    throughput,
    ...onDemandOf(request.OnDemandThroughput),
    ...warmOf(request, billingMode),
    deletionProtection: request.DeletionProtectionEnabled ?? false,
    ...(request.TableClass !== undefined && { tableClass: request.TableClass }),
    ...encryptionOf(request.SSESpecification),
    ...(tags.length > 0 && { tags }),
    ...(policy !== undefined && { policy }),
    ...(transitionMs > 0 && { transition: { status: "CREATING", until: now + transitionMs } }),
  };
}

function newPolicy(
  context: Context,
  { TableName: name, ResourcePolicy: text }: CreateTableRequest,
  now: number,
): TableDescriptor["policy"] {
  if (text === undefined) return undefined;
  const subject = {
    kind: "table",
    arn: tableArn(context, name),
    account: context.account,
  } as const;
  const { document, versionless } = readPolicy(text, subject);
  return { revision: now, document, ...(versionless && { versionless }) };
}

type WarmParameters = Pick<CreateTableRequest, "ProvisionedThroughput" | "WarmThroughput">;

/** Kept only if a request asked for it; else it follows from the billing mode. */
export function warmOf(
  request: WarmParameters,
  billingMode: BillingMode,
  index?: string,
): Pick<TableDescriptor, "warm"> {
  if (request.WarmThroughput === undefined) return {};
  const throughput = throughputOf(request.ProvisionedThroughput);
  return { warm: startWarm(billingMode, throughput, request.WarmThroughput, index) };
}

function indexesOf(
  request: CreateTableRequest,
  definitions: Definitions,
  billingMode: BillingMode,
): IndexDescriptor[] {
  const schema = (key: CreateTableRequest["KeySchema"]): KeySchema =>
    keySchemaOf(key, (name) => definitions.type(name));
  const local = (request.LocalSecondaryIndexes ?? []).map(
    (index): IndexDescriptor => ({
      name: index.IndexName,
      id: 0,
      kind: "local",
      key: schema(index.KeySchema),
      projection: projectionOf(index.Projection),
      ready: true,
    }),
  );
  const global = (request.GlobalSecondaryIndexes ?? []).map(
    // A new table is empty: there is nothing to fill its indexes with.
    (index) => globalIndexOf(index, schema(index.KeySchema), billingMode, true),
  );
  return [...local, ...global];
}

export function globalIndexOf(
  index: NonNullable<CreateTableRequest["GlobalSecondaryIndexes"]>[number],
  key: KeySchema,
  billingMode: BillingMode,
  ready: boolean,
): IndexDescriptor {
  return {
    name: index.IndexName,
    id: 0,
    kind: "global",
    key,
    projection: projectionOf(index.Projection),
    ready,
    throughput: throughputOf(index.ProvisionedThroughput),
    ...onDemandOf(index.OnDemandThroughput),
    ...warmOf(index, billingMode, index.IndexName),
  };
}
