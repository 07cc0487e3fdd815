import { generatedFrom, type OutputFile } from "../output/output-file.ts";
import type { Scaling } from "../requests/table-requests.ts";
import type { Alarm } from "./alarms.ts";
import type { Infrastructure, TableDescription } from "./describe.ts";
import { args, type Block, block, type Entry, expression, hclFile, type Value } from "./hcl.ts";
import { TerraformNames } from "./terraform-names.ts";
import { policyBlocks } from "./terraform-policies.ts";
import { tableBlock } from "./terraform-table.ts";
import { variableBlocks } from "./terraform-variables.ts";

/** The files of a Terraform module. */
export function terraformFiles(infrastructure: Infrastructure): readonly OutputFile[] {
  const names = new TerraformNames(infrastructure);
  const { model, tables, missing } = infrastructure;
  const header = generatedFrom(model);
  const file = (path: string, blocks: readonly Block[], notes: readonly string[] = []) =>
    blocks.length === 0 ? [] : [{ path, text: hclFile([header, ...notes], blocks) }];
  return [
    ...file("versions.tf", [versions]),
    ...file("variables.tf", variableBlocks(infrastructure, names)),
    ...file(
      "tables.tf",
      [
        localTags,
        ...keyData(infrastructure, names),
        ...tables.map((one) => tableBlock(one, names)),
      ],
      missing,
    ),
    ...file(
      "scaling.tf",
      tables.flatMap((one) => scalingBlocks(one, names)),
    ),
    ...file(
      "consumers.tf",
      tables.flatMap((one) => consumerBlocks(one, names)),
    ),
    ...file(
      "alarms.tf",
      tables.flatMap((one) => alarmBlocks(one, names)),
    ),
    ...file("policies.tf", policyBlocks(infrastructure, names)),
    ...file(
      "outputs.tf",
      tables.flatMap((one) => outputBlocks(one, names)),
    ),
  ];
}

/** The first release of the provider in which indexes with `key_schema` can be changed without losing others. */
const versions = block("terraform", [
  ...args({ required_version: ">= 1.5.0" }),
  block(
    "required_providers",
    args({
      aws: new Map([
        ["source", "hashicorp/aws"],
        ["version", ">= 6.37.0, < 7.0.0"],
      ]),
    }),
  ),
]);

const localTags = block(
  "locals",
  args({
    tags: expression("merge({ Project = var.project, Environment = var.environment }, var.tags)"),
  }),
);

function keyData({ tables }: Infrastructure, names: TerraformNames): readonly Block[] {
  return tables.flatMap(({ table }) =>
    typeof table.encryption === "string"
      ? []
      : [block("data", args({ key_id: table.encryption.key }), "aws_kms_key", names.table(table))],
  );
}

/** With periods, there is one resource for each of them. */
function each(
  { table }: TableDescription,
  names: TerraformNames,
  only?: "current" | "before",
): readonly Entry[] {
  if (table.periods === undefined) return [];
  const variable = names.periodVariable(table);
  const periods =
    only === undefined
      ? names.periodsOf(table)
      : only === "current"
        ? `toset([var.${variable}])`
        : `toset(var.${variable}s_before)`;
  return args({ for_each: expression(periods) });
}

function scalingBlocks(one: TableDescription, names: TerraformNames): readonly Block[] {
  const { now, older } = one;
  if (older === undefined)
    return now.scaling.flatMap((scaling) => scalingPair(one, names, scaling));
  return [
    ...now.scaling.flatMap((scaling) => scalingPair(one, names, scaling, "current")),
    ...older.scaling.flatMap((scaling) => scalingPair(one, names, scaling, "before")),
  ];
}

