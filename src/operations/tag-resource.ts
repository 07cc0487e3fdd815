import { noTags, tooManyTags } from "../api/errors/tags.ts";
import { tagsMax } from "../api/limits.ts";
import { type TagResourceRequest, tagResourceShape } from "../api/requests/tags.ts";
import type { Operation } from "./operation.ts";
import { changeTags, checkedTags, taggedTable } from "./tags.ts";

export const tagResource: Operation<TagResourceRequest> = {
  name: "TagResource",
  shape: tagResourceShape,
  async run(context, request) {
    const resource = taggedTable(context, request.ResourceArn);
    if (request.Tags.length === 0) throw noTags();
    const added = checkedTags(request.Tags);
    const values = new Map(added.map(({ key, value }) => [key, value]));
    await changeTags(context, resource, {
      added,
      change: (tags) => {
        const known = new Set(tags.map(({ key }) => key));
        const changed = tags.map(({ key, value }) => ({ key, value: values.get(key) ?? value }));
        const after = [...changed, ...added.filter(({ key }) => !known.has(key))];
        if (after.length > tagsMax) throw tooManyTags();
        return after;
      },
    });
    return undefined;
  },
};
