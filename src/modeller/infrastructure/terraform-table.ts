import type { GlobalSecondaryIndex } from "../../api/requests/create-table.ts";
import type {
  AttributeDefinition,
  OnDemandThroughput,
  Projection,
  WarmThroughput,
} from "../../api/requests/shared.ts";
import type { TableDescription } from "./describe.ts";
import {
  args,
  type Block,
  block,
  type Entry,
  expression,
  hclKey,
  hclString,
  type Value,
} from "./hcl.ts";
import { warmReadsMin, warmWritesMin } from "./service-limits.ts";
import { tagsOf } from "./tags.ts";
import type { TerraformNames } from "./terraform-names.ts";

/** The resource of a table; of one that has periods, one for each of them. */
export function tableBlock(description: TableDescription, names: TerraformNames): Block {
  const { table, now } = description;
  const { create } = now;
  const pick = picker(description, names);
  const [hash, range] = create.KeySchema.map(({ AttributeName }) => AttributeName);
  const units = (direction: "read" | "write"): Value | undefined =>
    pick(({ create: one }) =>
      direction === "read"
        ? one.ProvisionedThroughput?.ReadCapacityUnits
        : one.ProvisionedThroughput?.WriteCapacityUnits,
    );
  return {
    ...block(
      "resource",
      [
        ...args({
          ...(table.periods !== undefined && { for_each: expression(names.periodsOf(table)) }),
        }),
        ...args({
          name: expression(names.tableName(table)),
          billing_mode: pick(({ create: one }) => one.BillingMode),
          read_capacity: units("read"),
          write_capacity: units("write"),
          hash_key: hash,
          range_key: range,
          table_class: pick(({ create: one }) => one.TableClass ?? "STANDARD"),
          stream_enabled: create.StreamSpecification !== undefined,
          stream_view_type: create.StreamSpecification?.StreamViewType,
          deletion_protection_enabled: create.DeletionProtectionEnabled,
        }),
        ...attributesOf(description).map(({ AttributeName, AttributeType }) =>
          block("attribute", args({ name: AttributeName, type: AttributeType })),
        ),
        ...(hasOwnIndexes(description) ? [] : (create.GlobalSecondaryIndexes ?? [])).map((index) =>
          globalIndex(index, description, names),
        ),
        ...(create.LocalSecondaryIndexes ?? []).map(({ IndexName, KeySchema, Projection }) => ({
          ...block(
            "local_secondary_index",
            args({
              name: IndexName,
              range_key: KeySchema[1]?.AttributeName,
              ...projectionArgs(Projection),
            }),
          ),
          ...purposeOf(description, IndexName),
        })),
        ...limits(description, names, ({ create: one }) => one),
        ...(now.ttl === undefined
          ? []
          : [block("ttl", args({ attribute_name: now.ttl, enabled: true }))]),
        ...recovery(description),
        ...encryption(description, names),
        ...replicas(description, names),
        ...args({ tags: tags(description) }),
        ...lifecycle(description),
      ],
      "aws_dynamodb_table",
      names.table(table),
    ),
    ...(table.purpose !== undefined && { comment: table.purpose }),
  };
}

/**
 * Whether the global indexes are resources of their own. Auto scaling changes their units, and only a resource of its
 * own can leave that alone: as a block of the table, an index would be set back whenever the module is applied. Those
 * of tables with periods stay blocks, because periods that are over may be billed in another way.
 */
export function hasOwnIndexes({ table, now }: TableDescription): boolean {
  return table.periods === undefined && now.scaling.some(({ index }) => index !== undefined);
}

/** Replicas of a table with fixed units are made when its writes are scaled, so not with the table. */
export function hasOwnReplicas({ table, now }: TableDescription): boolean {
  return table.replicas.length > 0 && now.create.BillingMode === "PROVISIONED";
}

/** Those of the keys that the resource states. */
function attributesOf(description: TableDescription): readonly AttributeDefinition[] {
  const { AttributeDefinitions, KeySchema, LocalSecondaryIndexes = [] } = description.now.create;
  if (!hasOwnIndexes(description)) return AttributeDefinitions;
  const keys = [KeySchema, ...LocalSecondaryIndexes.map((index) => index.KeySchema)].flat();
  return AttributeDefinitions.filter((one) =>
    keys.some(({ AttributeName }) => AttributeName === one.AttributeName),
  );
}

type Part = Partial<Pick<GlobalSecondaryIndex, "OnDemandThroughput" | "WarmThroughput">>;
type Requests = TableDescription["now"];

/** A value that may be another one for periods that are over. */
function picker(
  { table, now, older }: TableDescription,
  names: TerraformNames,
): (of: (requests: Requests) => string | number | undefined) => Value | undefined {
  return (of) => {
    const [current, before] = [of(now), of(older ?? now)];
    if (current === before) return current;
    const code = (value: string | number | undefined): string =>
      value === undefined ? "null" : typeof value === "string" ? `"${value}"` : String(value);
    return expression(`${names.isCurrent(table)} ? ${code(current)} : ${code(before)}`);
  };
}

function globalIndex(
  { IndexName, KeySchema, Projection }: GlobalSecondaryIndex,
  description: TableDescription,
  names: TerraformNames,
): Block {
  const pick = picker(description, names);
  const same = (requests: Requests): GlobalSecondaryIndex | undefined =>
    requests.create.GlobalSecondaryIndexes?.find((one) => one.IndexName === IndexName);
  const index = block("global_secondary_index", [
    ...args({
      name: IndexName,
      ...projectionArgs(Projection),
      read_capacity: pick((one) => same(one)?.ProvisionedThroughput?.ReadCapacityUnits),
      write_capacity: pick((one) => same(one)?.ProvisionedThroughput?.WriteCapacityUnits),
    }),
    ...KeySchema.map(({ AttributeName, KeyType }) =>
      block("key_schema", args({ attribute_name: AttributeName, key_type: KeyType })),
    ),
    ...limits(description, names, same),
  ]);
  return { ...index, ...purposeOf(description, IndexName) };
}

