import { taggedNotFound, tagsTokenInvalid } from "../api/errors/tags.ts";
import { type ListTagsOfResourceRequest, listTagsOfResourceShape } from "../api/requests/tags.ts";
import { isGone } from "../engine/catalog.ts";
import type { Operation } from "./operation.ts";
import { taggedTable, visibleTags } from "./tags.ts";

export const listTagsOfResource: Operation<ListTagsOfResourceRequest> = {
  name: "ListTagsOfResource",
  shape: listTagsOfResourceShape,
  async run(context, request) {
    const { database, namespace } = context;
    const { arn, table: name } = taggedTable(context, request.ResourceArn);
    // All tags that a table can have fit on one page, so nobody was given a token.
    if (request.NextToken !== undefined) throw tagsTokenInvalid();
    const table = await database.catalog.find(namespace, name);
    const now = database.clock.now();
    if (table === undefined || isGone(table, now)) throw taggedNotFound(arn);
    return {
      Tags: visibleTags(table, now).map(({ key, value }) => ({ Key: key, Value: value })),
    };
  },
};
