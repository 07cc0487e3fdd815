/** What a cache does on a table for those who ask it. */
export const cacheActions = [
  "dynamodb:BatchGetItem",
  "dynamodb:BatchWriteItem",
  "dynamodb:ConditionCheckItem",
  "dynamodb:DeleteItem",
  "dynamodb:DescribeTable",
  "dynamodb:GetItem",
  "dynamodb:PutItem",
  "dynamodb:Query",
  "dynamodb:Scan",
  "dynamodb:UpdateItem",
] as const;

/** How long a cluster keeps items and answers of queries, as its parameters say it. */
export function cacheParameters({
  itemTtlMs,
  queryTtlMs,
}: {
  readonly itemTtlMs: number;
  readonly queryTtlMs: number;
}): ReadonlyMap<string, string> {
  return new Map([
    ["record-ttl-millis", String(itemTtlMs)],
    ["query-ttl-millis", String(queryTtlMs)],
  ]);
}
