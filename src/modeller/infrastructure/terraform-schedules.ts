import type { TableDescription } from "./describe.ts";
import { args, type Block, block, expression } from "./hcl.ts";
import type { Schedule } from "./schedules.ts";
import { plainName } from "./short-name.ts";
import { namePrefix, type TerraformNames } from "./terraform-names.ts";
import { allow, roleBlock, rolePolicyBlock } from "./terraform-roles.ts";

const type = "aws_scheduler_schedule";
const prefixMax = 38;
const wordsMax = 30;

/** Functions that are called at times, and the roles that may call them. */
export function scheduleBlocks(
  { schedules }: TableDescription,
  names: TerraformNames,
): readonly Block[] {
  return schedules.flatMap((schedule) => ofSchedule(schedule, names));
}

function ofSchedule(schedule: Schedule, names: TerraformNames): readonly Block[] {
  const { table, name, description, expression: when } = schedule;
  const words = [table.name, name, when];
  const role = names.resource("aws_iam_role", "schedule", ...words);
  const about = plainName(name, wordsMax);
  const fn = expression(`var.${names.scheduleVariable(schedule)}`);
  return [
    roleBlock(role, about, "scheduler"),
    rolePolicyBlock(role, [allow(["lambda:InvokeFunction"], fn)]),
    {
      ...block(
        "resource",
        [
          ...args({
            name_prefix: namePrefix(about, prefixMax),
            schedule_expression: when,
          }),
          block("flexible_time_window", args({ mode: "OFF" })),
          block("target", args({ arn: fn, role_arn: expression(`aws_iam_role.${role}.arn`) })),
        ],
        type,
        names.resource(type, ...words),
      ),
      comment: description,
    },
  ];
}
