import { policyNotFound } from "../api/errors/auto-scaling.ts";
import {
  type DeleteScalingPolicyRequest,
  deleteScalingPolicyShape,
} from "../api/requests/auto-scaling.ts";
import type { Operation } from "./operation.ts";
import { changeTarget, subjectOf } from "./scaling-subject.ts";

export const deleteScalingPolicy: Operation<DeleteScalingPolicyRequest> = {
  name: "AnyScaleFrontendService.DeleteScalingPolicy",
  shape: deleteScalingPolicyShape,
  async run(context, request) {
    const subject = subjectOf(request);
    const absent = () => policyNotFound(subject, request.PolicyName);
    await changeTarget(
      context,
      subject,
      (target) => {
        if (target?.policy?.name !== request.PolicyName) throw absent();
        const { policy: _, ...rest } = target;
        return { target: rest, result: undefined };
      },
      absent,
    );
    return {};
  },
};
