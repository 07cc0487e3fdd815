import type { Table } from "../../model/design.ts";
import { Identifiers } from "../output/identifiers.ts";
import { generatedFrom, type OutputFile } from "../output/output-file.ts";
import type { Scaling } from "../requests/table-requests.ts";
import type { AccessStatement } from "./access.ts";
import type { Alarm } from "./alarms.ts";
import { globalTableProperties } from "./cloudformation-global.ts";
import { type Properties, tableProperties } from "./cloudformation-table.ts";
import type { Infrastructure, TableDescription } from "./describe.ts";
import { type Data, yamlText } from "./yaml.ts";

export type Resource = {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Properties: Properties;
};

/** A template. Its names are made here, so that nothing of the model is a key in it. */
export type Template = {
  readonly Description: string;
  readonly Parameters: Readonly<Record<string, ParameterDeclaration>>;
  readonly Conditions: Readonly<Record<string, Data>>;
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: Data }>>;
};

export type ParameterDeclaration = {
  readonly Type: "String";
  readonly Description: string;
  readonly Default?: string;
};

/** The template in one file. */
export function cloudFormationFiles(infrastructure: Infrastructure): readonly OutputFile[] {
  const notes = [generatedFrom(infrastructure.model), ...infrastructure.missing];
  const template = { AWSTemplateFormatVersion: "2010-09-09", ...templateOf(infrastructure) };
  return [{ path: "template.yaml", text: yamlText(notes, template) }];
}

export function templateOf(infrastructure: Infrastructure): Template {
  const { model, tables } = infrastructure;
  const maker = new Maker(infrastructure);
  for (const one of tables) maker.table(one);
  maker.policies(infrastructure);
  return {
    Description: `The tables of ${model}`.slice(0, 1024),
    Parameters: Object.fromEntries(maker.parameters),
    Conditions: {
      HasAlarmTopic: { "Fn::Not": [{ "Fn::Equals": [ref("AlarmTopicArn"), "none"] }] },
    },
    Resources: Object.fromEntries(maker.resources),
    Outputs: Object.fromEntries(maker.outputs),
  };
}

const ref = (name: string): Data => ({ Ref: name });
const attribute = (name: string, which: string): Data => ({ "Fn::GetAtt": [name, which] });
const sub = (text: string): Data => ({ "Fn::Sub": text });

class Maker {
  readonly parameters = new Map<string, ParameterDeclaration>();
  readonly resources = new Map<string, Resource>();
  readonly outputs = new Map<string, { readonly Value: Data }>();
  readonly #names = new Identifiers("pascal", ["HasAlarmTopic"]);
  readonly #tables = new Map<string, string>();

  constructor({ model }: Infrastructure) {
    this.#parameter(["Project"], "What the tables belong to", model);
    this.#parameter(["Environment"], "Such as test or production");
    this.#parameter(["TablePrefix"], "Comes before the names of tables", "");
    this.#parameter(["AlarmTopicArn"], "The topic that is told of alarms, or none", "none");
  }

