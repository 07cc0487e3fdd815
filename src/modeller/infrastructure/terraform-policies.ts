import type { Table } from "../../model/design.ts";
import { type AccessStatement, keyOperator } from "./access.ts";
import type { Infrastructure } from "./describe.ts";
import { args, type Block, block, expression, type Value } from "./hcl.ts";
import { plainName } from "./short-name.ts";
import { named, type TerraformNames } from "./terraform-names.ts";
import { allow, document } from "./terraform-roles.ts";

const type = "aws_iam_policy";
/** The beginning of a policy's name has 102 characters, and the project and the environment are in it. */
const wordsMax = 40;

/** A policy for each scope: what its patterns do, and nothing else. */
export function policyBlocks(
  { policies, tables }: Infrastructure,
  names: TerraformNames,
): readonly Block[] {
  const byName = new Map(tables.map(({ table }) => [table.name, table]));
  return policies.map(({ name, statements, about }) => ({
    ...block(
      "resource",
      args({
        name_prefix: expression(`"${named(`access-${plainName(name.join("-"), wordsMax)}-`)}"`),
        tags: expression("local.tags"),
        policy: document(
          statements.flatMap((one) => {
            const table = byName.get(one.table);
            return table === undefined ? [] : [statement(one, table, names)];
          }),
        ),
      }),
      type,
      names.resource(type, "access", ...name),
    ),
    comment: about,
  }));
}

function statement(
  { on, index, actions, leadingKeys }: AccessStatement,
  table: Table,
  names: TerraformNames,
): Value {
  if (on === "key") return keyStatement(table, actions, names);
  if (on === "cache") {
    return allow(actions, expression(`${names.ref("aws_dax_cluster", table.name)}.arn`));
  }
  const path = index === undefined ? "" : `/index/${index}`;
  const allowed = allow(actions, names.ofAll(table, "arn", path)) as ReadonlyMap<string, Value>;
  if (leadingKeys === undefined) return allowed;
  return new Map<string, Value>([
    ...allowed,
    [
      "Condition",
      new Map<string, Value>([
        [keyOperator(leadingKeys), new Map<string, Value>([["dynamodb:LeadingKeys", leadingKeys]])],
      ]),
    ],
  ]);
}

/** The key of a table, only for what is in that table. */
export function keyStatement(
  table: Table,
  actions: readonly string[],
  names: TerraformNames,
): Value {
  return new Map<string, Value>([
    ...(allow(actions, expression(names.keyArn(table))) as ReadonlyMap<string, Value>),
    [
      "Condition",
      new Map<string, Value>([
        [
          "StringEquals",
          new Map<string, Value>([
            ["kms:EncryptionContext:aws:dynamodb:tableName", names.ofAll(table, "name")],
          ]),
        ],
      ]),
    ],
  ]);
}
