import * as errors from "../api/errors/auto-scaling.ts";
import { tableCapacityUnitsMax } from "../api/limits.ts";
import {
  type RegisterScalableTargetRequest,
  registerScalableTargetShape,
} from "../api/requests/auto-scaling.ts";
import { newUuid } from "../engine/catalog.ts";
import type { ScalableTarget, SuspendedScaling, TableDescriptor } from "../engine/descriptor.ts";
import type { Context, Operation } from "./operation.ts";
import { changeTarget, type Scaled, type ScalingDirection, subjectOf } from "./scaling-subject.ts";
import { changeThroughput, noThroughput, raisedWarm } from "./table-throughput.ts";

export const registerScalableTarget: Operation<RegisterScalableTargetRequest> = {
  name: "AnyScaleFrontendService.RegisterScalableTarget",
  shape: registerScalableTargetShape,
  async run(context, request) {
    const subject = subjectOf(request);
    if (Object.keys(request.Tags ?? {}).length > 0) throw errors.scalingTagsNotSupported();
    const now = context.database.clock.now();
    const arnId = newUuid().replaceAll("-", "");
    const made = await changeTarget(context, subject, (before, scaled, table) => {
      const target = registered(context, request, before, { now, arnId });
      const more = raised(table, scaled, subject.direction, target.min, now);
      return { target, more, result: target };
    });
    return { ScalableTargetARN: targetArn(context, made) };
  },
};

export const targetArn = ({ region, account }: Context, { arnId }: ScalableTarget): string =>
  `arn:aws:application-autoscaling:${region}:${account}:scalable-target/${arnId}`;

/** The role that the service makes for itself. */
const ownRole = ({ account }: Context): string =>
  `arn:aws:iam::${account}:role/aws-service-role/dynamodb.application-autoscaling.amazonaws.com/` +
  "AWSServiceRoleForApplicationAutoScaling_DynamoDBTable";

/** What the request leaves out stays as it is. */
function registered(
  context: Context,
  request: RegisterScalableTargetRequest,
  before: ScalableTarget | undefined,
  made: { readonly now: number; readonly arnId: string },
): ScalableTarget {
  const min = request.MinCapacity ?? before?.min;
  const max = request.MaxCapacity ?? before?.max;
  if (min === undefined || max === undefined) throw errors.boundsMissing();
  if (min < 1) throw errors.boundTooLow();
  if (max < min) throw errors.boundsReversed();
  const suspended = suspendedAfter(request, before);
  return {
    ...(before ?? { arnId: made.arnId, createdAt: made.now }),
    min,
    max,
    roleArn: before?.roleArn ?? request.RoleARN ?? ownRole(context),
    ...(suspended !== undefined && { suspended }),
  };
}

function suspendedAfter(
  { SuspendedState: state }: RegisterScalableTargetRequest,
  before: ScalableTarget | undefined,
): SuspendedScaling | undefined {
  if (state === undefined) return before?.suspended;
  return {
    in: state.DynamicScalingInSuspended ?? before?.suspended?.in ?? false,
    out: state.DynamicScalingOutSuspended ?? before?.suspended?.out ?? false,
    scheduled: state.ScheduledScalingSuspended ?? before?.suspended?.scheduled ?? false,
  };
}

/** Units below the new minimum are raised to it at once. */
function raised(
  table: TableDescriptor,
  scaled: Scaled,
  direction: ScalingDirection,
  min: number,
  now: number,
): Partial<Pick<TableDescriptor, "throughput" | "warm">> {
  const before = scaled.throughput ?? noThroughput;
  if (table.billingMode === "PAY_PER_REQUEST" || before[direction] >= min) return {};
  // Such a change would be refused; nobody is told.
  if (min > tableCapacityUnitsMax) return {};
  const wanted = {
    ReadCapacityUnits: direction === "read" ? min : before.read,
    WriteCapacityUnits: direction === "write" ? min : before.write,
  };
  const throughput = changeThroughput(before, wanted, now);
  return {
    throughput,
    ...raisedWarm(table.billingMode, scaled, table.billingMode, throughput, undefined),
  };
}
