/** The prices were put together on this day. */
export const pricesDate = "2026-11-16";

export const sources = {
  list: "the AWS Price List (offer AmazonDynamoDB, 2026-08-15 to 2026-09-16), as quoted in public",
  tool: "the reserved-capacity tool in AWS Labs' amazon-dynamodb-tools (2024-11-14)",
  page: "figures of the AWS Price List for us-east-1 in public cost tools (2026-08)",
  cut: "as for plain writes: since November 2024 replicated writes cost the same",
  virginia: "as in us-east-1, with which the Region shares its provisioned prices",
  ratio: "the Region's storage, request or capacity price times the ratio of the two in us-east-1",
  provisioned:
    "the Region's provisioned prices times the ratio in us-east-1; right to 0.3 % elsewhere",
  hearsay: "no list at hand confirms it",
} as const;

export type SourceName = keyof typeof sources;
