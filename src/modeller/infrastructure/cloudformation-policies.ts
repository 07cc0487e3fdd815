import type { Table } from "../../model/design.ts";
import { type AccessStatement, keyOperator } from "./access.ts";
import {
  allow,
  attribute,
  document,
  ref,
  sub,
  type TemplateMaker,
} from "./cloudformation-maker.ts";
import type { Infrastructure } from "./describe.ts";
import type { Data } from "./yaml.ts";

/** A policy for each scope: what its patterns do, and nothing else. */
export function addPolicies(maker: TemplateMaker, { policies, tables }: Infrastructure): void {
  const byName = new Map(tables.map(({ table }) => [table.name, table]));
  for (const { name, about, statements } of policies) {
    const id = maker.add(maker.name("access", ...name), {
      Type: "AWS::IAM::ManagedPolicy",
      Properties: {
        Description: describedAs(about),
        PolicyDocument: document(
          statements.flatMap((one) => {
            const table = byName.get(one.table);
            return table === undefined ? [] : [statement(maker, one, table)];
          }),
        ),
      },
    });
    maker.output([id, "PolicyArn"], about, ref(id));
  }
}

function statement(
  maker: TemplateMaker,
  { on, index, actions, leadingKeys }: AccessStatement,
  table: Table,
): Data {
  if (on === "key" && typeof table.encryption === "object") {
    return keyStatement(maker, table, table.encryption.key, actions);
  }
  if (on === "cache") return allow(actions, attribute(maker.name(table.name, "cache"), "Arn"));
  const id = maker.table(table);
  return {
    ...allow(
      actions,
      index === undefined ? attribute(id, "Arn") : sub(`\${${id}.Arn}/index/${index}`),
    ),
    ...(leadingKeys !== undefined && {
      Condition: { [keyOperator(leadingKeys)]: { "dynamodb:LeadingKeys": leadingKeys } },
    }),
  };
}

/**
 * The key of a table, only for what is in that table. A key that is not named by its ARN is any of the account's, as
 * far as that goes.
 */
export function keyStatement(
  maker: TemplateMaker,
  table: Table,
  key: string,
  actions: readonly string[],
): Data {
  const isKeyArn = /^arn:[a-z-]+:kms:[a-z0-9-]+:\d{12}:key\/[A-Za-z0-9-]+$/.test(key);
  return {
    ...allow(
      actions,
      isKeyArn ? key : sub(`arn:\${AWS::Partition}:kms:\${AWS::Region}:\${AWS::AccountId}:key/*`),
    ),
    Condition: {
      StringEquals: {
        "kms:EncryptionContext:aws:dynamodb:tableName": ref(maker.table(table)),
      },
    },
  };
}

/** Descriptions of policies take no other signs, and no more of them. */
export function describedAs(text: string): string {
  return text.replaceAll(/[^ -~]/gu, "_").slice(0, 1_000);
}
