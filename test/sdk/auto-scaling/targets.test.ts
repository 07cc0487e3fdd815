import {
  DeregisterScalableTargetCommand,
  DescribeScalableTargetsCommand,
} from "@aws-sdk/client-application-auto-scaling";
import { describe, expect, test } from "vitest";
import { freshName, useServer } from "../harness.ts";
import { create, globalIndex, units, untilActive } from "../tables/support.ts";
import {
  bounds,
  makeTable,
  policies,
  putPolicy,
  refused,
  register,
  subject,
  targets,
  tracking,
  useScaling,
} from "./support.ts";

const server = useServer();
const scaling = useScaling(server);

const unsupported = "Unsupported service namespace, resource type or scalable dimension";

describe("a scalable target", () => {
  test("is registered and described", async () => {
    const of = subject(await makeTable(server));
    const { ScalableTargetARN } = await register(scaling, { ...of, ...bounds(5, 50) });
    expect(ScalableTargetARN).toMatch(
      /^arn:aws:application-autoscaling:us-east-1:\d{12}:scalable-target\/\w+$/,
    );
    expect(await targets(scaling, of.ResourceId)).toEqual([
      {
        ...of,
        ...bounds(5, 50),
        RoleARN: expect.stringMatching(/^arn:aws:iam::\d{12}:role\/aws-service-role\/dynamodb\./),
        CreationTime: expect.any(Date),
        SuspendedState: {
          DynamicScalingInSuspended: false,
          DynamicScalingOutSuspended: false,
          ScheduledScalingSuspended: false,
        },
        ScalableTargetARN,
      },
    ]);
  });

  test("is changed in what the request names", async () => {
    const of = subject(await makeTable(server), "Write");
    await register(scaling, { ...of, ...bounds(5, 50) });
    const [before] = await targets(scaling, of.ResourceId);
    await register(scaling, { ...of, MaxCapacity: 60 });
    await register(scaling, { ...of, SuspendedState: { DynamicScalingInSuspended: true } });
    expect(await targets(scaling, of.ResourceId)).toEqual([
      {
        ...before,
        MaxCapacity: 60,
        SuspendedState: { ...before?.SuspendedState, DynamicScalingInSuspended: true },
      },
    ]);
  });

  test("is one for each direction of a table and of an index", async () => {
    const table = await makeTable(server);
    const four = [
      subject(table, "Read"),
      subject(table, "Write"),
      subject(table, "Read", "byB"),
      subject(table, "Write", "byB"),
    ];
    for (const of of four) await register(scaling, { ...of, ...bounds(5, 10) });
    const ids = [...new Set(four.map((of) => of.ResourceId))];
    const shown = (of: {
      readonly ResourceId: string | undefined;
      readonly ScalableDimension: string | undefined;
    }) => `${of.ResourceId} ${of.ScalableDimension}`;
    const found = await targets(scaling, ...ids);
    expect(found.map(shown).toSorted()).toEqual(four.map(shown).toSorted());
    const { ScalableTargets = [] } = await scaling.client.send(
      new DescribeScalableTargetsCommand({
        ServiceNamespace: "dynamodb",
        ResourceIds: ids,
        ScalableDimension: "dynamodb:index:WriteCapacityUnits",
      }),
    );
    expect(ScalableTargets.map(shown)).toEqual([shown(subject(table, "Write", "byB"))]);
  });

  test("is taken away with its policy", async () => {
    const of = subject(await makeTable(server));
    await register(scaling, { ...of, ...bounds(5, 10) });
    await putPolicy(scaling, { ...of, PolicyName: "p", ...tracking("Read", 70) });
    await scaling.client.send(new DeregisterScalableTargetCommand(of));
    expect(await targets(scaling, of.ResourceId)).toEqual([]);
    expect(await policies(scaling, of.ResourceId)).toEqual([]);
    await refused(
      scaling.client.send(new DeregisterScalableTargetCommand(of)),
      "ObjectNotFoundException",
      `No scalable target found for service namespace: dynamodb, resource ID: ${of.ResourceId}, scalable dimension: dynamodb:table:ReadCapacityUnits`,
    );
  });

  test("raises units that are below its minimum", async () => {
    const TableName = await makeTable(server);
    await register(scaling, { ...subject(TableName), ...bounds(10, 20) });
    await register(scaling, { ...subject(TableName, "Write", "byB"), ...bounds(7, 20) });
    for (let attempt = 0; attempt < 600; attempt += 1) {
      const table = await untilActive(server, TableName);
      const index = globalIndex(table, "byB")?.ProvisionedThroughput;
      if (table.ProvisionedThroughput?.ReadCapacityUnits === 5) continue;
      if (index?.WriteCapacityUnits === 5) continue;
      expect(table.ProvisionedThroughput).toMatchObject(units(10, 5));
      expect(index).toMatchObject(units(5, 7));
      return;
    }
    expect.unreachable("the units stay as they are");
  });

  test("is listed page by page", async () => {
    const made: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      const of = subject(await makeTable(server));
      made.push(of.ResourceId);
      await register(scaling, { ...of, ...bounds(5, 10) });
    }
    const found: (string | undefined)[] = [];
    let NextToken: string | undefined;
    do {
      const page = await scaling.client.send(
        new DescribeScalableTargetsCommand({
          ServiceNamespace: "dynamodb",
          ResourceIds: made,
          MaxResults: 1,
          ...(NextToken !== undefined && { NextToken }),
        }),
      );
      expect(page.ScalableTargets?.length).toBeLessThanOrEqual(1);
      found.push(...(page.ScalableTargets ?? []).map((target) => target.ResourceId));
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
    expect(found.toSorted()).toEqual(made.toSorted());
    await refused(
      scaling.client.send(
        new DescribeScalableTargetsCommand({ ServiceNamespace: "dynamodb", NextToken: "nonsense" }),
      ),
      "InvalidNextTokenException",
    );
  });

  test("of an on-demand table is kept", async () => {
    const { TableName = "" } = await create(server);
    const of = subject(TableName);
    await register(scaling, { ...of, ...bounds(10, 20) });
    expect(await targets(scaling, of.ResourceId)).toMatchObject([bounds(10, 20)]);
    expect((await untilActive(server, TableName)).ProvisionedThroughput).toMatchObject(units(0));
  });
});

