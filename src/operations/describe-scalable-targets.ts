import {
  type DescribeScalableTargetsRequest,
  describeScalableTargetsShape,
} from "../api/requests/auto-scaling.ts";
import type { Context, Operation } from "./operation.ts";
import { targetArn } from "./register-scalable-target.ts";
import { allTargets, type ListedTarget, pageOf } from "./scaling-list.ts";
import { namespace } from "./scaling-subject.ts";
import { seconds } from "./table-description.ts";

const pageMax = 50;

export const describeScalableTargets: Operation<DescribeScalableTargetsRequest> = {
  name: "AnyScaleFrontendService.DescribeScalableTargets",
  shape: describeScalableTargetsShape,
  async run(context, request) {
    const { ResourceIds: ids, ScalableDimension: wanted } = request;
    const all = (await allTargets(context, request.ServiceNamespace)).filter(
      ({ resourceId, dimension }) =>
        (ids === undefined || ids.length === 0 || ids.includes(resourceId)) &&
        (wanted === undefined || wanted === dimension),
    );
    const { entries, next } = pageOf(all, request, pageMax);
    return { ScalableTargets: entries.map((entry) => described(context, entry)), ...next };
  },
};

function described(context: Context, { resourceId, dimension, target }: ListedTarget): object {
  const { suspended } = target;
  return {
    ServiceNamespace: namespace,
    ResourceId: resourceId,
    ScalableDimension: dimension,
    MinCapacity: target.min,
    MaxCapacity: target.max,
    RoleARN: target.roleArn,
    CreationTime: seconds(target.createdAt),
    SuspendedState: {
      DynamicScalingInSuspended: suspended?.in ?? false,
      DynamicScalingOutSuspended: suspended?.out ?? false,
      ScheduledScalingSuspended: suspended?.scheduled ?? false,
    },
    ScalableTargetARN: targetArn(context, target),
  };
}
