import { boolean, string, struct } from "../shape.ts";

export interface GetResourcePolicyRequest {
  readonly ResourceArn: string;
}

export interface DeleteResourcePolicyRequest extends GetResourcePolicyRequest {
  readonly ExpectedRevisionId?: string;
}

export interface PutResourcePolicyRequest extends DeleteResourcePolicyRequest {
  readonly Policy: string;
  readonly ConfirmRemoveSelfResourceAccess?: boolean;
}

const resourceArn = string({ required: true, min: 1, max: 1_283 });
const revision = string({ min: 1, max: 255 });

export const getResourcePolicyShape = struct<GetResourcePolicyRequest>("GetResourcePolicyInput", {
  ResourceArn: resourceArn,
});

export const deleteResourcePolicyShape = struct<DeleteResourcePolicyRequest>(
  "DeleteResourcePolicyInput",
  { ResourceArn: resourceArn, ExpectedRevisionId: revision },
);

/** An empty policy is refused as a document, not for its length. */
export const putResourcePolicyShape = struct<PutResourcePolicyRequest>("PutResourcePolicyInput", {
  ResourceArn: resourceArn,
  Policy: string({ required: true }),
  ExpectedRevisionId: revision,
  ConfirmRemoveSelfResourceAccess: boolean(),
});
