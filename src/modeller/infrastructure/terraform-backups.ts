import type { Table } from "../../model/design.ts";
import type { Infrastructure } from "./describe.ts";
import { args, type Block, block, expression } from "./hcl.ts";
import type { TerraformNames } from "./terraform-names.ts";
import { roleBlock } from "./terraform-roles.ts";

/** Copies of whole tables: a vault, a role, and for each pair of times a plan with the tables that it is for. */
export function backupBlocks({ backups }: Infrastructure, names: TerraformNames): readonly Block[] {
  if (backups.length === 0) return [];
  const tags = expression("local.tags");
  return [
    block("data", [], "aws_partition", "current"),
    {
      ...block(
        "resource",
        args({ name: expression(`"\${var.project}-\${var.environment}"`), tags }),
        "aws_backup_vault",
        "tables",
      ),
      comment:
        "DynamoDB has to be switched on in the settings of AWS Backup, once for an account and Region",
    },
    roleBlock("backup", "backup", "backup"),
    block(
      "resource",
      args({
        role: expression("aws_iam_role.backup.name"),
        policy_arn: expression(
          `"arn:\${data.aws_partition.current.partition}:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup"`,
        ),
      }),
      "aws_iam_role_policy_attachment",
      names.resource("aws_iam_role_policy_attachment", "backup"),
    ),
    ...backups.flatMap(({ name, description, schedule, keepDays, tables }) => [
      {
        ...block(
          "resource",
          [
            ...args({ name: expression(`"\${var.project}-${name}"`), tags }),
            block("rule", [
              ...args({
                rule_name: name,
                target_vault_name: expression("aws_backup_vault.tables.name"),
                schedule,
              }),
              block("lifecycle", args({ delete_after: keepDays })),
            ]),
          ],
          "aws_backup_plan",
          names.resource("aws_backup_plan", "every", name),
        ),
        comment: description,
      },
      block(
        "resource",
        args({
          name,
          plan_id: expression(`${names.ref("aws_backup_plan", "every", name)}.id`),
          iam_role_arn: expression("aws_iam_role.backup.arn"),
          resources: expression(arnsOf(tables, names)),
        }),
        "aws_backup_selection",
        names.resource("aws_backup_selection", "every", name),
      ),
    ]),
  ];
}

function arnsOf(tables: readonly Table[], names: TerraformNames): string {
  const single = tables.filter(({ periods }) => periods === undefined);
  const several = tables.filter(({ periods }) => periods !== undefined);
  const list = `[${single.map((table) => `aws_dynamodb_table.${names.table(table)}.arn`).join(", ")}]`;
  if (several.length === 0) return list;
  const rest = several.map((table) => `values(aws_dynamodb_table.${names.table(table)})[*].arn`);
  return `concat(${[...(single.length === 0 ? [] : [list]), ...rest].join(", ")})`;
}
