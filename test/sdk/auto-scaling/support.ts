import {
  ApplicationAutoScalingClient,
  ApplicationAutoScalingServiceException,
  DescribeScalableTargetsCommand,
  DescribeScalingPoliciesCommand,
  PutScalingPolicyCommand,
  type PutScalingPolicyCommandInput,
  RegisterScalableTargetCommand,
  type RegisterScalableTargetCommandInput,
} from "@aws-sdk/client-application-auto-scaling";
import { afterAll, beforeAll, expect } from "vitest";
import type { TestServer } from "../harness.ts";
import { all, create, hash, units } from "../tables/support.ts";

export interface Scaling {
  readonly client: ApplicationAutoScalingClient;
}

/** A client of the other service, at the same endpoint. */
export function useScaling(server: TestServer): Scaling {
  const scaling = {} as { -readonly [K in keyof Scaling]: Scaling[K] };
  beforeAll(() => {
    scaling.client = new ApplicationAutoScalingClient({
      endpoint: server.running.url,
      region: "us-east-1",
      credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret" },
      maxAttempts: 1,
    });
  });
  afterAll(() => scaling.client.destroy());
  return scaling;
}

/** A table with five units each way, and an index with as many. */
export async function makeTable(server: TestServer): Promise<string> {
  const { TableName = "" } = await create(server, {
    BillingMode: "PROVISIONED",
    ProvisionedThroughput: units(5),
    GlobalSecondaryIndexes: [
      {
        IndexName: "byB",
        KeySchema: [hash("b")],
        Projection: all,
        ProvisionedThroughput: units(5),
      },
    ],
  });
  return TableName;
}

type Dimension = NonNullable<RegisterScalableTargetCommandInput["ScalableDimension"]>;

export const subject = (
  table: string,
  direction: "Read" | "Write" = "Read",
  index?: string,
): {
  ServiceNamespace: "dynamodb";
  ResourceId: string;
  ScalableDimension: Dimension;
} => ({
  ServiceNamespace: "dynamodb",
  ResourceId: `table/${table}${index === undefined ? "" : `/index/${index}`}`,
  ScalableDimension: `dynamodb:${index === undefined ? "table" : "index"}:${direction}CapacityUnits`,
});

export const bounds = (MinCapacity: number, MaxCapacity: number) => ({ MinCapacity, MaxCapacity });

export const tracking = (direction: "Read" | "Write", TargetValue: number, more: object = {}) => ({
  PolicyType: "TargetTrackingScaling" as const,
  TargetTrackingScalingPolicyConfiguration: {
    TargetValue,
    PredefinedMetricSpecification: {
      PredefinedMetricType: `DynamoDB${direction}CapacityUtilization` as const,
    },
    ...more,
  },
});

/** Requests that a typed client would not let pass, too. */
type Loose<T> = { [K in keyof T]?: unknown };

export const register = (
  scaling: Scaling,
  input: Loose<RegisterScalableTargetCommandInput>,
): Promise<{ ScalableTargetARN?: string | undefined }> =>
  scaling.client.send(
    new RegisterScalableTargetCommand(input as RegisterScalableTargetCommandInput),
  );

export const putPolicy = (
  scaling: Scaling,
  input: Loose<PutScalingPolicyCommandInput>,
): Promise<{ PolicyARN: string | undefined }> =>
  scaling.client.send(new PutScalingPolicyCommand(input as PutScalingPolicyCommandInput));

export async function targets(scaling: Scaling, ...ResourceIds: string[]) {
  const answer = await scaling.client.send(
    new DescribeScalableTargetsCommand({ ServiceNamespace: "dynamodb", ResourceIds }),
  );
  return answer.ScalableTargets ?? [];
}

export async function policies(scaling: Scaling, ResourceId: string) {
  const answer = await scaling.client.send(
    new DescribeScalingPoliciesCommand({ ServiceNamespace: "dynamodb", ResourceId }),
  );
  return answer.ScalingPolicies ?? [];
}

export async function refused(
  request: Promise<unknown>,
  name: string,
  message?: string | RegExp,
): Promise<void> {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error, "the request succeeded").toBeInstanceOf(ApplicationAutoScalingServiceException);
  const failure = error as ApplicationAutoScalingServiceException;
  expect(failure.name).toBe(name);
  if (typeof message === "string") expect(failure.message).toBe(message);
  else if (message !== undefined) expect(failure.message).toMatch(message);
}
