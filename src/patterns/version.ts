import { type BackoffOptions, restedFor } from "./backoff.ts";
import { absent, type Condition, equalTo } from "./conditions.ts";
import { failedMembers, isConditionFailed, VersionConflictError } from "./errors.ts";
import type { UpdateBuilder } from "./expression.ts";
import { ValueError } from "./numbers.ts";
import { type PutMember, putMember } from "./transact.ts";
import type { Attributes } from "./values.ts";

/** Items that nobody holds a lock on: a write says which version it is based on, and fails if there is a newer one. */

/** The item has this version still; without one, it has none yet. */
export function isAtVersion(attribute: string, version: number | undefined): Condition {
  return version === undefined ? absent(attribute) : equalTo(attribute, version);
}

/** Adds the next version to an update, and answers the condition that belongs to it. */
export function lockVersion(
  update: UpdateBuilder,
  attribute: string,
  version: number | undefined,
): Condition {
  update.add(attribute, 1);
  return isAtVersion(attribute, version);
}

export interface VersionedItem {
  readonly table: string;
  /** What both items hold. */
  readonly item: Attributes;
  /** The attribute of the version's number. */
  readonly attribute: string;
  /** The number of the version that is written, from 1. */
  readonly version: number;
  /** The key of a version; its first attribute is the partition key. */
  readonly versionKey: (version: number) => Attributes;
  /** The key of the copy that is the latest version. */
  readonly latestKey: Attributes;
}

/**
 * A new version beside the old ones, and a copy of it as the latest, which is read without looking for it. Two who
 * write the same version meet at the copy: one of them fails.
 */
export function putVersion(versioned: VersionedItem): [PutMember, PutMember] {
  const { table, item, attribute, version, versionKey, latestKey } = versioned;
  if (!Number.isInteger(version) || version < 1) throw new ValueError("versions count from 1");
  const key = versionKey(version);
  const [partition] = Object.keys(key);
  if (partition === undefined) throw new ValueError("a key has one attribute at least");
  const stored = { ...item, [attribute]: version };
  return [
    putMember(table, { ...stored, ...key }, absent(partition)),
    putMember(
      table,
      { ...stored, ...latestKey },
      isAtVersion(attribute, version === 1 ? undefined : version - 1),
    ),
  ];
}

export interface VersionOptions extends BackoffOptions {
  /**
   * Whether an error means that somebody was faster. Every failed condition does if nothing is said; say more if a
   * transaction has other conditions too, for those will fail again.
   */
  readonly isConflict?: ((error: unknown) => boolean) | undefined;
}

function isRefused(error: unknown): boolean {
  return isConditionFailed(error) || failedMembers(error).length > 0;
}

/**
 * Reads, changes and writes until nobody was faster. `write` is to use `isAtVersion` or `lockVersion` with
 * what was read; if its condition fails, all begins anew.
 */
export async function changedAtVersion<T, R>(
  steps: { readonly read: () => Promise<T>; readonly write: (read: T) => Promise<R> },
  options: VersionOptions = {},
): Promise<R> {
  const { isConflict = isRefused } = options;
  for (let attempt = 0; ; attempt += 1) {
    const read = await steps.read();
    try {
      return await steps.write(read);
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (!(await restedFor(attempt, options))) {
        throw new VersionConflictError("others were faster in every attempt", { cause: error });
      }
    }
  }
}
