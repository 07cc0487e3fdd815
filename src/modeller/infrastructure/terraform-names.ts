import type { Table } from "../../model/design.ts";
import { Identifiers } from "../output/identifiers.ts";
import type { Infrastructure } from "./describe.ts";

/** What things are called in Terraform, and how other things name them. */
export class TerraformNames {
  readonly #tables = new Map<string, string>();
  readonly #variables = new Identifiers("snake", fixedVariables);
  readonly #replicaKeys = new Map<string, string>();
  readonly #functions = new Map<string, string>();
  readonly #periods = new Map<string, string>();
  /** For resources that no others name. */
  readonly resources = new Identifiers("snake");

  constructor({ tables }: Infrastructure) {
    const ids = new Identifiers("snake");
    for (const { table, consumers } of tables) {
      this.#tables.set(table.name, ids.of(table.name));
      if (table.periods !== undefined) {
        this.#periods.set(table.name, this.#variables.of(table.name, "period"));
      }
      for (const { name } of consumers) {
        this.#functions.set(`${table.name}/${name}`, this.#variables.of(name, "function", "arn"));
      }
      for (const region of typeof table.encryption === "object" ? table.replicas : []) {
        const variable = this.#variables.of(table.name, region, "key", "arn");
        this.#replicaKeys.set(`${table.name}/${region}`, variable);
      }
    }
  }

  table({ name }: Table): string {
    return this.#tables.get(name) ?? "";
  }

  /** `aws_dynamodb_table.shop`, or that of the period which `each` stands for. */
  tableRef(table: Table): string {
    const whole = `aws_dynamodb_table.${this.table(table)}`;
    return table.periods === undefined ? whole : `${whole}[each.key]`;
  }

  /** The name that a table gets, as an expression. Names of tables have no sign that Terraform reads. */
  tableName(table: Table): string {
    const period = table.periods === undefined ? "" : `-\${each.key}`;
    return `"\${var.table_prefix}${table.name}${period}"`;
  }

  periodVariable({ name }: Table): string {
    return this.#periods.get(name) ?? "";
  }

  periodsOf(table: Table): string {
    const variable = this.periodVariable(table);
    return `toset(concat([var.${variable}], var.${variable}s_before))`;
  }

  isCurrent(table: Table): string {
    return `each.key == var.${this.periodVariable(table)}`;
  }

  functionVariable({ name }: Table, consumer: string): string {
    return this.#functions.get(`${name}/${consumer}`) ?? "";
  }

  keyArn(table: Table): string {
    return `data.aws_kms_key.${this.table(table)}.arn`;
  }

  replicaKey({ name }: Table, region: string): string {
    return this.#replicaKeys.get(`${name}/${region}`) ?? "";
  }
}

const fixedVariables = ["project", "environment", "tags", "table_prefix", "alarm_actions"];
