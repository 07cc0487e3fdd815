import type { Scaling } from "../requests/table-requests.ts";
import type { TableDescription } from "./describe.ts";
import { args, type Block, block, expression } from "./hcl.ts";
import { each, type TerraformNames } from "./terraform-names.ts";
import { hasOwnIndexes } from "./terraform-table.ts";

export function scalingBlocks(one: TableDescription, names: TerraformNames): readonly Block[] {
  const { now, older, table } = one;
  if (older !== undefined) {
    return [
      ...now.scaling.flatMap((scaling) => pair(one, names, scaling, { only: "current" })),
      ...older.scaling.flatMap((scaling) => pair(one, names, scaling, { only: "before" })),
    ];
  }
  // Every Region of a table with replicas scales by itself, by the same rules.
  return [undefined, ...table.replicas].flatMap((region) =>
    now.scaling.flatMap((scaling) => pair(one, names, scaling, { region })),
  );
}

/** The policies that have to be there before a table with fixed units can have replicas. */
export function writePolicies(one: TableDescription, names: TerraformNames): readonly string[] {
  return one.now.scaling
    .filter(({ direction }) => direction === "write")
    .map((scaling) => names.ref("aws_appautoscaling_policy", ...wordsOf(one, scaling, {})));
}

interface Where {
  readonly only?: "current" | "before";
  readonly region?: string | undefined;
}

function wordsOf(
  { table }: TableDescription,
  { index, direction }: Scaling,
  { only, region }: Where,
): readonly string[] {
  return [
    table.name,
    ...(index === undefined ? [] : [index]),
    direction,
    ...(only === "before" ? ["before"] : []),
    ...(region === undefined ? [] : [region]),
  ];
}

function pair(
  one: TableDescription,
  names: TerraformNames,
  scaling: Scaling,
  where: Where,
): readonly Block[] {
  const { table } = one;
  const { index, direction, min, max, target } = scaling;
  const words = wordsOf(one, scaling, where);
  const units = direction === "read" ? "ReadCapacityUnits" : "WriteCapacityUnits";
  const target_ = names.ref("aws_appautoscaling_target", ...words);
  const own = table.periods === undefined ? target_ : `${target_}[each.key]`;
  const region = where.region === undefined ? {} : { region: where.region };
  return [
    block(
      "resource",
      [
        ...each(one, names, where.only),
        ...args({
          ...region,
          service_namespace: "dynamodb",
          resource_id: expression(`"${resourceId(one, names, index, where.region)}"`),
          scalable_dimension: `dynamodb:${index === undefined ? "table" : "index"}:${units}`,
          min_capacity: min,
          max_capacity: max,
          tags: expression("local.tags"),
        }),
      ],
      "aws_appautoscaling_target",
      names.resource("aws_appautoscaling_target", ...words),
    ),
    block(
      "resource",
      [
        ...each(one, names, where.only),
        ...args({
          ...region,
          name: `${direction}-utilization`,
          policy_type: "TargetTrackingScaling",
          service_namespace: expression(`${own}.service_namespace`),
          resource_id: expression(`${own}.resource_id`),
          scalable_dimension: expression(`${own}.scalable_dimension`),
        }),
        block("target_tracking_scaling_policy_configuration", [
          ...args({ target_value: target }),
          block(
            "predefined_metric_specification",
            args({
              predefined_metric_type: `DynamoDB${direction === "read" ? "Read" : "Write"}CapacityUtilization`,
            }),
          ),
        ]),
      ],
      "aws_appautoscaling_policy",
      names.resource("aws_appautoscaling_policy", ...words),
    ),
  ];
}

/** Names what it scales by what makes it, so that it is there before. */
function resourceId(
  one: TableDescription,
  names: TerraformNames,
  index: string | undefined,
  region: string | undefined,
): string {
  const { table } = one;
  if (region !== undefined) {
    // The id of a replica is the name of the table and the Region of the first one.
    const replica = names.ref("aws_dynamodb_table_replica", table.name, region);
    const id = `table/\${split(":", ${replica}.id)[0]}`;
    return index === undefined ? id : `${id}/index/${index}`;
  }
  if (index === undefined) return `table/\${${names.tableRef(table)}.name}`;
  if (!hasOwnIndexes(one)) return `table/\${${names.tableRef(table)}.name}/index/${index}`;
  const resource = names.ref("aws_dynamodb_global_secondary_index", table.name, index);
  return `table/\${${resource}.table_name}/index/\${${resource}.index_name}`;
}
