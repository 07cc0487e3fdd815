import { deleteScalingPolicy } from "./delete-scaling-policy.ts";
import { deregisterScalableTarget } from "./deregister-scalable-target.ts";
import { describeScalableTargets } from "./describe-scalable-targets.ts";
import { describeScalingPolicies } from "./describe-scaling-policies.ts";
import { putScalingPolicy } from "./put-scaling-policy.ts";
import { registerScalableTarget } from "./register-scalable-target.ts";
import type { AnyOperation } from "./registry.ts";

/** Before the names of Application Auto Scaling, a service of its own that shares this endpoint. */
export const scalingPrefix = "AnyScaleFrontendService.";

const supported: readonly AnyOperation[] = [
  deleteScalingPolicy,
  deregisterScalableTarget,
  describeScalableTargets,
  describeScalingPolicies,
  putScalingPolicy,
  registerScalableTarget,
];

/** The rest of that service: known by name, answered with what is missing. */
const unsupported: readonly string[] = [
  "DeleteScheduledAction",
  "DescribeScalingActivities",
  "DescribeScheduledActions",
  "GetPredictiveScalingForecast",
  "ListTagsForResource",
  "PutScheduledAction",
  "TagResource",
  "UntagResource",
];

/** By whole name, prefix and all, so that its TagResource is not taken for DynamoDB's. */
export const scalingRegistry: ReadonlyMap<string, AnyOperation | undefined> = new Map([
  ...supported.map((operation): [string, AnyOperation] => [operation.name, operation]),
  ...unsupported.map((name): [string, undefined] => [scalingPrefix + name, undefined]),
]);
