import type { Table } from "../../model/design.ts";
import { generatedFrom, type OutputFile } from "../output/output-file.ts";
import { addAlarms } from "./cloudformation-alarms.ts";
import { addBackups } from "./cloudformation-backups.ts";
import { addCache } from "./cloudformation-cache.ts";
import { addConsumers } from "./cloudformation-consumers.ts";
import { globalTableProperties } from "./cloudformation-global.ts";
import {
  attribute,
  none,
  type OutputDeclaration,
  type ParameterDeclaration,
  type Resource,
  ref,
  sub,
  TemplateMaker,
} from "./cloudformation-maker.ts";
import { addPolicies } from "./cloudformation-policies.ts";
import { addScaling } from "./cloudformation-scaling.ts";
import { addSchedules } from "./cloudformation-schedules.ts";
import { tableProperties } from "./cloudformation-table.ts";
import type { Infrastructure, TableDescription } from "./describe.ts";
import * as patterns from "./parameter-patterns.ts";
import { templateOutputsMax, templateResourcesMax } from "./service-limits.ts";
import { tagsOf } from "./tags.ts";
import { type Data, type Notes, yamlText } from "./yaml.ts";

export type Template = {
  readonly Description: string;
  readonly Parameters: Readonly<Record<string, ParameterDeclaration>>;
  readonly Conditions: Readonly<Record<string, Data>>;
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, OutputDeclaration>>;
};

/** The template in one file. */
export function cloudFormationFiles(infrastructure: Infrastructure): readonly OutputFile[] {
  const { template, notes } = madeOf(infrastructure);
  const comments = [
    generatedFrom(infrastructure.model),
    ...infrastructure.missing,
    ...tooLarge(template),
  ];
  const whole = { AWSTemplateFormatVersion: "2010-09-09", ...template };
  const text = yamlText(comments, whole, new Map([["Resources", notes]]));
  return [{ path: "template.yaml", text }];
}

/** What keeps a template from being deployed as one. */
export function tooLarge({ Resources, Outputs }: Template): readonly string[] {
  const count = (what: string, there: object, max: number): readonly string[] => {
    const number = Object.keys(there).length;
    return number <= max
      ? []
      : [`There are ${number} ${what}, and CloudFormation takes ${max}: part the template.`];
  };
  return [
    ...count("resources", Resources, templateResourcesMax),
    ...count("outputs", Outputs, templateOutputsMax),
  ];
}

export function templateOf(infrastructure: Infrastructure): Template {
  return madeOf(infrastructure).template;
}

/** A template, and what is to be said of its resources. */
export function madeOf(infrastructure: Infrastructure): {
  readonly template: Template;
  readonly notes: Notes;
} {
  const { model, project, prefixMax, tables } = infrastructure;
  const maker = new TemplateMaker();
  const about = "What the tables belong to";
  maker.parameter(["Project"], about, { otherwise: project, pattern: patterns.project });
  maker.parameter(["Environment"], "Such as test or production", {
    pattern: patterns.environment,
  });
  maker.parameter(["TablePrefix"], "Comes before the names of tables", {
    otherwise: "",
    pattern: patterns.prefix(prefixMax),
  });
  const topic = "The topic that is told of alarms, or none";
  maker.isGiven(maker.parameter(["AlarmTopicArn"], topic, { otherwise: none }));
  for (const one of tables) addTable(maker, one);
  addBackups(maker, infrastructure);
  addPolicies(maker, infrastructure);
  const template = {
    Description: `The tables of ${model}`,
    Parameters: Object.fromEntries(maker.parameters),
    Conditions: Object.fromEntries(maker.conditions),
    Resources: Object.fromEntries(maker.resources),
    Outputs: Object.fromEntries(maker.outputs),
  };
  return { template, notes: maker.notes };
}

function addTable(maker: TemplateMaker, one: TableDescription): void {
  const { table, now } = one;
  const id = maker.table(table);
  const name = tableName(maker, table);
  const isGlobal = table.replicas.length > 0;
  const keyOf = (region: string): Data =>
    ref(
      maker.parameter(
        [table.name, region, "KeyArn"],
        `The ARN of the key that encrypts the replica of ${table.name} in ${region}`,
        { of: table, pattern: patterns.keyArn },
      ),
    );
  const resource = {
    Type: isGlobal ? "AWS::DynamoDB::GlobalTable" : "AWS::DynamoDB::Table",
    // Whatever becomes of the stack, data stays. So a new period makes a table and leaves the one before.
    DeletionPolicy: "Retain",
    UpdateReplacePolicy: "Retain",
    Properties: isGlobal
      ? globalTableProperties(one, name, tagList(table), keyOf)
      : tableProperties(one, name, tagList(table)),
  };
  maker.add(id, resource, table.purpose);
  maker.output([`${id}Name`], `The name of ${table.name}`, ref(id));
  maker.output([`${id}Arn`], `The ARN of ${table.name}`, attribute(id, "Arn"));
  if (now.create.StreamSpecification !== undefined) {
    const about = `The ARN of the stream of ${table.name}`;
    maker.output([`${id}StreamArn`], about, attribute(id, "StreamArn"));
  }
  // A global table states its scaling itself.
  if (!isGlobal) for (const scaling of now.scaling) addScaling(maker, table, scaling);
  addConsumers(maker, one);
  addSchedules(maker, one);
  addCache(maker, one);
  addAlarms(maker, one);
}

function tableName(maker: TemplateMaker, table: Table): Data {
  const { name, periods } = table;
  if (periods === undefined) return sub(`\${TablePrefix}${name}`);
  const period = maker.parameter(
    [name, "Period"],
    `The ${periods.every} that ${name} is for now, such as ${patterns.periodExample[periods.every]}`,
    { of: table, pattern: patterns.period(periods.every) },
  );
  return sub(`\${TablePrefix}${name}-\${${period}}`);
}

function tagList(table: Table): readonly Data[] {
  return [
    ...[...tagsOf(table)].map(([Key, Value]) => ({ Key, Value })),
    { Key: "Project", Value: ref("Project") },
    { Key: "Environment", Value: ref("Environment") },
  ];
}
