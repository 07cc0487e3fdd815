import { scalingTokenInvalid } from "../api/errors/auto-scaling.ts";
import { isGone } from "../engine/catalog.ts";
import type { ScalableTarget } from "../engine/descriptor.ts";
import type { Context } from "./operation.ts";
import {
  dimensionOf,
  namespace as dynamodb,
  resourceIdOf,
  type ScalingDirection,
} from "./scaling-subject.ts";

export interface ListedTarget {
  readonly resourceId: string;
  readonly dimension: string;
  readonly direction: ScalingDirection;
  readonly target: ScalableTarget;
}

const tablesPerLook = 1_000;

/** All targets of the account and Region: table by table, each with its indexes. */
export async function allTargets(
  { database, namespace: space }: Context,
  serviceNamespace: string,
): Promise<ListedTarget[]> {
  const found: ListedTarget[] = [];
  if (serviceNamespace !== dynamodb) return found;
  let after: string | undefined;
  for (;;) {
    const names = await database.catalog.names(space, after, tablesPerLook);
    for (const name of names) {
      const table = await database.catalog.find(space, name);
      if (table === undefined || isGone(table, database.clock.now())) continue;
      for (const scaled of [table, ...table.indexes]) {
        const index = scaled === table ? undefined : scaled.name;
        for (const direction of ["read", "write"] as const) {
          const target = scaled.scaling?.[direction];
          if (target === undefined) continue;
          found.push({
            resourceId: resourceIdOf(name, index),
            dimension: dimensionOf(index, direction),
            direction,
            target,
          });
        }
      }
    }
    if (names.length < tablesPerLook) return found;
    after = names.at(-1);
  }
}

/** What the token says: after which target the next page begins. */
const tokenOf = ({ resourceId, dimension }: ListedTarget): string =>
  Buffer.from(`${resourceId}\n${dimension}`).toString("base64url");

/** The target that ended the last page may be gone: then with the first resource after its own. */
function startAfter(all: readonly ListedTarget[], token: string): number {
  const [resourceId = "", dimension] = Buffer.from(token, "base64url").toString("utf8").split("\n");
  if (dimension === undefined) throw scalingTokenInvalid();
  const last = all.findIndex((one) => tokenOf(one) === token);
  if (last !== -1) return last + 1;
  const next = all.findIndex((one) => one.resourceId > resourceId);
  return next === -1 ? all.length : next;
}

export interface Page {
  readonly entries: readonly ListedTarget[];
  readonly next: { readonly NextToken?: string };
}

export function pageOf(
  all: readonly ListedTarget[],
  request: { readonly MaxResults?: number; readonly NextToken?: string },
  max: number,
): Page {
  const start = request.NextToken === undefined ? 0 : startAfter(all, request.NextToken);
  const limit = Math.min(Math.max(1, request.MaxResults ?? max), max);
  const entries = all.slice(start, start + limit);
  const last = entries.at(-1);
  const more = start + limit < all.length && last !== undefined;
  return { entries, next: more ? { NextToken: tokenOf(last) } : {} };
}
