import type { Pattern } from "../../model/requirements.ts";
import { fitOf, type KeyComponent } from "./key-fit.ts";
import type { EntityKey } from "./keys.ts";
import type { LintContext } from "./lint-context.ts";

export interface BlockedKey {
  readonly pattern: Pattern;
  readonly key: EntityKey;
  /** What the pattern asks for, and the part before it that it cannot pass. */
  readonly asked: KeyComponent;
  readonly by: KeyComponent;
}

/** Keys that a pattern is answered with and that still leave a part of themselves to the filter. */
export function* blockedKeys({ queries }: LintContext, ranged: boolean): Iterable<BlockedKey> {
  for (const { pattern, action, request, key } of queries) {
    const { blocked } = fitOf(key, action.where);
    if (blocked === undefined || blocked.ranged !== ranged) continue;
    const { asked, by } = blocked;
    if (!request.filter.some(({ attribute }) => attribute === asked.attribute)) continue;
    yield { pattern, key, asked, by };
  }
}
