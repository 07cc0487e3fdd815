import { type Alarm, alarmSubject, alarmWords } from "./alarms.ts";
import type { TableDescription } from "./describe.ts";
import { args, type Block, block, expression, type Value } from "./hcl.ts";
import { each, named, type TerraformNames } from "./terraform-names.ts";

const type = "aws_cloudwatch_metric_alarm";

export function alarmBlocks(one: TableDescription, names: TerraformNames): readonly Block[] {
  return one.alarms.map((alarm) => alarmBlock(one, alarm, names));
}

function alarmBlock(one: TableDescription, alarm: Alarm, names: TerraformNames): Block {
  const { table } = one;
  const { consumer, operations } = alarm;
  const dimensions = dimensionsOf(one, alarm, names);
  // What is about a function or a queue is there once, however many tables of periods there are.
  const isOfTable = consumer === undefined;
  const period = isOfTable && table.periods !== undefined ? `-\${each.key}` : "";
  return block(
    "resource",
    [
      ...(isOfTable ? each(one, names) : []),
      ...args({
        alarm_name: expression(
          `"${named(`\${var.table_prefix}${alarmSubject(table, alarm)}${period}`)}"`,
        ),
        alarm_description: alarm.description,
        comparison_operator: alarm.above ? "GreaterThanThreshold" : "GreaterThanOrEqualToThreshold",
        threshold: alarm.threshold,
        evaluation_periods: alarm.minutes,
        treat_missing_data: "notBreaching",
        alarm_actions: expression("var.alarm_actions"),
        ...(operations === undefined && {
          namespace: alarm.namespace,
          metric_name: alarm.metric,
          statistic: alarm.statistic,
          period: 60,
        }),
        tags: expression("local.tags"),
        ...(operations === undefined && { dimensions: new Map(dimensions) }),
      }),
      ...(operations === undefined ? [] : sumOf(alarm, operations, dimensions)),
    ],
    type,
    names.resource(type, table.name, ...alarmWords(alarm)),
  );
}

function dimensionsOf(
  { table }: TableDescription,
  { consumer = "", dimensions }: Alarm,
  names: TerraformNames,
): readonly (readonly [string, Value])[] {
  const subjects = {
    table: `${names.tableRef(table)}.name`,
    // The name comes after the sixth colon of a function's ARN, whatever follows.
    function: `split(":", var.${names.functionVariable(table, consumer)})[6]`,
    queue: `${names.ref("aws_sqs_queue", table.name, consumer)}.name`,
  } as const;
  return dimensions.map(([name, subject]) => [
    name,
    typeof subject === "string" ? expression(subjects[subject]) : subject.text,
  ]);
}

/** One number for each operation, and their sum, which the alarm looks at. */
function sumOf(
  { namespace, metric, statistic }: Alarm,
  operations: readonly string[],
  dimensions: readonly (readonly [string, Value])[],
): readonly Block[] {
  return [
    block(
      "metric_query",
      args({ id: "total", expression: "SUM(METRICS())", label: metric, return_data: true }),
    ),
    block(
      "dynamic",
      [
        ...args({ for_each: operations }),
        block("content", [
          ...args({ id: expression(`"m\${metric_query.key}"`) }),
          block(
            "metric",
            args({
              namespace,
              metric_name: metric,
              stat: statistic,
              period: 60,
              dimensions: new Map<string, Value>([
                ...dimensions,
                ["Operation", expression("metric_query.value")],
              ]),
            }),
          ),
        ]),
      ],
      "metric_query",
    ),
  ];
}
