import { insightsTokenInvalid } from "../api/errors/insights.ts";
import {
  type ListContributorInsightsRequest,
  listContributorInsightsShape,
} from "../api/requests/contributor-insights.ts";
import { isGone } from "../engine/catalog.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import type { Context, Operation } from "./operation.ts";
import { tableNameOf } from "./table-name.ts";

const pageMax = 100;
const tablesPerLook = 100;

export const listContributorInsights: Operation<ListContributorInsightsRequest> = {
  name: "ListContributorInsights",
  shape: listContributorInsightsShape,
  async run(context, request) {
    const limit = Math.max(1, request.MaxResults ?? pageMax);
    const after = request.NextToken === undefined ? undefined : placeOf(request.NextToken);
    const found =
      request.TableName === undefined
        ? await ofAccount(context, after, limit + 1)
        : await ofTable(context, request.TableName, after);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      ContributorInsightsSummaries: page,
      ...(found.length > limit && last !== undefined && { NextToken: tokenOf(last) }),
    };
  },
};

interface Summary {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly ContributorInsightsStatus: "ENABLED";
  readonly ContributorInsightsMode: string;
}

/** The last entry of a page: its table, and its index unless it is the table's own. */
type Place = readonly [table: string, index?: string];

const tokenOf = ({ TableName, IndexName }: Summary): string =>
  Buffer.from(JSON.stringify([TableName, IndexName])).toString("base64url");

function placeOf(token: string): Place {
  try {
    const place: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    if (Array.isArray(place) && typeof place[0] === "string") {
      return typeof place[1] === "string" ? [place[0], place[1]] : [place[0]];
    }
  } catch {
    // Said below.
  }
  throw insightsTokenInvalid();
}

async function ofTable(
  context: Context,
  nameOrArn: string,
  after: Place | undefined,
): Promise<Summary[]> {
  const name = tableNameOf(context, nameOrArn);
  const table = await context.database.describe(context.namespace, name);
  return summariesOf(table, after?.[0] === name ? after : undefined);
}

async function ofAccount(
  { database, namespace }: Context,
  after: Place | undefined,
  count: number,
): Promise<Summary[]> {
  const found: Summary[] = [];
  const take = async (name: string): Promise<void> => {
    const table = await database.catalog.find(namespace, name);
    if (table === undefined || isGone(table, database.clock.now())) return;
    found.push(...summariesOf(table, after));
  };
  if (after !== undefined) await take(after[0]);
  let last = after?.[0];
  while (found.length < count) {
    const names = await database.catalog.names(namespace, last, tablesPerLook);
    for (const name of names) await take(name);
    if (names.length < tablesPerLook) break;
    last = names.at(-1);
  }
  return found.slice(0, count);
}

/** The table first, then its indexes; of these only what comes after the place. */
function summariesOf(table: TableDescriptor, after: Place | undefined): Summary[] {
  const summaries: Summary[] = [];
  const told = after?.[0] === table.name;
  const passed = table.indexes.findIndex(({ name }) => name === after?.[1]);
  if (!told && table.insights !== undefined) {
    summaries.push({
      TableName: table.name,
      ContributorInsightsStatus: "ENABLED",
      ContributorInsightsMode: table.insights.mode,
    });
  }
  for (const { name, insights } of table.indexes.slice(told ? passed + 1 : 0)) {
    if (insights === undefined) continue;
    summaries.push({
      TableName: table.name,
      IndexName: name,
      ContributorInsightsStatus: "ENABLED",
      ContributorInsightsMode: insights.mode,
    });
  }
  return summaries;
}