describe("RegisterScalableTarget refuses", () => {
  test("a table that does not exist", async () => {
    const of = subject(freshName());
    await refused(
      register(scaling, { ...of, ...bounds(1, 2) }),
      "ValidationException",
      `DynamoDB table does not exist: ${of.ResourceId}`,
    );
  });

  test("an index that does not exist", async () => {
    const of = subject(await makeTable(server), "Read", "nothing");
    await refused(
      register(scaling, { ...of, ...bounds(1, 2) }),
      "ValidationException",
      `DynamoDB index does not exist: ${of.ResourceId}`,
    );
  });

  test.each<[string, object]>([
    ["another service", { ServiceNamespace: "ecs" }],
    ["a bare name", { ResourceId: "orders" }],
    ["a dimension of another kind", { ScalableDimension: "dynamodb:index:ReadCapacityUnits" }],
    ["a dimension that is none", { ScalableDimension: "dynamodb:table:ItemCount" }],
  ])("%s", async (_, change) => {
    const of = subject(await makeTable(server));
    const request = register(scaling, { ...of, ...bounds(1, 2), ...change });
    await refused(request, "ValidationException");
  });

  test("a resource that goes with no dimension", async () => {
    await refused(
      register(scaling, { ...subject("abc"), ResourceId: "service/a/b", ...bounds(1, 2) }),
      "ValidationException",
      unsupported,
    );
  });

  test("bounds that are missing or reversed", async () => {
    const of = subject(await makeTable(server));
    await refused(register(scaling, { ...of, MinCapacity: 1 }), "ValidationException");
    await refused(register(scaling, { ...of, MaxCapacity: 1 }), "ValidationException");
    await refused(
      register(scaling, { ...of, ...bounds(3, 2) }),
      "ValidationException",
      "Maximum capacity cannot be less than minimum capacity",
    );
    expect(await targets(scaling, of.ResourceId)).toEqual([]);
  });

  test("a request without a resource", async () => {
    const { ResourceId: _, ...of } = subject("abc");
    await refused(
      register(scaling, { ...of, ...bounds(1, 2) }),
      "ValidationException",
      "1 validation error detected: Value null at 'resourceId' failed to satisfy constraint: Member must not be null",
    );
  });
});
