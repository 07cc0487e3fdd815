import { targetNotFound } from "../api/errors/auto-scaling.ts";
import {
  deregisterScalableTargetShape,
  type ScalingSubjectRequest,
} from "../api/requests/auto-scaling.ts";
import type { Operation } from "./operation.ts";
import { changeTarget, subjectOf } from "./scaling-subject.ts";

/** A target takes its policy with it. */
export const deregisterScalableTarget: Operation<ScalingSubjectRequest> = {
  name: "AnyScaleFrontendService.DeregisterScalableTarget",
  shape: deregisterScalableTargetShape,
  async run(context, request) {
    const subject = subjectOf(request);
    const absent = () => targetNotFound(subject);
    await changeTarget(
      context,
      subject,
      (target) => {
        if (target === undefined) throw absent();
        return { target: undefined, result: undefined };
      },
      absent,
    );
    return {};
  },
};
