import {
  allow,
  attribute,
  document,
  ref,
  roleFor,
  type TemplateMaker,
} from "./cloudformation-maker.ts";
import type { TableDescription } from "./describe.ts";
import * as patterns from "./parameter-patterns.ts";

/** Functions that are called at times, and the roles that may call them. */
export function addSchedules(maker: TemplateMaker, { table, schedules }: TableDescription): void {
  for (const { name, description, expression } of schedules) {
    const fn = ref(
      maker.parameter(
        [name, "FunctionArn"],
        `The function for ${table.name} that is called at ${expression}: ${description}`,
        { of: table, pattern: patterns.functionArn },
      ),
    );
    const words = [table.name, name, expression];
    const role = maker.add(
      maker.name(...words, "role"),
      roleFor("scheduler", {
        Policies: [
          {
            PolicyName: "invoke",
            PolicyDocument: document([allow(["lambda:InvokeFunction"], fn)]),
          },
        ],
      }),
    );
    maker.add(maker.name(...words, "schedule"), {
      Type: "AWS::Scheduler::Schedule",
      Properties: {
        Description: description.slice(0, 512),
        ScheduleExpression: expression,
        FlexibleTimeWindow: { Mode: "OFF" },
        Target: { Arn: fn, RoleArn: attribute(role, "Arn") },
      },
    });
  }
}
