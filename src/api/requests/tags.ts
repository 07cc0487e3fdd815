import { list, string, struct } from "../shape.ts";
import * as shared from "./shared.ts";

export interface TagResourceRequest {
  readonly ResourceArn?: string;
  readonly Tags: readonly shared.Tag[];
}

export interface UntagResourceRequest {
  readonly ResourceArn?: string;
  readonly TagKeys: readonly string[];
}

export interface ListTagsOfResourceRequest {
  readonly ResourceArn?: string;
  readonly NextToken?: string;
}

/** That there is none is told in another way than of other members. */
const resourceArn = string();

export const tagResourceShape = struct<TagResourceRequest>("TagResourceInput", {
  ResourceArn: resourceArn,
  Tags: { ...shared.tags, required: true },
});

export const untagResourceShape = struct<UntagResourceRequest>("UntagResourceInput", {
  ResourceArn: resourceArn,
  TagKeys: list(string(), { required: true }),
});

export const listTagsOfResourceShape = struct<ListTagsOfResourceRequest>(
  "ListTagsOfResourceInput",
  { ResourceArn: resourceArn, NextToken: string() },
);
