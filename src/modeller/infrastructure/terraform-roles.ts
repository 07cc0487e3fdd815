import { args, type Block, block, Call, expression, type Value } from "./hcl.ts";
import { namePrefix } from "./terraform-names.ts";

const rolePrefixMax = 38;

/** A role for a service, which others name `aws_iam_role.NAME`. */
export function roleBlock(name: string, about: string, service: string): Block {
  return block(
    "resource",
    args({
      name_prefix: namePrefix(about, rolePrefixMax),
      assume_role_policy: document([
        new Map<string, Value>([
          ["Effect", "Allow"],
          ["Action", "sts:AssumeRole"],
          ["Principal", new Map([["Service", `${service}.amazonaws.com`]])],
        ]),
      ]),
      tags: expression("local.tags"),
    }),
    "aws_iam_role",
    name,
  );
}

/** What that role may do. */
export function rolePolicyBlock(name: string, statements: readonly Value[]): Block {
  return block(
    "resource",
    args({ role: expression(`aws_iam_role.${name}.id`), policy: document(statements) }),
    "aws_iam_role_policy",
    name,
  );
}

export function allow(actions: readonly string[], resource: Value): Value {
  return new Map<string, Value>([
    ["Effect", "Allow"],
    ["Action", actions],
    ["Resource", resource],
  ]);
}

/** A policy document. */
export function document(statements: readonly Value[]): Value {
  return new Call(
    "jsonencode",
    new Map<string, Value>([
      ["Version", "2012-10-17"],
      ["Statement", statements],
    ]),
  );
}
