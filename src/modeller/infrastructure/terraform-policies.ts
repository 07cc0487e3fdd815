import type { AccessStatement } from "./access.ts";
import type { Infrastructure } from "./describe.ts";
import { args, type Block, block, Call, expression, type Value } from "./hcl.ts";
import type { TerraformNames } from "./terraform-names.ts";

/** A policy for each scope: what its patterns do, and nothing else. */
export function policyBlocks(
  { policies, tables }: Infrastructure,
  names: TerraformNames,
): readonly Block[] {
  const byName = new Map(tables.map(({ table }) => [table.name, table]));
  const resourceOf = ({ table: name, index }: AccessStatement): Value => {
    const table = byName.get(name);
    if (table === undefined) return [];
    const id = `aws_dynamodb_table.${names.table(table)}`;
    const path = index === undefined ? "" : `/index/${index}`;
    if (table.periods === undefined) {
      return expression(path === "" ? `${id}.arn` : `"\${${id}.arn}${path}"`);
    }
    return expression(`[for one in ${id} : "\${one.arn}${path}"]`);
  };
  return policies.map(({ scope, statements, patterns }) => {
    const name = names.resources.of("access", ...(scope.length === 0 ? ["application"] : scope));
    return {
      ...block(
        "resource",
        [
          ...args({
            name: expression(`"\${var.project}-\${var.environment}-${name.replaceAll("_", "-")}"`),
            tags: expression("local.tags"),
          }),
          ...args({
            policy: new Call(
              "jsonencode",
              new Map<string, Value>([
                ["Version", "2012-10-17"],
                ["Statement", statements.map((one) => statement(one, resourceOf(one)))],
              ]),
            ),
          }),
        ],
        "aws_iam_policy",
        name,
      ),
      comment: `For the patterns ${patterns.join(", ")}`,
    };
  });
}

function statement({ actions, leadingKeys }: AccessStatement, resource: Value): Value {
  return new Map<string, Value>([
    ["Effect", "Allow"],
    ["Action", actions],
    ["Resource", resource],
    ...(leadingKeys === undefined
      ? []
      : ([
          [
            "Condition",
            new Map<string, Value>([
              [
                "ForAllValues:StringLike",
                new Map<string, Value>([["dynamodb:LeadingKeys", leadingKeys]]),
              ],
            ]),
          ],
        ] as const)),
  ]);
}
