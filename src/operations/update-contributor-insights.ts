import * as insightsErrors from "../api/errors/insights.ts";
import { tableNotFound } from "../api/errors/table.ts";
import {
  type UpdateContributorInsightsRequest,
  updateContributorInsightsShape,
} from "../api/requests/contributor-insights.ts";
import { isGone } from "../engine/catalog.ts";
import { type InsightsMode, type TableDescriptor, tableStatus } from "../engine/descriptor.ts";
import { enabled, type Watched, watchedOf, withInsights } from "./insights-settings.ts";
import type { Operation } from "./operation.ts";
import { tableNameOf } from "./table-name.ts";

export const updateContributorInsights: Operation<UpdateContributorInsightsRequest> = {
  name: "UpdateContributorInsights",
  shape: updateContributorInsightsShape,
  async run(context, request) {
    const { database, namespace, insights } = context;
    const { catalog, clock } = database;
    const name = tableNameOf(context, request.TableName);
    const change = await catalog.change(namespace, name, (table) => {
      const now = clock.now();
      if (table === undefined || isGone(table, now)) throw tableNotFound(name);
      const watched = watchedOf(table, request.IndexName);
      const result = changed(table, watched, request, now);
      return { table: result.table, result: { ...result, id: watched.id } };
    });
    if (change.status === "DISABLING") insights.forget(change.id);
    if (change.mode === "THROTTLED_KEYS") insights.forgetAccesses(change.id);
    return {
      TableName: name,
      ...(request.IndexName !== undefined && { IndexName: request.IndexName }),
      ContributorInsightsStatus: change.status,
      ...(change.mode !== undefined && { ContributorInsightsMode: change.mode }),
    };
  },
};

interface Change {
  readonly table: TableDescriptor;
  readonly status: "ENABLING" | "ENABLED" | "DISABLING" | "DISABLED";
  readonly mode: InsightsMode | undefined;
}

/** The answer comes before the work is done, unless there is none. */
function changed(
  table: TableDescriptor,
  watched: Watched,
  request: UpdateContributorInsightsRequest,
  now: number,
): Change {
  const { insights, formerInsights } = watched;
  if (request.ContributorInsightsAction === "DISABLE") {
    if (insights === undefined) return { table, status: "DISABLED", mode: formerInsights?.mode };
    const former = { formerInsights: { ...insights, changedAt: now } };
    const after = withInsights(table, watched, former);
    return { table: after, status: "DISABLING", mode: insights.mode };
  }
  checkActive(table, watched, now);
  const mode = request.ContributorInsightsMode ?? "ACCESSED_AND_THROTTLED_KEYS";
  const settings = enabled(insights, mode, now);
  if (settings === insights) return { table, status: "ENABLED", mode };
  return {
    table: withInsights(table, watched, { insights: settings }),
    status: "ENABLING",
    mode,
  };
}

/** A table that is being changed will do; one that is being made will not. */
function checkActive(table: TableDescriptor, watched: Watched, now: number): void {
  if (tableStatus(table, now) === "CREATING") throw insightsErrors.insightsOfInactiveTable();
  if ("ready" in watched && !watched.ready) throw insightsErrors.insightsOfInactiveIndex();
}
