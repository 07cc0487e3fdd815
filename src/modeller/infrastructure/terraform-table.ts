import type { GlobalSecondaryIndex } from "../../api/requests/create-table.ts";
import type { OnDemandThroughput, Projection, WarmThroughput } from "../../api/requests/shared.ts";
import type { TableDescription } from "./describe.ts";
import { args, type Block, block, type Entry, expression, hclString, type Value } from "./hcl.ts";
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
        ...create.AttributeDefinitions.map(({ AttributeName, AttributeType }) =>
          block("attribute", args({ name: AttributeName, type: AttributeType })),
        ),
        ...(create.GlobalSecondaryIndexes ?? []).map((index) =>
          globalIndex(index, description, names),
        ),
        ...(create.LocalSecondaryIndexes ?? []).map(({ IndexName, KeySchema, Projection }) =>
          block(
            "local_secondary_index",
            args({
              name: IndexName,
              range_key: KeySchema[1]?.AttributeName,
              ...projectionArgs(Projection),
            }),
          ),
        ),
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
  return block("global_secondary_index", [
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
  const warm = (one: WarmThroughput): readonly Entry[] =>
    args({
      read_units_per_second: one.ReadUnitsPerSecond,
      write_units_per_second: one.WriteUnitsPerSecond,
    });
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
  if (warmed !== undefined) blocks.push(block("warm_throughput", warm(warmed)));
  return blocks;
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

function replicas({ table }: TableDescription, names: TerraformNames): readonly Block[] {
  const hasKey = typeof table.encryption === "object";
  return table.replicas.map((region) =>
    block(
      "replica",
      args({
        region_name: region,
        point_in_time_recovery: table.pitrDays !== undefined,
        propagate_tags: true,
        deletion_protection_enabled: table.deletionProtection,
        kms_key_arn: hasKey ? expression(`var.${names.replicaKey(table, region)}`) : undefined,
      }),
    ),
  );
}

function tags({ table }: TableDescription): Value {
  if (table.tags.size === 0) return expression("local.tags");
  const own = [...table.tags].map(([key, value]) => `{ ${hclString(key)} = ${hclString(value)} }`);
  return expression(`merge(${own.join(", ")}, local.tags)`);
}

/** What auto scaling changes is not set back. That of indexes is: there is no way to leave it out alone. */
function lifecycle({ now, older }: TableDescription): readonly Block[] {
  if (older !== undefined) return [];
  const changed = now.scaling
    .filter(({ index }) => index === undefined)
    .map(({ direction }) => expression(direction === "read" ? "read_capacity" : "write_capacity"));
  return changed.length === 0 ? [] : [block("lifecycle", args({ ignore_changes: changed }))];
}