  table(one: TableDescription): void {
    const { table, now } = one;
    const id = this.#names.of(table.name, "table");
    this.#tables.set(table.name, id);
    const name = this.#tableName(table);
    const isGlobal = table.replicas.length > 0;
    const keyOf = (region: string): Data =>
      ref(
        this.#parameter(
          [table.name, region, "KeyArn"],
          `The key that encrypts the replica of ${table.name} in ${region}`,
        ),
      );
    this.resources.set(id, {
      Type: isGlobal ? "AWS::DynamoDB::GlobalTable" : "AWS::DynamoDB::Table",
      // Whatever becomes of the stack, data stays. So a new period makes a table and leaves the one before.
      DeletionPolicy: "Retain",
      UpdateReplacePolicy: "Retain",
      Properties: isGlobal
        ? globalTableProperties(one, name, tagsOf(table), keyOf)
        : tableProperties(one, name, tagsOf(table)),
    });
    // A global table states its scaling itself.
    if (!isGlobal) for (const scaling of now.scaling) this.#scaling(table, id, scaling);
    this.#consumers(one, id);
    for (const alarm of one.alarms) this.#alarm(table, id, alarm);
    this.#output(`${id}Name`, ref(id));
    this.#output(`${id}Arn`, attribute(id, "Arn"));
    if (now.create.StreamSpecification !== undefined) {
      this.#output(`${id}StreamArn`, attribute(id, "StreamArn"));
    }
  }

  #tableName(table: Table): Data {
    if (table.periods === undefined) return sub(`\${TablePrefix}${table.name}`);
    const period = this.#parameter(
      [table.name, "Period"],
      `The ${table.periods.every} that ${table.name} is for now`,
    );
    return sub(`\${TablePrefix}${table.name}-\${${period}}`);
  }

  #scaling(table: Table, id: string, { index, direction, min, max, target }: Scaling): void {
    const words = [table.name, ...(index === undefined ? [] : [index]), direction];
    const units = direction === "read" ? "ReadCapacityUnits" : "WriteCapacityUnits";
    const targetId = this.#names.of(...words, "target");
    this.resources.set(targetId, {
      Type: "AWS::ApplicationAutoScaling::ScalableTarget",
      Properties: {
        ServiceNamespace: "dynamodb",
        ResourceId: sub(`table/\${${id}}${index === undefined ? "" : `/index/${index}`}`),
        ScalableDimension: `dynamodb:${index === undefined ? "table" : "index"}:${units}`,
        MinCapacity: min,
        MaxCapacity: max,
      },
    });
    this.resources.set(this.#names.of(...words, "policy"), {
      Type: "AWS::ApplicationAutoScaling::ScalingPolicy",
      Properties: {
        PolicyName: `${direction}-utilization`,
        PolicyType: "TargetTrackingScaling",
        ScalingTargetId: ref(targetId),
        TargetTrackingScalingPolicyConfiguration: {
          TargetValue: target,
          PredefinedMetricSpecification: {
            PredefinedMetricType: `DynamoDB${direction === "read" ? "Read" : "Write"}CapacityUtilization`,
          },
        },
      },
    });
  }

  #consumers({ table, consumers }: TableDescription, id: string): void {
    for (const { name, batch, windowSeconds, filter, start } of consumers) {
      const about = `The function that takes the changes of ${table.name} as ${name}`;
      const parameter = this.#parameter([name, "FunctionArn"], about);
      this.resources.set(this.#names.of(table.name, name, "mapping"), {
        Type: "AWS::Lambda::EventSourceMapping",
        Properties: {
          EventSourceArn: attribute(id, "StreamArn"),
          FunctionName: ref(parameter),
          StartingPosition: start,
          BatchSize: batch,
          MaximumBatchingWindowInSeconds: windowSeconds,
          ...(filter !== undefined && { FilterCriteria: { Filters: [{ Pattern: filter }] } }),
        },
      });
    }
  }

  #alarm(table: Table, id: string, alarm: Alarm): void {
    const { what, index, description, metric, operations, threshold, above, minutes } = alarm;
    const words = [...(index === undefined ? [] : [index]), what];
    const dimensions = (more: readonly { Name: string; Value: string }[]): Data => [
      { Name: "TableName", Value: ref(id) },
      ...more,
    ];
    const suffix = words.join("-").replaceAll(" ", "-");
    this.resources.set(this.#names.of(table.name, ...words, "alarm"), {
      Type: "AWS::CloudWatch::Alarm",
      Properties: {
        AlarmName: sub(`\${Project}-\${Environment}-\${${id}}-${suffix}`),
        AlarmDescription: description,
        ComparisonOperator: above ? "GreaterThanThreshold" : "GreaterThanOrEqualToThreshold",
        Threshold: threshold,
        EvaluationPeriods: minutes,
        TreatMissingData: "notBreaching",
        AlarmActions: {
          "Fn::If": ["HasAlarmTopic", [ref("AlarmTopicArn")], ref("AWS::NoValue")],
        },
        ...(operations === undefined
          ? {
              Namespace: "AWS/DynamoDB",
              MetricName: metric,
              Statistic: "Sum",
              Period: 60,
              Dimensions: dimensions(
                index === undefined ? [] : [{ Name: "GlobalSecondaryIndexName", Value: index }],
              ),
            }
          : { Metrics: sumOf(metric, operations, dimensions) }),
      },
    });
  }

  policies({ policies }: Infrastructure): void {
    for (const { scope, patterns, statements } of policies) {
      const words = scope.length === 0 ? ["application"] : scope;
      this.resources.set(this.#names.of("access", ...words), {
        Type: "AWS::IAM::ManagedPolicy",
        Properties: {
          Description: printableAscii(`For the patterns ${patterns.join(", ")}`),
          PolicyDocument: {
            Version: "2012-10-17",
            Statement: statements.map((one) => this.#statement(one)),
          },
        },
      });
    }
  }

  #statement({ table, index, actions, leadingKeys }: AccessStatement): Data {
    const id = this.#tables.get(table) ?? "";
    return {
      Effect: "Allow",
      Action: actions,
      Resource: index === undefined ? attribute(id, "Arn") : sub(`\${${id}.Arn}/index/${index}`),
      ...(leadingKeys !== undefined && {
        Condition: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": leadingKeys } },
      }),
    };
  }

  /** Declares a parameter and says what it is called. */
  #parameter(words: readonly string[], description: string, otherwise?: string): string {
    const name = this.#names.of(...words);
    this.parameters.set(name, {
      Type: "String",
      Description: description.slice(0, 4000),
      ...(otherwise !== undefined && { Default: otherwise }),
    });
    return name;
  }

  #output(name: string, value: Data): void {
    this.outputs.set(name, { Value: value });
  }
}

function tagsOf({ tags }: Table): readonly Data[] {
  return [
    ...[...tags].map(([Key, Value]) => ({ Key, Value })),
    { Key: "Project", Value: ref("Project") },
    { Key: "Environment", Value: ref("Environment") },
  ];
}

/** One number for each operation, and their sum, which the alarm looks at. */
function sumOf(
  metric: string,
  operations: readonly string[],
  dimensions: (more: readonly { Name: string; Value: string }[]) => Data,
): Data {
  return [
    { Id: "total", Expression: "SUM(METRICS())", Label: metric, ReturnData: true },
    ...operations.map((operation, i) => ({
      Id: `m${i}`,
      ReturnData: false,
      MetricStat: {
        Metric: {
          Namespace: "AWS/DynamoDB",
          MetricName: metric,
          Dimensions: dimensions([{ Name: "Operation", Value: operation }]),
        },
        Period: 60,
        Stat: "Sum",
      },
    })),
  ];
}

/** Descriptions of policies take no other signs. */
function printableAscii(text: string): string {
  return text.replaceAll(/[^ -~]/gu, "_").slice(0, 1000);
}
