import { isGone } from "../engine/catalog.ts";
import type { Database } from "../engine/database.ts";
import type { ContributorReport, Insights } from "./insights.ts";

/** The keys of a table or global index that are accessed and throttled most. */
export interface ResourceContributors extends ContributorReport {
  readonly account: string;
  readonly region: string;
  readonly table: string;
  readonly index: string | undefined;
}

/** Where they are counted: of one table or index, whoever has one of that name, or of all. */
export async function contributors(
  database: Database,
  insights: Insights,
  name: string | undefined,
  indexName: string | undefined,
): Promise<ResourceContributors[]> {
  const found: ResourceContributors[] = [];
  for (const table of await database.catalog.all()) {
    if (name !== undefined && table.name !== name) continue;
    if (isGone(table, database.clock.now())) continue;
    const [account = "", region = ""] = table.namespace.split("/");
    for (const resource of [table, ...table.indexes]) {
      const index = resource === table ? undefined : resource.name;
      if (indexName !== undefined && index !== indexName) continue;
      const report = insights.report(resource);
      if (report !== undefined)
        found.push({ account, region, table: table.name, index, ...report });
    }
  }
  return found;
}
