import {
  type ContributorInsightsSummary,
  DescribeContributorInsightsCommand,
  type DescribeContributorInsightsCommandOutput,
  ListContributorInsightsCommand,
  UpdateContributorInsightsCommand,
  type UpdateContributorInsightsCommandInput,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { createTable, expectError, freshName, useServer, validation } from "../harness.ts";

const server = useServer();

const both = "ACCESSED_AND_THROTTLED_KEYS";
const throttledOnly = "THROTTLED_KEYS";

const tableWithIndexes = () =>
  createTable(server, {
    key: "pk:S sk:S",
    global: { byA: { hash: "a:S" }, byB: { hash: "b:S", range: "a:S" } },
    local: { bySize: { range: "size:N" } },
  });

type Change = Omit<UpdateContributorInsightsCommandInput, "ContributorInsightsAction">;

async function change(action: "ENABLE" | "DISABLE", input: Change) {
  const command = new UpdateContributorInsightsCommand({
    ContributorInsightsAction: action,
    ...input,
  });
  const { $metadata: _, ...answer } = await server.client.send(command);
  return answer;
}

async function described(TableName: string, IndexName?: string) {
  const command = new DescribeContributorInsightsCommand({
    TableName,
    ...(IndexName !== undefined && { IndexName }),
  });
  const { $metadata: _, ...answer } = await server.client.send(command);
  return answer as Omit<DescribeContributorInsightsCommandOutput, "$metadata">;
}

/** Asks until nothing is under way. */
async function settled(TableName: string, IndexName?: string) {
  for (;;) {
    const answer = await described(TableName, IndexName);
    if (!answer.ContributorInsightsStatus?.endsWith("ING")) return answer;
  }
}

async function enable(input: Change) {
  await change("ENABLE", input);
  return settled(input.TableName ?? "", input.IndexName);
}

/** All entries, page by page; a page may be empty. */
async function listed(input: { TableName?: string; MaxResults?: number } = {}) {
  const pages: ContributorInsightsSummary[][] = [];
  let NextToken: string | undefined;
  do {
    const page = await server.client.send(
      new ListContributorInsightsCommand({
        ...input,
        ...(NextToken !== undefined && { NextToken }),
      }),
    );
    pages.push(page.ContributorInsightsSummaries ?? []);
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return pages;
}

const rule = (kind: string, resource: string) =>
  expect.stringMatching(new RegExp(`^DynamoDBContributorInsights-${kind}-${resource}-\\d{13}$`));

describe("insights of a table", () => {
  test("are disabled at first, and nothing is told of them", async () => {
    const TableName = await tableWithIndexes();
    const none = { TableName, ContributorInsightsStatus: "DISABLED" };
    expect(await described(TableName)).toEqual(none);
    expect(await change("DISABLE", { TableName })).toEqual(none);
    expect(await listed({ TableName })).toEqual([[]]);
  });

  test("are enabled, with rules for the partition key and for both keys", async () => {
    const TableName = await tableWithIndexes();
    expect(await change("ENABLE", { TableName })).toEqual({
      TableName,
      ContributorInsightsStatus: "ENABLING",
      ContributorInsightsMode: both,
    });
    const answer = await settled(TableName);
    expect(answer).toEqual({
      TableName,
      ContributorInsightsStatus: "ENABLED",
      ContributorInsightsMode: both,
      LastUpdateDateTime: expect.any(Date),
      ContributorInsightsRuleList: expect.anything(),
    });
    const kinds = ["PKC", "PKT", "SKC", "SKT"].map((kind) => rule(kind, TableName));
    expect(answer.ContributorInsightsRuleList).toHaveLength(4);
    expect(answer.ContributorInsightsRuleList).toEqual(expect.arrayContaining(kinds));
  });

  test("enabled again as they are stay as they are", async () => {
    const TableName = await tableWithIndexes();
    const before = await enable({ TableName });
    const again = await change("ENABLE", { TableName });
    expect(again.ContributorInsightsStatus).toBe("ENABLED");
    expect(await described(TableName)).toEqual(before);
  });

  test("change their mode and keep the rules that both modes have", async () => {
    const TableName = await tableWithIndexes();
    const wide = await enable({ TableName });
    const answer = await change("ENABLE", { TableName, ContributorInsightsMode: throttledOnly });
    expect(answer).toMatchObject({
      ContributorInsightsStatus: "ENABLING",
      ContributorInsightsMode: throttledOnly,
    });
    const narrow = await settled(TableName);
    const throttling = wide.ContributorInsightsRuleList?.filter((name) => /-[PS]KT-/.test(name));
    expect(throttling).toHaveLength(2);
    expect(narrow.ContributorInsightsRuleList?.toSorted()).toEqual(throttling?.toSorted());
    // Without a mode, the wide one is meant.
    const back = await enable({ TableName });
    expect(back.ContributorInsightsMode).toBe(both);
    expect(back.ContributorInsightsRuleList?.toSorted()).toEqual(
      wide.ContributorInsightsRuleList?.toSorted(),
    );
  });

  test("are disabled, and what they were is still told", async () => {
    const TableName = await tableWithIndexes();
    await enable({ TableName, ContributorInsightsMode: throttledOnly });
    const answer = await change("DISABLE", { TableName, ContributorInsightsMode: both });
    expect(answer).toEqual({
      TableName,
      ContributorInsightsStatus: "DISABLING",
      ContributorInsightsMode: throttledOnly,
    });
    expect(await settled(TableName)).toEqual({
      TableName,
      ContributorInsightsStatus: "DISABLED",
      ContributorInsightsMode: throttledOnly,
      LastUpdateDateTime: expect.any(Date),
    });
    expect((await listed({ TableName })).flat()).toEqual([]);
  });

  test("may be asked for by ARN, and are gone with the table", async () => {
    const TableName = await tableWithIndexes();
    const { json } = await server.raw("DescribeTable", { TableName });
    const answer = await enable({ TableName: json.Table.TableArn });
    expect(answer).toMatchObject({ TableName, ContributorInsightsStatus: "ENABLED" });
  });
});

describe("insights of a global index", () => {
  test("are its own", async () => {
    const TableName = await tableWithIndexes();
    const answer = await enable({ TableName, IndexName: "byA" });
    expect(answer).toMatchObject({
      TableName,
      IndexName: "byA",
      ContributorInsightsStatus: "ENABLED",
    });
    // The index has no sort key.
    const resource = `${TableName}-byA`;
    const kinds = ["PKC", "PKT"].map((kind) => rule(kind, resource));
    expect(answer.ContributorInsightsRuleList).toHaveLength(2);
    expect(answer.ContributorInsightsRuleList).toEqual(expect.arrayContaining(kinds));
    expect((await described(TableName)).ContributorInsightsStatus).toBe("DISABLED");
    expect((await described(TableName, "byB")).ContributorInsightsStatus).toBe("DISABLED");
  });

  test.each(["bySize", "nothing"])("there are none of the index %s", async (IndexName) => {
    const TableName = await tableWithIndexes();
    const message = `Requested resource not found: Index: ${IndexName} not found for table: ${TableName}`;
    const name = "ResourceNotFoundException";
    await expectError(described(TableName, IndexName), name, message);
    await expectError(change("ENABLE", { TableName, IndexName }), name, message);
    await expectError(change("DISABLE", { TableName, IndexName }), name, message);
  });
});

describe("the list", () => {
  test("has the table first and then its indexes, page by page", async () => {
    const TableName = await tableWithIndexes();
    await enable({ TableName, IndexName: "byB", ContributorInsightsMode: throttledOnly });
    await enable({ TableName, IndexName: "byA" });
    await enable({ TableName });
    const entry = (ContributorInsightsMode: string, IndexName?: string) => ({
      TableName,
      ...(IndexName !== undefined && { IndexName }),
      ContributorInsightsStatus: "ENABLED",
      ContributorInsightsMode,
    });
    const all = [entry(both), entry(both, "byA"), entry(throttledOnly, "byB")];
    expect(await listed({ TableName })).toEqual([all]);
    expect(await listed({ TableName, MaxResults: 1 })).toEqual(all.map((one) => [one]));
    expect(await listed({ TableName, MaxResults: 2 })).toEqual([all.slice(0, 2), all.slice(2)]);
  });

  test("is of all tables if none is named", async () => {
    const names = [await tableWithIndexes(), await tableWithIndexes(), await tableWithIndexes()];
    for (const TableName of names) {
      await enable({ TableName });
      await enable({ TableName, IndexName: "byB" });
    }
    await change("DISABLE", { TableName: names[1] });
    await settled(names[1] ?? "");
    for (const MaxResults of [1, 2, 3, 100]) {
      const found = (await listed({ MaxResults })).flat();
      const own = found.filter(({ TableName = "" }) => names.includes(TableName));
      expect(own.map(({ TableName, IndexName }) => [TableName, IndexName])).toEqual(
        names.flatMap((name) => [...(name === names[1] ? [] : [[name, undefined]]), [name, "byB"]]),
      );
    }
  });

  test("has no more than a hundred entries a page", async () => {
    await validation(
      listed({ MaxResults: 101 }),
      "1 validation error detected: Value '101' at 'maxResults' failed to satisfy constraint: Member must have value less than or equal to 100",
    );
  });
});

test("a table that is not there has no insights", async () => {
  const TableName = freshName();
  const message = `Requested resource not found: Table: ${TableName} not found`;
  const name = "ResourceNotFoundException";
  await expectError(described(TableName), name, message);
  await expectError(change("ENABLE", { TableName }), name, message);
  await expectError(listed({ TableName }), name, message);
});

test.each([
  [
    { ContributorInsightsAction: "START" },
    "1 validation error detected: Value 'START' at 'contributorInsightsAction' failed to satisfy constraint: Member must satisfy enum value set: [ENABLE, DISABLE]",
  ],
  [
    {},
    "1 validation error detected: Value null at 'contributorInsightsAction' failed to satisfy constraint: Member must not be null",
  ],
])("an action like %j is refused", async (action, message) => {
  const TableName = await tableWithIndexes();
  const answer = await server.raw("UpdateContributorInsights", { TableName, ...action });
  expect(answer.status).toBe(400);
  expect(answer.json.message).toBe(message);
});
