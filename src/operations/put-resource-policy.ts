import { lockedOut } from "../api/errors/policy.ts";
import { readPolicy } from "../api/policy/read-policy.ts";
import {
  type PutResourcePolicyRequest,
  putResourcePolicyShape,
} from "../api/requests/resource-policy.ts";
import type { Operation } from "./operation.ts";
import { changePolicy, placeOfPolicy, requireStream } from "./resource-policies.ts";

export const putResourcePolicy: Operation<PutResourcePolicyRequest> = {
  name: "PutResourcePolicy",
  shape: putResourcePolicyShape,
  async run(context, request) {
    const place = placeOfPolicy(context, request.ResourceArn);
    const { document, versionless, locksOut } = readPolicy(request.Policy, place);
    if (locksOut && request.ConfirmRemoveSelfResourceAccess !== true) throw lockedOut();
    await requireStream(context, place);
    const expected = request.ExpectedRevisionId;
    const revision = await changePolicy(context, place, { expected, document, versionless });
    return { RevisionId: String(revision) };
  },
};
