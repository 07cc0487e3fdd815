import { arnMissing } from "../api/errors/resource-arn.ts";
import { tableBeingDeleted } from "../api/errors/table.ts";
import * as errors from "../api/errors/tags.ts";
import { tagKeyCharactersMax, tagsMax, tagValueCharactersMax } from "../api/limits.ts";
import type { Tag as RequestedTag } from "../api/requests/shared.ts";
import { isGone } from "../engine/catalog.ts";
import { type TableDescriptor, type Tag, tableStatus } from "../engine/descriptor.ts";
import type { Context } from "./operation.ts";
import { readResourceArn, tagRefusals } from "./resource-arn.ts";

const allowed = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;
const reserved = /^aws:/i;

export function checkTagKey(key: string | undefined): asserts key is string {
  if (key === undefined || key === "" || key.length > tagKeyCharactersMax || !allowed.test(key)) {
    throw errors.tagKeyInvalid(key);
  }
  if (reserved.test(key)) throw errors.tagKeyReserved(key);
}

/** The tags of a request, one by one and then together. */
export function checkedTags(requested: readonly RequestedTag[]): readonly Tag[] {
  const keys = new Set<string>();
  const tags = requested.map(({ Key: key, Value: value }): Tag => {
    checkTagKey(key);
    if (value === undefined || value.length > tagValueCharactersMax || !allowed.test(value)) {
      throw errors.tagValueInvalid(value);
    }
    if (keys.has(key)) throw errors.tagKeyTwice(key);
    keys.add(key);
    return { key, value };
  });
  if (tags.length > tagsMax) throw errors.tooManyTags();
  return tags;
}

export interface Tagged {
  readonly arn: string;
  readonly table: string;
}

/** The table whose tags a request is about; streams have none. */
export function taggedTable(context: Context, arn: string | undefined): Tagged {
  if (arn === undefined) throw arnMissing();
  const { table, stream } = readResourceArn(context, arn, tagRefusals);
  if (stream !== undefined) throw errors.taggedNotFound(arn);
  return { arn, table };
}

/** Tags as they are told: a change shows when it is done. */
export function visibleTags(
  { tags = [], tagChange }: TableDescriptor,
  now: number,
): readonly Tag[] {
  return tagChange !== undefined && now < tagChange.until ? tagChange.before : tags;
}

/** Whether tags are being changed. */
export function tagsChanging({ tagChange }: TableDescriptor, now: number): boolean {
  return tagChange !== undefined && now < tagChange.until;
}

interface Wanted {
  /** The tags after the change. Throws to refuse. */
  readonly change: (tags: readonly Tag[]) => readonly Tag[];
  readonly added?: readonly Tag[];
}

/** Changes the tags of a table in one commit. What changes nothing is done at once. */
export async function changeTags(
  { database, namespace }: Context,
  { arn, table: name }: Tagged,
  { change, added }: Wanted,
): Promise<void> {
  const { catalog, clock, transitionMs } = database;
  await catalog.change(namespace, name, (table) => {
    const now = clock.now();
    if (table === undefined || isGone(table, now)) throw errors.taggedNotFound(arn);
    const { tagChange: pending, tags: before = [], ...rest } = table;
    if (tagsChanging(table, now) && !includes(added, pending?.added)) {
      throw errors.tagsBeingUpdated(name);
    }
    const after = change(before);
    if (sameTags(before, after)) return { table, result: undefined };
    if (tableStatus(table, now) === "DELETING") throw tableBeingDeleted(name);
    const changed: TableDescriptor = {
      ...rest,
      version: table.version + 1,
      ...(after.length > 0 && { tags: after }),
      ...(transitionMs > 0 && {
        tagChange: {
          until: now + transitionMs,
          before: visibleTags(table, now),
          ...(added !== undefined && { added }),
        },
      }),
    };
    return { table: changed, result: undefined };
  });
}

/** Meanwhile the service takes only what has the tags in it that are on their way. */
function includes(added: readonly Tag[] | undefined, pending: readonly Tag[] | undefined): boolean {
  if (added === undefined || pending === undefined) return false;
  return pending.every((tag) => added.some((one) => isSame(one, tag)));
}

function sameTags(some: readonly Tag[], others: readonly Tag[]): boolean {
  return some.length === others.length && some.every((tag, i) => isSame(tag, others[i]));
}

const isSame = (tag: Tag, other: Tag | undefined): boolean =>
  tag.key === other?.key && tag.value === other.value;
