import type { CreateTableRequest, GlobalSecondaryIndex } from "../../api/requests/create-table.ts";
import type {
  AttributeDefinition,
  KeySchemaElement,
  OnDemandThroughput,
  Projection,
  ProvisionedThroughput,
  SSESpecification,
  WarmThroughput,
} from "../../api/requests/shared.ts";
import type { KeyType } from "../../item/attribute-value.ts";
import type { Billing, Index, KeyAttribute, Provisioned, Table } from "../../model/design.ts";
import type { StreamView } from "../../model/document-design.ts";
import type { UnitsDocument } from "../../model/document-parts.ts";
import type { Model } from "../../model/model.ts";
import { currentPeriods } from "../values/time-of.ts";

/** The requests that make one table of a design. */
export interface TableRequests {
  readonly table: Table;
  /** Which of its periods it is for, such as 2026-11. */
  readonly period: string | undefined;
  readonly create: CreateTableRequest;
  /** The attribute that says when items expire. */
  readonly ttl: string | undefined;
  readonly scaling: readonly Scaling[];
}

/** Auto scaling of one direction of a table or an index. */
export interface Scaling {
  readonly index: string | undefined;
  readonly direction: "read" | "write";
  readonly min: number;
  readonly max: number;
  readonly target: number;
}

/** The name of a table, or of its table for a period. */
export function tableName({ name }: Pick<Table, "name">, period: string | undefined): string {
  return period === undefined ? name : `${name}-${period}`;
}

/** All tables of a design; of one that has periods, those of this period and the one before. */
export function tableRequests(model: Model, now: number): readonly TableRequests[] {
  return [...(model.design?.tables.values() ?? [])].flatMap((table) => {
    const { periods } = table;
    if (periods === undefined) return [requestsFor(table, undefined, table)];
    const [current, before] = currentPeriods(periods.every, now);
    return [requestsFor(table, current, table), requestsFor(table, before, periods.older)];
  });
}

/** The requests for one table of a design, or for that of one of its periods. */
export function requestsFor(
  table: Table,
  period: string | undefined,
  run: Pick<Table, "billing" | "class">,
): TableRequests {
  const { billing } = run;
  return {
    table,
    period,
    create: createRequest(table, tableName(table, period), run),
    ttl: table.ttl && expiryName(table, table.ttl),
    scaling:
      billing.mode === "on-demand"
        ? []
        : [
            ...scalingOf(undefined, billing.provisioned),
            ...[...table.indexes.values()].flatMap(({ name, throughput }) =>
              throughput === undefined ? [] : scalingOf(name, throughput),
            ),
          ],
  };
}

function createRequest(
  table: Table,
  name: string,
  { billing, class: tableClass }: Pick<Table, "billing" | "class">,
): CreateTableRequest {
  const indexes = [...table.indexes.values()];
  const local = indexes.filter((index) => index.local);
  const global = indexes.filter((index) => !index.local);
  const sse = encryptionOf(table.encryption);
  return {
    TableName: name,
    AttributeDefinitions: definitionsOf(table),
    KeySchema: keySchema([table.partition.name], table.sort === undefined ? [] : [table.sort.name]),
    ...(local.length > 0 && {
      LocalSecondaryIndexes: local.map((index) => ({
        IndexName: index.name,
        KeySchema: indexKey(table, index),
        Projection: projectionOf(table, index),
      })),
    }),
    ...(global.length > 0 && {
      GlobalSecondaryIndexes: global.map((index) => globalIndex(table, index, billing)),
    }),
    ...billingOf(billing),
    ...(tableClass === "infrequent-access" && { TableClass: "STANDARD_INFREQUENT_ACCESS" }),
    ...(table.stream !== undefined && {
      StreamSpecification: { StreamEnabled: true, StreamViewType: views[table.stream] },
    }),
    ...(sse !== undefined && { SSESpecification: sse }),
    DeletionProtectionEnabled: table.deletionProtection,
    ...limitsOf(billing, table),
  };
}

const views = {
  "new-and-old-images": "NEW_AND_OLD_IMAGES",
  "new-image": "NEW_IMAGE",
  "old-image": "OLD_IMAGE",
  "keys-only": "KEYS_ONLY",
} as const satisfies Record<StreamView, string>;

function encryptionOf(encryption: Table["encryption"]): SSESpecification | undefined {
  if (encryption === "owned") return undefined;
  if (encryption === "managed") return { Enabled: true, SSEType: "KMS" };
  return { Enabled: true, SSEType: "KMS", KMSMasterKeyId: encryption.key };
}

function billingOf(
  billing: Billing,
): Pick<CreateTableRequest, "BillingMode" | "ProvisionedThroughput"> {
  return billing.mode === "on-demand"
    ? { BillingMode: "PAY_PER_REQUEST" }
    : { BillingMode: "PROVISIONED", ProvisionedThroughput: unitsOf(billing.provisioned) };
}

