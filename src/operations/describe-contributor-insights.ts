import {
  type DescribeContributorInsightsRequest,
  describeContributorInsightsShape,
} from "../api/requests/contributor-insights.ts";
import { ruleNames, watchedOf } from "./insights-settings.ts";
import type { Operation } from "./operation.ts";
import { seconds } from "./table-description.ts";
import { tableNameOf } from "./table-name.ts";

export const describeContributorInsights: Operation<DescribeContributorInsightsRequest> = {
  name: "DescribeContributorInsights",
  shape: describeContributorInsightsShape,
  async run(context, request) {
    const name = tableNameOf(context, request.TableName);
    const table = await context.database.describe(context.namespace, name);
    const watched = watchedOf(table, request.IndexName);
    const { insights } = watched;
    const last = insights ?? watched.formerInsights;
    return {
      TableName: name,
      ...(request.IndexName !== undefined && { IndexName: request.IndexName }),
      ...(insights !== undefined && {
        ContributorInsightsRuleList: ruleNames(table, watched, insights),
      }),
      ContributorInsightsStatus: insights === undefined ? "DISABLED" : "ENABLED",
      ...(last !== undefined && {
        LastUpdateDateTime: seconds(last.changedAt),
        ContributorInsightsMode: last.mode,
      }),
    };
  },
};
