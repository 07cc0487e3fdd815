import type { Infrastructure, TableDescription } from "./describe.ts";
import { args, type Block, block, expression, type Value } from "./hcl.ts";
import type { TerraformNames } from "./terraform-names.ts";

/** What whoever applies the module says: names, tags, and what exists elsewhere. */
export function variableBlocks(
  { model, tables }: Infrastructure,
  names: TerraformNames,
): readonly Block[] {
  return [
    variable("project", "string", "What the tables belong to", model),
    variable("environment", "string", "Such as test or production"),
    variable("tags", "map(string)", "Tags for everything", new Map()),
    variable("table_prefix", "string", "Comes before the names of tables", ""),
    variable("alarm_actions", "list(string)", "Who is told of alarms: ARNs, such as topics", []),
    ...tables.flatMap((one) => ofTable(one, names)),
  ];
}

function ofTable({ table, consumers }: TableDescription, names: TerraformNames): readonly Block[] {
  const { periods } = table;
  const period = names.periodVariable(table);
  const hasKey = typeof table.encryption === "object";
  return [
    ...(periods === undefined
      ? []
      : [
          variable(
            period,
            "string",
            `The ${periods.every} that ${table.name} is for now, such as ${example[periods.every]}`,
          ),
          variable(
            `${period}s_before`,
            "list(string)",
            periods.keep === undefined
              ? "Periods that are over and whose tables stay"
              : `Periods that are over and whose tables stay; the design keeps ${periods.keep}`,
            [],
          ),
        ]),
    ...consumers.map(({ name }) =>
      variable(
        names.functionVariable(table, name),
        "string",
        `The function that takes the changes of ${table.name} as ${name}`,
      ),
    ),
    ...(hasKey ? table.replicas : []).map((region) =>
      variable(
        names.replicaKey(table, region),
        "string",
        `The key that encrypts the replica of ${table.name} in ${region}`,
      ),
    ),
  ];
}

const example = {
  day: "2026-11-16",
  week: "2026-W47",
  month: "2026-11",
  quarter: "2026-Q4",
  year: "2026",
} as const;

function variable(name: string, type: string, description: string, otherwise?: Value): Block {
  return block("variable", args({ description, type: expression(type), default: otherwise }), name);
}
