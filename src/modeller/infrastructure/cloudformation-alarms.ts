import { type Alarm, alarmSubject, alarmWords } from "./alarms.ts";
import { functionParameter, queueName } from "./cloudformation-consumers.ts";
import { attribute, ifGiven, ref, sub, type TemplateMaker } from "./cloudformation-maker.ts";
import type { TableDescription } from "./describe.ts";
import type { Data } from "./yaml.ts";

export function addAlarms(maker: TemplateMaker, one: TableDescription): void {
  for (const alarm of one.alarms) addAlarm(maker, one, alarm);
}

function addAlarm(maker: TemplateMaker, one: TableDescription, alarm: Alarm): void {
  const { table } = one;
  const { operations } = alarm;
  const dimensions = dimensionsOf(maker, one, alarm);
  const name = `\${Project}-\${Environment}-\${TablePrefix}${alarmSubject(table, alarm)}`;
  const isOfPeriod = table.periods !== undefined && alarm.consumer === undefined;
  const period = isOfPeriod ? `-\${${maker.parameterName(table, table.name, "Period")}}` : "";
  maker.add(maker.name(table.name, ...alarmWords(alarm), "alarm"), {
    Type: "AWS::CloudWatch::Alarm",
    Properties: {
      AlarmName: sub(`${name}${period}`),
      AlarmDescription: alarm.description,
      ComparisonOperator: alarm.above ? "GreaterThanThreshold" : "GreaterThanOrEqualToThreshold",
      Threshold: alarm.threshold,
      EvaluationPeriods: alarm.minutes,
      TreatMissingData: "notBreaching",
      AlarmActions: ifGiven(maker.isGiven("AlarmTopicArn"), ref("AlarmTopicArn")),
      ...(operations === undefined
        ? {
            Namespace: alarm.namespace,
            MetricName: alarm.metric,
            Statistic: alarm.statistic,
            Period: 60,
            Dimensions: dimensions,
          }
        : { Metrics: sumOf(alarm, operations, dimensions) }),
    },
  });
}

function dimensionsOf(
  maker: TemplateMaker,
  { table }: TableDescription,
  { consumer = "", dimensions }: Alarm,
): readonly Data[] {
  const values = {
    table: () => ref(maker.table(table)),
    // The name comes after the sixth colon of a function's ARN, whatever follows.
    function: (): Data => ({
      "Fn::Select": [6, { "Fn::Split": [":", ref(functionParameter(maker, table, consumer))] }],
    }),
    queue: () => attribute(queueName(maker, table, consumer), "QueueName"),
  } as const;
  return dimensions.map(([Name, subject]) => ({
    Name,
    Value: typeof subject === "string" ? values[subject]() : subject.text,
  }));
}

/** One number for each operation, and their sum, which the alarm looks at. */
function sumOf(
  { namespace, metric, statistic }: Alarm,
  operations: readonly string[],
  dimensions: readonly Data[],
): Data {
  return [
    { Id: "total", Expression: "SUM(METRICS())", Label: metric, ReturnData: true },
    ...operations.map((operation, i) => ({
      Id: `m${i}`,
      ReturnData: false,
      MetricStat: {
        Metric: {
          Namespace: namespace,
          MetricName: metric,
          Dimensions: [...dimensions, { Name: "Operation", Value: operation }],
        },
        Period: 60,
        Stat: statistic,
      },
    })),
  ];
}
