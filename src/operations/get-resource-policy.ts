import { policyNotFound } from "../api/errors/policy.ts";
import {
  type GetResourcePolicyRequest,
  getResourcePolicyShape,
} from "../api/requests/resource-policy.ts";
import type { Operation } from "./operation.ts";
import {
  placeOfPolicy,
  requireHolder,
  requireStream,
  storedPolicy,
  visiblePolicy,
} from "./resource-policies.ts";

export const getResourcePolicy: Operation<GetResourcePolicyRequest> = {
  name: "GetResourcePolicy",
  shape: getResourcePolicyShape,
  async run(context, { ResourceArn: arn }) {
    const { database, namespace } = context;
    const place = placeOfPolicy(context, arn);
    await requireStream(context, place);
    const now = database.clock.now();
    const found = await database.catalog.find(namespace, place.table);
    // The stream of a table that is gone is still there, its policy is not.
    if (found === undefined && place.kind === "stream") throw policyNotFound(arn);
    const table = requireHolder(found, place, now);
    const policy = visiblePolicy(storedPolicy(table, place), now);
    if (policy === undefined) throw policyNotFound(arn);
    return { Policy: policy.document, RevisionId: String(policy.revision) };
  },
};
