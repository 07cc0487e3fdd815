import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type RunningServer, startServer } from "../../src/index.ts";
import { authorization } from "../sdk/harness.ts";

const scalingTarget = "AnyScaleFrontendService.";

async function call(
  server: RunningServer,
  target: string,
  body: object,
  contentType = "application/x-amz-json-1.1",
) {
  const answer = await fetch(server.url, {
    method: "POST",
    headers: {
      "content-type": contentType,
      "x-amz-target": target,
      "x-amz-date": "20260101T000000Z",
      authorization,
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    text,
    json: () => JSON.parse(text),
  };
}

async function withServer<T>(
  options: { readonly data?: string },
  use: (server: RunningServer) => Promise<T>,
): Promise<T> {
  const server = await startServer(options);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

const namespace = { ServiceNamespace: "dynamodb" };
const subject = {
  ...namespace,
  ResourceId: "table/abc",
  ScalableDimension: "dynamodb:table:ReadCapacityUnits",
};

test("version 1.1 of the protocol is for auto scaling alone", () =>
  withServer({}, async (server) => {
    const list = await call(server, `${scalingTarget}DescribeScalableTargets`, namespace);
    expect(list.status).toBe(200);
    expect(list.type).toBe("application/x-amz-json-1.1");
    expect(list.json()).toEqual({ ScalableTargets: [] });
    const tables = await call(server, "DynamoDB_20120810.ListTables", {});
    expect(tables.status).toBe(404);
    expect(tables.text).toBe("<UnknownOperationException/>\n");
  }));

test.each([
  ["DeregisterScalableTarget", subject, "ObjectNotFoundException", "Message"],
  [
    "RegisterScalableTarget",
    { ...subject, MinCapacity: 1, MaxCapacity: 2 },
    "com.amazon.coral.validate#ValidationException",
    "message",
  ],
  ["TagResource", {}, "com.amazonaws.dynamodb.v20120810#UnsupportedOperationException", "message"],
  ["NoSuchOperation", {}, "com.amazon.coral.service#UnknownOperationException", undefined],
])("%s may fail", (name, body, type, message) =>
  withServer({}, async (server) => {
    const answer = await call(server, scalingTarget + name, body);
    expect(answer.status).toBe(400);
    expect(answer.json().__type).toBe(type);
    expect(Object.keys(answer.json())).toEqual(
      message === undefined ? ["__type"] : ["__type", message],
    );
  }),
);

test("targets, policies and insights survive a restart", async () => {
  const data = mkdtempSync(join(tmpdir(), "keywright-settings-"));
  const listing = async (server: RunningServer) => {
    const insights = "DynamoDB_20120810.DescribeContributorInsights";
    const answers = await Promise.all([
      call(server, `${scalingTarget}DescribeScalableTargets`, namespace),
      call(server, `${scalingTarget}DescribeScalingPolicies`, namespace),
      call(server, insights, { TableName: "abc" }, "application/x-amz-json-1.0"),
    ]);
    return answers.map((answer) => answer.json());
  };
  try {
    const before = await withServer({ data }, async (server) => {
      const dynamodb = (name: string, body: object) =>
        call(server, `DynamoDB_20120810.${name}`, body, "application/x-amz-json-1.0");
      await dynamodb("CreateTable", {
        TableName: "abc",
        KeySchema: [{ AttributeName: "a", KeyType: "HASH" }],
        AttributeDefinitions: [{ AttributeName: "a", AttributeType: "S" }],
        ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
      });
      await dynamodb("UpdateContributorInsights", {
        TableName: "abc",
        ContributorInsightsAction: "ENABLE",
      });
      const bounds = { MinCapacity: 1, MaxCapacity: 2 };
      await call(server, `${scalingTarget}RegisterScalableTarget`, { ...subject, ...bounds });
      await call(server, `${scalingTarget}PutScalingPolicy`, {
        ...subject,
        PolicyName: "p",
        PolicyType: "TargetTrackingScaling",
        TargetTrackingScalingPolicyConfiguration: {
          TargetValue: 70,
          PredefinedMetricSpecification: {
            PredefinedMetricType: "DynamoDBReadCapacityUtilization",
          },
        },
      });
      return listing(server);
    });
    expect(before).toMatchObject([
      { ScalableTargets: [subject] },
      { ScalingPolicies: [{ PolicyName: "p" }] },
      { ContributorInsightsStatus: "ENABLED" },
    ]);
    expect(await withServer({ data }, listing)).toEqual(before);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});
