import {
  DeleteScalingPolicyCommand,
  DescribeScalingPoliciesCommand,
} from "@aws-sdk/client-application-auto-scaling";
import { describe, expect, test } from "vitest";
import { useServer } from "../harness.ts";
import {
  bounds,
  makeTable,
  policies,
  putPolicy,
  refused,
  register,
  subject,
  tracking,
  useScaling,
} from "./support.ts";

const server = useServer();
const scaling = useScaling(server);

async function makeTarget(direction: "Read" | "Write" = "Read", index?: string) {
  const of = subject(await makeTable(server), direction, index);
  await register(scaling, { ...of, ...bounds(5, 50) });
  return of;
}

const remove = (of: ReturnType<typeof subject>, PolicyName: string) =>
  scaling.client.send(new DeleteScalingPolicyCommand({ ...of, PolicyName }));

describe("a scaling policy", () => {
  test("is put and described", async () => {
    const of = await makeTarget("Write", "byB");
    const settings = tracking("Write", 70, { ScaleInCooldown: 60, ScaleOutCooldown: 30 });
    const { PolicyARN } = await putPolicy(scaling, { ...of, PolicyName: "mine", ...settings });
    expect(PolicyARN).toMatch(
      new RegExp(
        `^arn:aws:autoscaling:us-east-1:\\d{12}:scalingPolicy:[0-9a-f-]{36}:resource/dynamodb/${of.ResourceId}:policyName/mine$`,
      ),
    );
    expect(await policies(scaling, of.ResourceId)).toEqual([
      {
        ...of,
        ...settings,
        PolicyARN,
        PolicyName: "mine",
        Alarms: expect.any(Array),
        CreationTime: expect.any(Date),
      },
    ]);
  });

  test("is replaced under its name, and keeps its ARN", async () => {
    const of = await makeTarget();
    const put = (more: object) =>
      putPolicy(scaling, { ...of, PolicyName: "p", ...tracking("Read", 70, more) });
    const first = await put({ DisableScaleIn: true });
    const { PolicyType: _, ...update } = tracking("Read", 50);
    const second = await putPolicy(scaling, { ...of, PolicyName: "p", ...update });
    expect(second.PolicyARN).toBe(first.PolicyARN);
    const [found] = await policies(scaling, of.ResourceId);
    expect(found?.TargetTrackingScalingPolicyConfiguration).toMatchObject({ TargetValue: 50 });
    // What the second request does not name is what it is without a policy.
    const { DisableScaleIn = false } = found?.TargetTrackingScalingPolicyConfiguration ?? {};
    expect(DisableScaleIn).toBe(false);
  });

  test("outlives a change of its target", async () => {
    const of = await makeTarget();
    await putPolicy(scaling, { ...of, PolicyName: "p", ...tracking("Read", 70) });
    await register(scaling, { ...of, ...bounds(6, 60) });
    expect(await policies(scaling, of.ResourceId)).toHaveLength(1);
  });

  test("is deleted", async () => {
    const of = await makeTarget();
    await putPolicy(scaling, { ...of, PolicyName: "p", ...tracking("Read", 70) });
    await remove(of, "p");
    expect(await policies(scaling, of.ResourceId)).toEqual([]);
    await refused(
      remove(of, "p"),
      "ObjectNotFoundException",
      `No scaling policy found for service namespace: dynamodb, resource ID: ${of.ResourceId}, scalable dimension: ${of.ScalableDimension}, policy name: p`,
    );
  });

  test("is found by name and by dimension", async () => {
    const table = await makeTable(server);
    for (const direction of ["Read", "Write"] as const) {
      const of = subject(table, direction);
      await register(scaling, { ...of, ...bounds(5, 50) });
      await putPolicy(scaling, { ...of, PolicyName: `p${direction}`, ...tracking(direction, 60) });
    }
    const find = async (filter: object) => {
      const { ScalingPolicies = [] } = await scaling.client.send(
        new DescribeScalingPoliciesCommand({
          ServiceNamespace: "dynamodb",
          ResourceId: `table/${table}`,
          ...filter,
        }),
      );
      return ScalingPolicies.map((policy) => policy.PolicyName);
    };
    expect((await find({})).toSorted()).toEqual(["pRead", "pWrite"]);
    expect(await find({ PolicyNames: ["pWrite"] })).toEqual(["pWrite"]);
    const ScalableDimension = "dynamodb:table:ReadCapacityUnits";
    expect(await find({ ScalableDimension })).toEqual(["pRead"]);
  });
});

describe("PutScalingPolicy refuses", () => {
  test("a target that is not registered", async () => {
    const of = subject(await makeTable(server));
    await refused(
      putPolicy(scaling, { ...of, PolicyName: "p", ...tracking("Read", 70) }),
      "ObjectNotFoundException",
      `No scalable target registered for service namespace: dynamodb, resource ID: ${of.ResourceId}, scalable dimension: dynamodb:table:ReadCapacityUnits`,
    );
  });

  test("a second policy for the same metric", async () => {
    const of = await makeTarget();
    await putPolicy(scaling, { ...of, PolicyName: "one", ...tracking("Read", 70) });
    await refused(
      putPolicy(scaling, { ...of, PolicyName: "two", ...tracking("Read", 70) }),
      "ValidationException",
      "Only one TargetTrackingScaling policy for a given metric specification is allowed.",
    );
  });

  test.each<[string, object]>([
    ["the metric of the other direction", tracking("Write", 70)],
    ["steps", { PolicyType: "StepScaling", StepScalingPolicyConfiguration: {} }],
    ["no configuration", { PolicyType: "TargetTrackingScaling" }],
    [
      "no metric",
      {
        PolicyType: "TargetTrackingScaling",
        TargetTrackingScalingPolicyConfiguration: { TargetValue: 70 },
      },
    ],
  ])("%s", async (_, change) => {
    const of = await makeTarget();
    await refused(putPolicy(scaling, { ...of, PolicyName: "p", ...change }), "ValidationException");
    expect(await policies(scaling, of.ResourceId)).toEqual([]);
  });

  const bounded =
    "For predefined metric type DynamoDBReadCapacityUtilization, target value must be between '10.0' and '90.0', but was ";
  test.each([
    [9.9, `${bounded}'9.9'.`],
    [90.1, `${bounded}'90.1'.`],
    [100, `${bounded}'100.0'.`],
    [
      0,
      "For target tracking scaling, target value must be between '8.51592E-109' and '1.174271E108', but was '0.0'.",
    ],
  ])("a target of %d per cent", async (percent, message) => {
    const of = await makeTarget();
    const request = putPolicy(scaling, { ...of, PolicyName: "p", ...tracking("Read", percent) });
    await refused(request, "ValidationException", message);
  });

  test("nothing else: ten per cent will do", async () => {
    const of = await makeTarget();
    await putPolicy(scaling, { ...of, PolicyName: "p", ...tracking("Read", 10) });
    expect(await policies(scaling, of.ResourceId)).toHaveLength(1);
  });
});
