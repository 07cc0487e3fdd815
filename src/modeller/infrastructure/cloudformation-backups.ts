import { attribute, ref, roleFor, sub, type TemplateMaker } from "./cloudformation-maker.ts";
import type { Infrastructure } from "./describe.ts";

/** Copies of whole tables: a vault, a role, and for each pair of times a plan with the tables that it is for. */
export function addBackups(maker: TemplateMaker, { backups }: Infrastructure): void {
  if (backups.length === 0) return;
  const vault = maker.add(maker.name("backup", "vault"), {
    Type: "AWS::Backup::BackupVault",
    DeletionPolicy: "Retain",
    UpdateReplacePolicy: "Retain",
    Properties: { BackupVaultName: sub(`\${Project}-\${Environment}`) },
  });
  const role = maker.add(
    maker.name("backup", "role"),
    roleFor("backup", {
      ManagedPolicyArns: [
        sub(
          `arn:\${AWS::Partition}:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup`,
        ),
      ],
    }),
  );
  for (const { name, schedule, keepDays, tables } of backups) {
    const plan = maker.add(maker.name("backup", "every", name, "plan"), {
      Type: "AWS::Backup::BackupPlan",
      Properties: {
        BackupPlan: {
          BackupPlanName: sub(`\${Project}-${name}`),
          BackupPlanRule: [
            {
              RuleName: name,
              TargetBackupVault: ref(vault),
              ScheduleExpression: schedule,
              Lifecycle: { DeleteAfterDays: keepDays },
            },
          ],
        },
      },
    });
    maker.add(maker.name("backup", "every", name, "tables"), {
      Type: "AWS::Backup::BackupSelection",
      Properties: {
        BackupPlanId: ref(plan),
        BackupSelection: {
          SelectionName: name,
          IamRoleArn: attribute(role, "Arn"),
          Resources: tables.map((table) => attribute(maker.table(table), "Arn")),
        },
      },
    });
  }
}
