import { resourceNotFound } from "../api/errors/table.ts";
import { findIndex } from "../engine/descriptor.ts";
import type { ContributorReport } from "./insights.ts";
import type { Context } from "./operation.ts";
import { tableNameOf } from "./table-name.ts";

/** The keys of a table or global index that are accessed and throttled most, if they are counted. */
export async function contributors(
  context: Context,
  table: string,
  index: string | undefined,
): Promise<ContributorReport | undefined> {
  const found = await context.database.describe(context.namespace, tableNameOf(context, table));
  if (index === undefined) return context.insights.report(found);
  const resource = findIndex(found, index);
  if (resource?.kind !== "global") throw resourceNotFound();
  return context.insights.report(resource);
}
