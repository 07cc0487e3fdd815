import {
  type DeleteResourcePolicyRequest,
  deleteResourcePolicyShape,
} from "../api/requests/resource-policy.ts";
import type { Operation } from "./operation.ts";
import { changePolicy, placeOfPolicy, requireStream } from "./resource-policies.ts";

export const deleteResourcePolicy: Operation<DeleteResourcePolicyRequest> = {
  name: "DeleteResourcePolicy",
  shape: deleteResourcePolicyShape,
  async run(context, request) {
    const place = placeOfPolicy(context, request.ResourceArn);
    await requireStream(context, place);
    const revision = await changePolicy(context, place, {
      expected: request.ExpectedRevisionId,
      document: undefined,
      versionless: false,
    });
    return revision === undefined ? {} : { RevisionId: String(revision) };
  },
};
