import * as errors from "../api/errors/auto-scaling.ts";
import { targetPercentMax, targetPercentMin } from "../api/limits.ts";
import {
  type PutScalingPolicyRequest,
  putScalingPolicyShape,
  type TargetTrackingConfiguration,
} from "../api/requests/auto-scaling.ts";
import { newUuid } from "../engine/catalog.ts";
import type { TargetTracking } from "../engine/descriptor.ts";
import type { Context, Operation } from "./operation.ts";
import { changeTarget, namespace, type ScalingDirection, subjectOf } from "./scaling-subject.ts";

export const metricOf: Readonly<Record<ScalingDirection, string>> = {
  read: "DynamoDBReadCapacityUtilization",
  write: "DynamoDBWriteCapacityUtilization",
};

export const putScalingPolicy: Operation<PutScalingPolicyRequest> = {
  name: "AnyScaleFrontendService.PutScalingPolicy",
  shape: putScalingPolicyShape,
  async run(context, request) {
    const subject = subjectOf(request);
    const type = request.PolicyType ?? "TargetTrackingScaling";
    if (type !== "TargetTrackingScaling" || request.StepScalingPolicyConfiguration !== undefined) {
      throw errors.policyTypeNotSupported(type === "TargetTrackingScaling" ? "StepScaling" : type);
    }
    const { TargetTrackingScalingPolicyConfiguration: configuration } = request;
    if (configuration === undefined) throw errors.trackingConfigurationMissing();
    checkConfiguration(configuration, subject.dimension, subject.direction);
    const now = context.database.clock.now();
    const absent = () => errors.targetNotRegistered(subject);
    const arnId = newUuid();
    const policy = await changeTarget(
      context,
      subject,
      (target) => {
        if (target === undefined) throw absent();
        const before = target.policy;
        const known = before?.name === request.PolicyName ? before : undefined;
        if (known === undefined && request.PolicyType === undefined) {
          throw errors.policyTypeMissing();
        }
        if (before !== undefined && known === undefined) throw errors.secondPolicyForMetric();
        const made = known ?? { name: request.PolicyName, arnId, createdAt: now };
        const after = tracking(made, configuration);
        return { target: { ...target, policy: after }, result: after };
      },
      absent,
    );
    // There is no CloudWatch here, and so there are no alarms.
    return { PolicyARN: policyArn(context, subject.resourceId, policy), Alarms: [] };
  },
};

export const policyArn = (
  { region, account }: Context,
  resourceId: string,
  { arnId, name }: TargetTracking,
): string =>
  `arn:aws:autoscaling:${region}:${account}:scalingPolicy:${arnId}:resource/${namespace}/` +
  `${resourceId}:policyName/${name}`;

function checkConfiguration(
  configuration: TargetTrackingConfiguration,
  dimension: string,
  direction: ScalingDirection,
): void {
  const { PredefinedMetricSpecification: predefined, TargetValue: target } = configuration;
  const custom = configuration.CustomizedMetricSpecification;
  if ((predefined === undefined) === (custom === undefined)) throw errors.metricMissing();
  if (predefined === undefined) throw errors.customMetricNotSupported();
  if (predefined.PredefinedMetricType !== metricOf[direction]) {
    throw errors.metricNotOfDimension(predefined.PredefinedMetricType, dimension);
  }
  if (target < targetPercentMin || target > targetPercentMax) {
    throw errors.targetOutOfRange(
      predefined.PredefinedMetricType,
      targetPercentMin,
      targetPercentMax,
      target,
    );
  }
}

/** A policy is replaced as a whole, but keeps its name, its ARN and its age. */
function tracking(
  { name, arnId, createdAt }: Pick<TargetTracking, "name" | "arnId" | "createdAt">,
  configuration: TargetTrackingConfiguration,
): TargetTracking {
  const { ScaleInCooldown, ScaleOutCooldown, DisableScaleIn } = configuration;
  return {
    name,
    arnId,
    createdAt,
    targetPercent: configuration.TargetValue,
    ...(ScaleInCooldown !== undefined && { scaleInCooldown: ScaleInCooldown }),
    ...(ScaleOutCooldown !== undefined && { scaleOutCooldown: ScaleOutCooldown }),
    ...(DisableScaleIn !== undefined && { disableScaleIn: DisableScaleIn }),
  };
}