function scalingPair(
  one: TableDescription,
  names: TerraformNames,
  { index, direction, min, max, target }: Scaling,
  only?: "current" | "before",
): readonly Block[] {
  const { table } = one;
  const words = [table.name, ...(index === undefined ? [] : [index]), direction];
  const name = names.resources.of(...words, ...(only === "before" ? ["before"] : []));
  const units = direction === "read" ? "ReadCapacityUnits" : "WriteCapacityUnits";
  const tableId = `table/\${${names.tableRef(table)}.name}`;
  const id = index === undefined ? tableId : `${tableId}/index/${index}`;
  const own = `aws_appautoscaling_target.${name}${table.periods === undefined ? "" : "[each.key]"}`;
  return [
    block(
      "resource",
      [
        ...each(one, names, only),
        ...args({
          service_namespace: "dynamodb",
          resource_id: expression(`"${id}"`),
          scalable_dimension: `dynamodb:${index === undefined ? "table" : "index"}:${units}`,
          min_capacity: min,
          max_capacity: max,
        }),
      ],
      "aws_appautoscaling_target",
      name,
    ),
    block(
      "resource",
      [
        ...each(one, names, only),
        ...args({
          name: expression(`"${direction}-utilization-\${${own}.resource_id}"`),
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
      name,
    ),
  ];
}

function consumerBlocks(one: TableDescription, names: TerraformNames): readonly Block[] {
  const { table, consumers } = one;
  return consumers.map(({ name, purpose, batch, windowSeconds, filter, start }) => ({
    ...block(
      "resource",
      [
        ...each(one, names),
        ...args({
          event_source_arn: expression(`${names.tableRef(table)}.stream_arn`),
          function_name: expression(`var.${names.functionVariable(table, name)}`),
          starting_position: start,
          batch_size: batch,
          maximum_batching_window_in_seconds: windowSeconds,
        }),
        ...(filter === undefined
          ? []
          : [block("filter_criteria", [block("filter", args({ pattern: filter }))])]),
        ...args({ tags: expression("local.tags") }),
      ],
      "aws_lambda_event_source_mapping",
      names.resources.of(table.name, name),
    ),
    ...(purpose !== undefined && { comment: purpose }),
  }));
}

function alarmBlocks(one: TableDescription, names: TerraformNames): readonly Block[] {
  return one.alarms.map((alarm) => alarmBlock(one, alarm, names));
}

function alarmBlock(one: TableDescription, alarm: Alarm, names: TerraformNames): Block {
  const { table } = one;
  const { index, what, description, metric, operations, threshold, above, minutes } = alarm;
  const words = [...(index === undefined ? [] : [index]), what];
  const table_ = `${names.tableRef(table)}.name`;
  const dimensions = (more: readonly (readonly [string, Value])[]): Value =>
    new Map<string, Value>([["TableName", expression(table_)], ...more]);
  const suffix = words.join("-").replaceAll(" ", "-");
  return block(
    "resource",
    [
      ...each(one, names),
      ...args({
        alarm_name: expression(`"\${var.project}-\${var.environment}-\${${table_}}-${suffix}"`),
        alarm_description: description,
        comparison_operator: above ? "GreaterThanThreshold" : "GreaterThanOrEqualToThreshold",
        threshold,
        evaluation_periods: minutes,
        treat_missing_data: "notBreaching",
        alarm_actions: expression("var.alarm_actions"),
        ...(operations === undefined && {
          namespace: "AWS/DynamoDB",
          metric_name: metric,
          statistic: "Sum",
          period: 60,
          dimensions: dimensions(index === undefined ? [] : [["GlobalSecondaryIndexName", index]]),
        }),
      }),
      ...(operations === undefined ? [] : sumOf(metric, operations, dimensions)),
      ...args({ tags: expression("local.tags") }),
    ],
    "aws_cloudwatch_metric_alarm",
    names.resources.of(table.name, ...words),
  );
}

/** One number for each operation, and their sum, which the alarm looks at. */
function sumOf(
  metric: string,
  operations: readonly string[],
  dimensions: (more: readonly (readonly [string, Value])[]) => Value,
): readonly Block[] {
  return [
    block(
      "metric_query",
      args({ id: "total", expression: "SUM(METRICS())", label: metric, return_data: true }),
    ),
    ...operations.map((operation, i) =>
      block("metric_query", [
        ...args({ id: `m${i}` }),
        block(
          "metric",
          args({
            namespace: "AWS/DynamoDB",
            metric_name: metric,
            stat: "Sum",
            period: 60,
            dimensions: dimensions([["Operation", operation]]),
          }),
        ),
      ]),
    ),
  ];
}

function outputBlocks({ table, now }: TableDescription, names: TerraformNames): readonly Block[] {
  const resource = `aws_dynamodb_table.${names.table(table)}`;
  const of = (attribute: string): Value =>
    table.periods === undefined
      ? expression(`${resource}.${attribute}`)
      : expression(`{ for period, table in ${resource} : period => table.${attribute} }`);
  const output = (attribute: string): Block =>
    block("output", args({ value: of(attribute) }), `${names.table(table)}_${attribute}`);
  return [
    output("name"),
    output("arn"),
    ...(now.create.StreamSpecification === undefined ? [] : [output("stream_arn")]),
  ];
}
