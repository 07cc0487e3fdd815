import * as errors from "../api/errors/insights.ts";
import {
  findIndex,
  type IndexDescriptor,
  type InsightsMode,
  type InsightsSettings,
  type TableDescriptor,
} from "../engine/descriptor.ts";

/** A table or a global index: what can have insights. */
export type Watched = TableDescriptor | IndexDescriptor;

/** The table, or the global index of that name. */
export function watchedOf(table: TableDescriptor, index: string | undefined): Watched {
  if (index === undefined) return table;
  const found = findIndex(table, index);
  if (found?.kind !== "global") throw errors.insightsIndexNotFound(index, table.name);
  return found;
}

/** Rule names end here; what does not fit of a long table or index name is left out. */
const ruleNameCharactersMax = 128;

/** The rules that CloudWatch would have: of partition keys and, with a sort key, of both together. */
export function ruleNames(
  table: TableDescriptor,
  watched: Watched,
  { mode, enabledAt }: InsightsSettings,
): string[] {
  const resource = watched === table ? table.name : `${table.name}-${watched.name}`;
  const levels = watched.key.range.length > 0 ? ["PK", "SK"] : ["PK"];
  const subjects = mode === "THROTTLED_KEYS" ? ["T"] : ["C", "T"];
  return levels.flatMap((level) =>
    subjects.map((subject) => {
      const head = `DynamoDBContributorInsights-${level}${subject}-`;
      const tail = `-${enabledAt}`;
      const room = ruleNameCharactersMax - head.length - tail.length;
      return head + resource.slice(0, room) + tail;
    }),
  );
}

/** The settings after insights were enabled; the same object if they already were so. */
export function enabled(
  before: InsightsSettings | undefined,
  mode: InsightsMode,
  now: number,
): InsightsSettings {
  if (before === undefined) return { mode, enabledAt: now, changedAt: now };
  // The rules that both modes have are kept, and with them their names.
  return before.mode === mode ? before : { ...before, mode, changedAt: now };
}

type Insights = Pick<TableDescriptor, "insights" | "formerInsights">;

/** The table with other insights of itself or of one of its indexes. */
export function withInsights(
  table: TableDescriptor,
  watched: Watched,
  insights: Insights,
): TableDescriptor {
  const version = table.version + 1;
  if (watched === table) return { ...bare(table), ...insights, version };
  return {
    ...table,
    version,
    indexes: table.indexes.map((index) =>
      index === watched ? { ...bare(index), ...insights } : index,
    ),
  };
}

function bare<T extends Watched>(watched: T): T {
  const { insights: _, formerInsights: __, ...rest } = watched;
  return rest as T;
}
