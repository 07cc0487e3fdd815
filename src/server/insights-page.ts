import type { Workbench } from "../workbench/workbench.ts";
import type { TextPage } from "./protocol.ts";

/** The keys that are accessed and throttled most, as JSON: `/insights?table=…&index=…`. */
export async function insightsPage(
  workbench: Pick<Workbench, "contributors">,
  query: URLSearchParams,
): Promise<TextPage> {
  const table = query.get("table") ?? undefined;
  const index = query.get("index") ?? undefined;
  const found = await workbench.contributors(table, index);
  const resources = found.map(({ since, ...rest }) => ({
    ...rest,
    since: new Date(since).toISOString(),
  }));
  return { contentType: "application/json", text: `${JSON.stringify(resources, null, 2)}\n` };
}
