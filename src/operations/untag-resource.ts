import { noTagKeys, tooManyTags } from "../api/errors/tags.ts";
import { tagsMax } from "../api/limits.ts";
import { type UntagResourceRequest, untagResourceShape } from "../api/requests/tags.ts";
import type { Operation } from "./operation.ts";
import { changeTags, checkTagKey, taggedTable } from "./tags.ts";

export const untagResource: Operation<UntagResourceRequest> = {
  name: "UntagResource",
  shape: untagResourceShape,
  async run(context, request) {
    const resource = taggedTable(context, request.ResourceArn);
    const keys = new Set(request.TagKeys);
    if (keys.size === 0) throw noTagKeys();
    for (const key of keys) checkTagKey(key);
    if (request.TagKeys.length > tagsMax) throw tooManyTags();
    await changeTags(context, resource, {
      change: (tags) => tags.filter(({ key }) => !keys.has(key)),
    });
    return undefined;
  },
};
