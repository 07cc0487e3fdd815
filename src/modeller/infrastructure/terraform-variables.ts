import type { Infrastructure, TableDescription } from "./describe.ts";
import { args, type Block, block, expression, hclString, type Value } from "./hcl.ts";
import * as patterns from "./parameter-patterns.ts";
import type { TerraformNames } from "./terraform-names.ts";

/** What whoever applies the module says: names, tags, and what exists elsewhere. */
export function variableBlocks(
  { project, prefixMax, tables }: Infrastructure,
  names: TerraformNames,
): readonly Block[] {
  return [
    variable("project", "string", "What the tables belong to", project, patterns.project),
    variable(
      "environment",
      "string",
      "Such as test or production",
      undefined,
      patterns.environment,
    ),
    variable("tags", "map(string)", "Tags for everything", new Map()),
    variable(
      "table_prefix",
      "string",
      "Comes before the names of tables",
      "",
      patterns.prefix(prefixMax),
    ),
    variable("alarm_actions", "list(string)", "Who is told of alarms: ARNs, such as topics", []),
    ...(tables.some(({ table }) => table.dax !== undefined) ? cacheVariables : []),
    ...tables.flatMap((one) => ofTable(one, names)),
  ];
}

const cacheVariables = [
  variable("dax_subnet_ids", "list(string)", "The subnets that caches are in"),
  variable("dax_security_group_ids", "list(string)", "Who may reach caches: security groups"),
];

function ofTable(
  { table, consumers, schedules }: TableDescription,
  names: TerraformNames,
): readonly Block[] {
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
            `The ${periods.every} that ${table.name} is for now, such as ${patterns.periodExample[periods.every]}`,
            undefined,
            patterns.period(periods.every),
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
    ...consumers.flatMap(({ name }) => [
      variable(
        names.functionVariable(table, name),
        "string",
        `The function that takes the changes of ${table.name} as ${name}`,
        undefined,
        patterns.functionArn,
      ),
      variable(
        names.roleVariable(table, name),
        "string",
        `The name of the role of that function, which is then allowed to read the stream; without it, attach the policy yourself`,
        expression("null"),
      ),
    ]),
    ...schedules.map((schedule) =>
      variable(
        names.scheduleVariable(schedule),
        "string",
        `The function for ${table.name} that is called at ${schedule.expression}: ${schedule.description}`,
        undefined,
        patterns.functionArn,
      ),
    ),
    ...(hasKey ? table.replicas : []).map((region) =>
      variable(
        names.replicaKey(table, region),
        "string",
        `The ARN of the key that encrypts the replica of ${table.name} in ${region}`,
        undefined,
        patterns.keyArn,
      ),
    ),
  ];
}

function variable(
  name: string,
  type: string,
  description: string,
  otherwise?: Value,
  pattern?: patterns.Pattern,
): Block {
  return block(
    "variable",
    [
      ...args({ description, type: expression(type), default: otherwise }),
      ...(pattern === undefined
        ? []
        : [
            block(
              "validation",
              args({
                condition: expression(`can(regex(${hclString(pattern.regex)}, var.${name}))`),
                error_message: `${pattern.says}.`,
              }),
            ),
          ]),
    ],
    name,
  );
}
