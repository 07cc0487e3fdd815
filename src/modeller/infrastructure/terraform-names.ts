import type { Table } from "../../model/design.ts";
import { Identifiers } from "../output/identifiers.ts";
import type { Infrastructure, TableDescription } from "./describe.ts";
import { args, type Entry, expression, type Value } from "./hcl.ts";
import type { Schedule } from "./schedules.ts";

/** What things are called in Terraform, and how other things name them. */
export class TerraformNames {
  readonly #tables = new Map<string, string>();
  readonly #variables = new Identifiers("snake", fixedVariables);
  readonly #variableNames = new Map<string, string>();
  readonly #types = new Map<string, Identifiers>();
  readonly #resourceNames = new Map<string, string>();
  readonly outputs = new Identifiers("snake");

  constructor({ tables }: Infrastructure) {
    const ids = new Identifiers("snake");
    for (const { table, consumers, schedules } of tables) {
      const { name } = table;
      this.#tables.set(name, ids.of(name));
      if (table.periods !== undefined) this.#variable(["period", name], name, "period");
      for (const consumer of consumers) {
        this.#variable(["function", name, consumer.name], consumer.name, "function", "arn");
        this.#variable(["role", name, consumer.name], consumer.name, "function", "role");
      }
      for (const schedule of schedules) {
        const key = ["schedule", name, schedule.expression];
        this.#variable(key, schedule.name, "function", "arn");
      }
      for (const region of typeof table.encryption === "object" ? table.replicas : []) {
        this.#variable(["key", name, region], name, region, "key", "arn");
      }
    }
  }

  #variable(key: readonly string[], ...words: readonly string[]): void {
    this.#variableNames.set(JSON.stringify(key), this.#variables.of(...words));
  }

  #variableOf(...key: readonly string[]): string {
    return this.#variableNames.get(JSON.stringify(key)) ?? "";
  }

  /** What a resource of a type is called; asked again with the same words, the same. */
  resource(type: string, ...words: readonly string[]): string {
    const key = JSON.stringify([type, ...words]);
    const there = this.#resourceNames.get(key);
    if (there !== undefined) return there;
    const ids = this.#types.get(type) ?? new Identifiers("snake");
    this.#types.set(type, ids);
    const name = ids.of(...words);
    this.#resourceNames.set(key, name);
    return name;
  }

  /** How others name it. */
  ref(type: string, ...words: readonly string[]): string {
    return `${type}.${this.resource(type, ...words)}`;
  }

  table({ name }: Table): string {
    return this.#tables.get(name) ?? "";
  }

  /** `aws_dynamodb_table.shop`, or that of the period which `each` stands for. */
  tableRef(table: Table): string {
    const whole = `aws_dynamodb_table.${this.table(table)}`;
    return table.periods === undefined ? whole : `${whole}[each.key]`;
  }

  /** An attribute of all tables that a design's table is: one, or one for each period. */
  ofAll(table: Table, attribute: string, behind = ""): Value {
    const whole = `aws_dynamodb_table.${this.table(table)}`;
    if (table.periods !== undefined) {
      return expression(`[for one in ${whole} : "\${one.${attribute}}${behind}"]`);
    }
    return expression(
      behind === "" ? `${whole}.${attribute}` : `"\${${whole}.${attribute}}${behind}"`,
    );
  }

  /** The name that a table gets, as an expression. Names of tables have no sign that Terraform reads. */
  tableName(table: Table): string {
    const period = table.periods === undefined ? "" : `-\${each.key}`;
    return `"\${var.table_prefix}${table.name}${period}"`;
  }

  periodVariable({ name }: Table): string {
    return this.#variableOf("period", name);
  }

  periodsOf(table: Table): string {
    const variable = this.periodVariable(table);
    return `toset(concat([var.${variable}], var.${variable}s_before))`;
  }

  isCurrent(table: Table): string {
    return `each.key == var.${this.periodVariable(table)}`;
  }

  functionVariable({ name }: Table, consumer: string): string {
    return this.#variableOf("function", name, consumer);
  }

  /** The role of a consumer's function. */
  roleVariable({ name }: Table, consumer: string): string {
    return this.#variableOf("role", name, consumer);
  }

  scheduleVariable({ table, expression: when }: Schedule): string {
    return this.#variableOf("schedule", table.name, when);
  }

  keyArn(table: Table): string {
    return `data.aws_kms_key.${this.table(table)}.arn`;
  }

  replicaKey({ name }: Table, region: string): string {
    return this.#variableOf("key", name, region);
  }
}

/** With periods, there is one resource for each of them. */
export function each(
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

/** A name with the project and the environment before it. The text has no sign that Terraform reads. */
export function named(text: string): string {
  return `\${var.project}-\${var.environment}-${text}`;
}

/** The beginning of a name that the provider makes unique, no longer than it may be. */
export function namePrefix(text: string, max: number): Value {
  return expression(`substr("${named(`${text}-`)}", 0, ${max})`);
}

const fixedVariables = [
  "project",
  "environment",
  "tags",
  "table_prefix",
  "alarm_actions",
  "dax_subnet_ids",
  "dax_security_group_ids",
];
