import type { GlobalSecondaryIndex } from "../../api/requests/create-table.ts";
import type { TableDescription } from "./describe.ts";
import { args, type Block, block, expression } from "./hcl.ts";
import { warmReadsMin, warmWritesMin } from "./service-limits.ts";
import type { TerraformNames } from "./terraform-names.ts";
import { hasOwnIndexes, warmArgs } from "./terraform-table.ts";

const type = "aws_dynamodb_global_secondary_index";

/** Global indexes that are resources of their own. A table makes one at a time, so each waits for the one before. */
export function indexBlocks(one: TableDescription, names: TerraformNames): readonly Block[] {
  if (!hasOwnIndexes(one)) return [];
  const indexes = one.now.create.GlobalSecondaryIndexes ?? [];
  return indexes.map((index, i) => indexBlock(one, names, index, indexes[i - 1]?.IndexName));
}

function indexBlock(
  { table, now }: TableDescription,
  names: TerraformNames,
  index: GlobalSecondaryIndex,
  before: string | undefined,
): Block {
  const { IndexName, KeySchema, Projection, ProvisionedThroughput: units } = index;
  const warm =
    Object.keys(warmArgs(index.WarmThroughput ?? {})).length > 0 ? index.WarmThroughput : undefined;
  const types = new Map(
    now.create.AttributeDefinitions.map((one) => [one.AttributeName, one.AttributeType]),
  );
  const scaled = now.scaling
    .filter((one) => one.index === IndexName)
    .map(({ direction }) => expression(`provisioned_throughput[0].${direction}_capacity_units`));
  const { purpose } = table.indexes.get(IndexName) ?? {};
  return {
    ...block(
      "resource",
      [
        ...args({
          table_name: expression(`${names.tableRef(table)}.name`),
          index_name: IndexName,
          // The provider wants both or none.
          ...(warm !== undefined && {
            warm_throughput: new Map([
              ["read_units_per_second", Math.max(warm.ReadUnitsPerSecond ?? 0, warmReadsMin)],
              ["write_units_per_second", Math.max(warm.WriteUnitsPerSecond ?? 0, warmWritesMin)],
            ]),
          }),
        }),
        ...KeySchema.map(({ AttributeName, KeyType }) =>
          block(
            "key_schema",
            args({
              attribute_name: AttributeName,
              attribute_type: types.get(AttributeName),
              key_type: KeyType,
            }),
          ),
        ),
        block(
          "projection",
          args({
            projection_type: Projection.ProjectionType ?? "ALL",
            non_key_attributes: Projection.NonKeyAttributes,
          }),
        ),
        block(
          "provisioned_throughput",
          args({
            read_capacity_units: units?.ReadCapacityUnits,
            write_capacity_units: units?.WriteCapacityUnits,
          }),
        ),
        ...args({
          depends_on:
            before === undefined ? undefined : [expression(names.ref(type, table.name, before))],
        }),
        ...(scaled.length === 0 ? [] : [block("lifecycle", args({ ignore_changes: scaled }))]),
      ],
      type,
      names.resource(type, table.name, IndexName),
    ),
    ...(purpose !== undefined && { comment: purpose }),
  };
}
