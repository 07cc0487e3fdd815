import { boolean, double, integer, list, map, oneOf, string, struct } from "../shape.ts";

/** Requests of Application Auto Scaling, as far as they concern DynamoDB. */

export interface ScalingSubjectRequest {
  readonly ServiceNamespace: string;
  readonly ResourceId: string;
  readonly ScalableDimension: string;
}

export interface SuspendedState {
  readonly DynamicScalingInSuspended?: boolean;
  readonly DynamicScalingOutSuspended?: boolean;
  readonly ScheduledScalingSuspended?: boolean;
}

export interface RegisterScalableTargetRequest extends ScalingSubjectRequest {
  readonly MinCapacity?: number;
  readonly MaxCapacity?: number;
  readonly RoleARN?: string;
  readonly SuspendedState?: SuspendedState;
  readonly Tags?: Readonly<Record<string, string>>;
}

interface Paged {
  readonly MaxResults?: number;
  readonly NextToken?: string;
}

export interface DescribeScalableTargetsRequest extends Paged {
  readonly ServiceNamespace: string;
  readonly ResourceIds?: readonly string[];
  readonly ScalableDimension?: string;
}

export interface PredefinedMetricSpecification {
  readonly PredefinedMetricType: string;
  readonly ResourceLabel?: string;
}

export interface TargetTrackingConfiguration {
  readonly TargetValue: number;
  readonly PredefinedMetricSpecification?: PredefinedMetricSpecification;
  readonly CustomizedMetricSpecification?: object;
  readonly ScaleOutCooldown?: number;
  readonly ScaleInCooldown?: number;
  readonly DisableScaleIn?: boolean;
}

export interface PutScalingPolicyRequest extends ScalingSubjectRequest {
  readonly PolicyName: string;
  readonly PolicyType?: string;
  readonly StepScalingPolicyConfiguration?: object;
  readonly TargetTrackingScalingPolicyConfiguration?: TargetTrackingConfiguration;
}

export interface DescribeScalingPoliciesRequest extends Paged {
  readonly ServiceNamespace: string;
  readonly PolicyNames?: readonly string[];
  readonly ResourceId?: string;
  readonly ScalableDimension?: string;
}

export interface DeleteScalingPolicyRequest extends ScalingSubjectRequest {
  readonly PolicyName: string;
}

const namespace = { ServiceNamespace: string({ required: true, min: 1 }) };
const resourceId = string({ min: 1, max: 1_600 });
const subject = {
  ...namespace,
  ResourceId: string({ required: true, min: 1, max: 1_600 }),
  ScalableDimension: string({ required: true, min: 1 }),
};
const policyName = string({ required: true, min: 1, max: 256 });
const paged = { MaxResults: integer(), NextToken: string() };

/** Settings that are refused, whatever is in them. */
const anything = struct<object>("Object", {});

export const registerScalableTargetShape = struct<RegisterScalableTargetRequest>(
  "RegisterScalableTargetRequest",
  {
    ...subject,
    MinCapacity: integer(),
    MaxCapacity: integer(),
    RoleARN: string({ min: 1, max: 1_600 }),
    SuspendedState: struct<SuspendedState>("SuspendedState", {
      DynamicScalingInSuspended: boolean(),
      DynamicScalingOutSuspended: boolean(),
      ScheduledScalingSuspended: boolean(),
    }),
    Tags: map(string()),
  },
);

export const deregisterScalableTargetShape = struct<ScalingSubjectRequest>(
  "DeregisterScalableTargetRequest",
  subject,
);

export const describeScalableTargetsShape = struct<DescribeScalableTargetsRequest>(
  "DescribeScalableTargetsRequest",
  { ...namespace, ResourceIds: list(resourceId), ScalableDimension: string(), ...paged },
);

const tracking = struct<TargetTrackingConfiguration>("TargetTrackingScalingPolicyConfiguration", {
  TargetValue: double({ required: true }),
  PredefinedMetricSpecification: struct<PredefinedMetricSpecification>(
    "PredefinedMetricSpecification",
    { PredefinedMetricType: string({ required: true }), ResourceLabel: string({ min: 1 }) },
  ),
  CustomizedMetricSpecification: anything,
  ScaleOutCooldown: integer(),
  ScaleInCooldown: integer(),
  DisableScaleIn: boolean(),
});

export const putScalingPolicyShape = struct<PutScalingPolicyRequest>("PutScalingPolicyRequest", {
  PolicyName: policyName,
  ...subject,
  PolicyType: oneOf(["StepScaling", "TargetTrackingScaling", "PredictiveScaling"]),
  StepScalingPolicyConfiguration: anything,
  TargetTrackingScalingPolicyConfiguration: tracking,
});

export const describeScalingPoliciesShape = struct<DescribeScalingPoliciesRequest>(
  "DescribeScalingPoliciesRequest",
  {
    PolicyNames: list(string({ min: 1 })),
    ...namespace,
    ResourceId: resourceId,
    ScalableDimension: string(),
    ...paged,
  },
);

export const deleteScalingPolicyShape = struct<DeleteScalingPolicyRequest>(
  "DeleteScalingPolicyRequest",
  { PolicyName: policyName, ...subject },
);
