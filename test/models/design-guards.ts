import type { UniqueDocument } from "../../src/model/document-design.ts";
import { type Draft, tablesOf } from "./design-draft.ts";

/** Guards of unique values, and the tables that they are in. */

export function isGuardTarget(draft: Draft, table: string): boolean {
  return guardsOf(draft).some((one) => one.table === table);
}

/** All guards of unique values, each with the table that states it. */
export function guardsOf(draft: Draft): readonly (UniqueDocument & { readonly from: string })[] {
  return tablesOf(draft).flatMap(({ table, document }) =>
    (document.unique ?? []).map((one) => ({ table, ...one, from: table })),
  );
}
