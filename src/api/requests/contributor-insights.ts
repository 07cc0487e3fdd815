import { integer, oneOf, string, struct } from "../shape.ts";
import * as shared from "./shared.ts";

export type ContributorInsightsMode = "ACCESSED_AND_THROTTLED_KEYS" | "THROTTLED_KEYS";

export interface DescribeContributorInsightsRequest {
  readonly TableName: string;
  readonly IndexName?: string;
}

export interface UpdateContributorInsightsRequest extends DescribeContributorInsightsRequest {
  readonly ContributorInsightsAction: "ENABLE" | "DISABLE";
  readonly ContributorInsightsMode?: ContributorInsightsMode;
}

export interface ListContributorInsightsRequest {
  readonly TableName?: string;
  readonly NextToken?: string;
  readonly MaxResults?: number;
}

const resource = { TableName: shared.tableName, IndexName: shared.indexName };

export const describeContributorInsightsShape = struct<DescribeContributorInsightsRequest>(
  "DescribeContributorInsightsInput",
  resource,
);

export const updateContributorInsightsShape = struct<UpdateContributorInsightsRequest>(
  "UpdateContributorInsightsInput",
  {
    ...resource,
    ContributorInsightsAction: oneOf(["ENABLE", "DISABLE"], { required: true }),
    ContributorInsightsMode: oneOf(["ACCESSED_AND_THROTTLED_KEYS", "THROTTLED_KEYS"]),
  },
);

export const listContributorInsightsShape = struct<ListContributorInsightsRequest>(
  "ListContributorInsightsInput",
  {
    TableName: { ...shared.tableName, required: false },
    NextToken: string(),
    MaxResults: integer({ max: 100 }),
  },
);