function purposeOf({ table }: TableDescription, index: string): Pick<Block, "comment"> {
  const { purpose } = table.indexes.get(index) ?? {};
  return purpose === undefined ? {} : { comment: purpose };
}

function projectionArgs({ ProjectionType, NonKeyAttributes }: Projection): Record<string, Value> {
  return {
    projection_type: ProjectionType ?? "ALL",
    ...(NonKeyAttributes !== undefined && { non_key_attributes: NonKeyAttributes }),
  };
}

/** The most that on-demand may use, and what is warm from the start. */
function limits(
  { table, now, older }: TableDescription,
  names: TerraformNames,
  of: (requests: Requests) => Part | undefined,
): readonly Block[] {
  const most = (one: OnDemandThroughput): readonly Entry[] =>
    args({
      max_read_request_units: one.MaxReadRequestUnits,
      max_write_request_units: one.MaxWriteRequestUnits,
    });
  const warm = (one: WarmThroughput): readonly Entry[] => args(warmArgs(one));
  const current = of(now);
  const before = older === undefined ? current : of(older);
  const limit = current?.OnDemandThroughput ?? before?.OnDemandThroughput;
  const isBoth =
    (current?.OnDemandThroughput === undefined) === (before?.OnDemandThroughput === undefined);
  const blocks: Block[] = [];
  if (limit !== undefined && isBoth) blocks.push(block("on_demand_throughput", most(limit)));
  else if (limit !== undefined) {
    const test = `${current?.OnDemandThroughput === undefined ? "!" : ""}(${names.isCurrent(table)})`;
    blocks.push(
      block(
        "dynamic",
        [...args({ for_each: expression(`${test} ? [1] : []`) }), block("content", most(limit))],
        "on_demand_throughput",
      ),
    );
  }
  const { WarmThroughput: warmed } = current ?? {};
  if (warmed !== undefined && warm(warmed).length > 0) {
    blocks.push(block("warm_throughput", warm(warmed)));
  }
  return blocks;
}

/** The provider takes no less than what every on-demand table has. */
export function warmArgs(one: WarmThroughput): Readonly<Record<string, Value>> {
  const { ReadUnitsPerSecond: reads = 0, WriteUnitsPerSecond: writes = 0 } = one;
  return {
    ...(reads >= warmReadsMin && { read_units_per_second: reads }),
    ...(writes >= warmWritesMin && { write_units_per_second: writes }),
  };
}

function recovery({ table: { pitrDays } }: TableDescription): readonly Block[] {
  const entries =
    pitrDays === undefined
      ? { enabled: false }
      : { enabled: true, recovery_period_in_days: pitrDays };
  return [block("point_in_time_recovery", args(entries))];
}

function encryption({ table }: TableDescription, names: TerraformNames): readonly Block[] {
  if (table.encryption === "owned") return [];
  const key = table.encryption === "managed" ? undefined : expression(names.keyArn(table));
  return [block("server_side_encryption", args({ enabled: true, kms_key_arn: key }))];
}

function replicas(description: TableDescription, names: TerraformNames): readonly Block[] {
  const { table } = description;
  if (hasOwnReplicas(description)) return [];
  return table.replicas.map((region) =>
    block(
      "replica",
      args({
        region_name: region,
        ...replicaArgs(description, names, region),
        propagate_tags: true,
      }),
    ),
  );
}

function replicaArgs(
  { table }: TableDescription,
  names: TerraformNames,
  region: string,
): Readonly<Record<string, Value>> {
  return {
    point_in_time_recovery: table.pitrDays !== undefined,
    deletion_protection_enabled: table.deletionProtection,
    ...(typeof table.encryption === "object" && {
      kms_key_arn: expression(`var.${names.replicaKey(table, region)}`),
    }),
  };
}

/** Replicas that are resources of their own, one after the other, when writes are scaled everywhere. */
export function replicaBlocks(
  description: TableDescription,
  names: TerraformNames,
  scaled: readonly string[],
): readonly Block[] {
  if (!hasOwnReplicas(description)) return [];
  const { table } = description;
  const type = "aws_dynamodb_table_replica";
  return table.replicas.map((region, i) => {
    const before = i === 0 ? undefined : (table.replicas[i - 1] as string);
    const after = before === undefined ? scaled : [names.ref(type, table.name, before)];
    return block(
      "resource",
      args({
        region,
        global_table_arn: expression(`${names.tableRef(table)}.arn`),
        ...replicaArgs(description, names, region),
        tags: tags(description),
        depends_on: after.map(expression),
      }),
      type,
      names.resource(type, table.name, region),
    );
  });
}

function tags({ table }: TableDescription): Value {
  const own = [...tagsOf(table)].map(([key, value]) => `${hclKey(key)} = ${hclString(value)}`);
  if (own.length === 0) return expression("local.tags");
  return expression(`merge({ ${own.join(", ")} }, local.tags)`);
}

/** What is changed by something else is not set back: units by auto scaling, replicas by their own resources. */
function lifecycle(description: TableDescription): readonly Block[] {
  const { now, older } = description;
  if (older !== undefined) return [];
  const changed = [
    ...now.scaling
      .filter(({ index }) => index === undefined)
      .map(({ direction }) => (direction === "read" ? "read_capacity" : "write_capacity")),
    ...(hasOwnReplicas(description) ? ["replica"] : []),
  ];
  if (changed.length === 0) return [];
  return [block("lifecycle", args({ ignore_changes: changed.map(expression) }))];
}
