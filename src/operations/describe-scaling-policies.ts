import {
  type DescribeScalingPoliciesRequest,
  describeScalingPoliciesShape,
} from "../api/requests/auto-scaling.ts";
import type { TargetTracking } from "../engine/descriptor.ts";
import type { Context, Operation } from "./operation.ts";
import { metricOf, policyArn } from "./put-scaling-policy.ts";
import { allTargets, type ListedTarget, pageOf } from "./scaling-list.ts";
import { namespace, type ScalingDirection } from "./scaling-subject.ts";
import { seconds } from "./table-description.ts";

const pageMax = 10;

export const describeScalingPolicies: Operation<DescribeScalingPoliciesRequest> = {
  name: "AnyScaleFrontendService.DescribeScalingPolicies",
  shape: describeScalingPoliciesShape,
  async run(context, request) {
    const { PolicyNames: names, ResourceId: id, ScalableDimension: wanted } = request;
    const all = (await allTargets(context, request.ServiceNamespace)).filter(
      ({ resourceId, dimension, target: { policy } }) =>
        policy !== undefined &&
        (names === undefined || names.length === 0 || names.includes(policy.name)) &&
        (id === undefined || id === resourceId) &&
        (wanted === undefined || wanted === dimension),
    );
    const { entries, next } = pageOf(all, request, pageMax);
    return { ScalingPolicies: entries.flatMap((entry) => described(context, entry)), ...next };
  },
};

function described(context: Context, listed: ListedTarget): object[] {
  const { resourceId, dimension, direction, target } = listed;
  if (target.policy === undefined) return [];
  return [
    {
      PolicyARN: policyArn(context, resourceId, target.policy),
      PolicyName: target.policy.name,
      ServiceNamespace: namespace,
      ResourceId: resourceId,
      ScalableDimension: dimension,
      PolicyType: "TargetTrackingScaling",
      TargetTrackingScalingPolicyConfiguration: configurationOf(target.policy, direction),
      Alarms: [],
      CreationTime: seconds(target.policy.createdAt),
    },
  ];
}

function configurationOf(policy: TargetTracking, direction: ScalingDirection): object {
  const { scaleInCooldown, scaleOutCooldown, disableScaleIn } = policy;
  return {
    TargetValue: policy.targetPercent,
    PredefinedMetricSpecification: { PredefinedMetricType: metricOf[direction] },
    ...(scaleOutCooldown !== undefined && { ScaleOutCooldown: scaleOutCooldown }),
    ...(scaleInCooldown !== undefined && { ScaleInCooldown: scaleInCooldown }),
    ...(disableScaleIn !== undefined && { DisableScaleIn: disableScaleIn }),
  };
}