function unitsOf({ read, write }: Provisioned): ProvisionedThroughput {
  return { ReadCapacityUnits: read, WriteCapacityUnits: write };
}

function limitsOf(
  { mode }: Billing,
  { prewarm, maximum }: Pick<Table | Index, "prewarm" | "maximum">,
): { readonly WarmThroughput?: WarmThroughput; readonly OnDemandThroughput?: OnDemandThroughput } {
  const given = <T>(units: UnitsDocument | undefined, read: keyof T, write: keyof T): T =>
    ({
      ...(units?.read !== undefined && { [read]: units.read }),
      ...(units?.write !== undefined && { [write]: units.write }),
    }) as T;
  return {
    ...(prewarm !== undefined && {
      WarmThroughput: given<WarmThroughput>(prewarm, "ReadUnitsPerSecond", "WriteUnitsPerSecond"),
    }),
    // A period that is over may have another billing mode, for which there is no such limit.
    ...(maximum !== undefined &&
      mode === "on-demand" && {
        OnDemandThroughput: given<OnDemandThroughput>(
          maximum,
          "MaxReadRequestUnits",
          "MaxWriteRequestUnits",
        ),
      }),
  };
}

function globalIndex(table: Table, index: Index, billing: Billing): GlobalSecondaryIndex {
  return {
    IndexName: index.name,
    KeySchema: indexKey(table, index),
    Projection: projectionOf(table, index),
    // An index that says nothing of its throughput has as much as the table.
    ...(billing.mode === "provisioned" && {
      ProvisionedThroughput: unitsOf(index.throughput ?? billing.provisioned),
    }),
    ...limitsOf(billing, index),
  };
}

function scalingOf(index: string | undefined, { autoScaling }: Provisioned): readonly Scaling[] {
  return (["read", "write"] as const).flatMap((direction) => {
    const scaling = autoScaling[direction];
    return scaling === undefined ? [] : [{ index, direction, ...scaling }];
  });
}

function keySchema(
  partition: readonly string[],
  sort: readonly string[],
): readonly KeySchemaElement[] {
  return [
    ...partition.map((AttributeName) => ({ AttributeName, KeyType: "HASH" as const })),
    ...sort.map((AttributeName) => ({ AttributeName, KeyType: "RANGE" as const })),
  ];
}

function indexKey(table: Table, index: Index): readonly KeySchemaElement[] {
  const stored = ({ name }: KeyAttribute): string => keyName(table, index, name);
  return keySchema(index.partition.map(stored), index.sort.map(stored));
}

/** Attributes of entities may be stored under other names; what is made for an index is called as in it. */
function keyName(table: Table, index: Index, name: string): string {
  const isMade = [...index.members.values()].some(({ sets }) =>
    sets.some(({ attribute }) => attribute === name),
  );
  const isTableKey = name === table.partition.name || name === table.sort?.name;
  if (isMade || isTableKey) return name;
  const members = [...index.members.keys()];
  const renamed = members.flatMap((entity) => table.placements.get(entity)?.names.get(name) ?? []);
  return renamed[0] ?? name;
}

/** What an attribute is called in the table's items: by entity, each name once. */
function storedNames({ placements }: Table, attribute: string): readonly string[] {
  const names = [...placements.values()]
    .filter(
      ({ stores, splits }) =>
        stores.includes(attribute) || splits.some((one) => one.attributes.includes(attribute)),
    )
    .map((one) => one.names.get(attribute) ?? attribute);
  return [...new Set(names)];
}

function expiryName({ placements }: Table, ttl: NonNullable<Table["ttl"]>): string {
  const [first = ""] = ttl.entities;
  return placements.get(first)?.names.get(ttl.attribute) ?? ttl.attribute;
}

function projectionOf(table: Table, index: Index): Projection {
  const { projection } = index;
  if (projection === "all") return { ProjectionType: "ALL" };
  if (projection === "keys") return { ProjectionType: "KEYS_ONLY" };
  const keys = new Set([
    table.partition.name,
    ...(table.sort === undefined ? [] : [table.sort.name]),
    ...indexKey(table, index).map(({ AttributeName }) => AttributeName),
  ]);
  const stored = new Set(projection.flatMap((attribute) => storedNames(table, attribute)));
  const others = [...stored].filter((name) => !keys.has(name));
  // Keys are in every index, so a list of nothing else says no more than that.
  if (others.length === 0) return { ProjectionType: "KEYS_ONLY" };
  return { ProjectionType: "INCLUDE", NonKeyAttributes: others };
}

function definitionsOf(table: Table): readonly AttributeDefinition[] {
  const types = new Map<string, KeyType>();
  const add = (name: string, type: KeyType): void => {
    if (!types.has(name)) types.set(name, type);
  };
  for (const key of [table.partition, table.sort]) if (key !== undefined) add(key.name, key.type);
  for (const index of table.indexes.values()) {
    for (const { name, type } of [...index.partition, ...index.sort]) {
      add(keyName(table, index, name), type);
    }
  }
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}
