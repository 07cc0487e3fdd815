import { setTimeout as sleep } from "node:timers/promises";
import {
  DeleteResourcePolicyCommand,
  DescribeTableCommand,
  GetResourcePolicyCommand,
  PutResourcePolicyCommand,
  type PutResourcePolicyCommandInput,
} from "@aws-sdk/client-dynamodb";
import { expect } from "vitest";
import { createTable, type TestServer } from "../harness.ts";

export interface Subject {
  readonly TableName: string;
  readonly arn: string;
  readonly stream: string;
  readonly account: string;
  readonly root: string;
}

/** A table with a stream and an index. */
export async function subject(server: TestServer): Promise<Subject> {
  const TableName = await createTable(
    server,
    { key: "pk:S", global: { byA: { hash: "a:S" } } },
    { StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" } },
  );
  const { Table } = await server.client.send(new DescribeTableCommand({ TableName }));
  const arn = Table?.TableArn ?? "";
  const account = arn.split(":")[4] ?? "";
  const root = `arn:aws:iam::${account}:root`;
  return { TableName, arn, stream: Table?.LatestStreamArn ?? "", account, root };
}

/** A statement that is allowed, unless it is changed. */
export const statement = ({ arn, root }: Subject, change: object = {}) => ({
  Effect: "Allow",
  Principal: { AWS: root },
  Action: "dynamodb:GetItem",
  Resource: arn,
  ...change,
});

export const policyOf = (...statements: readonly unknown[]): string =>
  JSON.stringify({ Version: "2012-10-17", Statement: statements });

const busy = ["ResourceInUseException", "ThrottlingException"];

/** The service takes a change only some time after the last one: asked again until it does. */
export async function patiently<T>(request: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!busy.includes((error as Error).name)) throw error;
      await sleep(500);
    }
  }
}

export class Policies {
  readonly #server: TestServer;

  constructor(server: TestServer) {
    this.#server = server;
  }

  /** Answers the revision. */
  async put(
    ResourceArn: string,
    Policy: string,
    more: Partial<PutResourcePolicyCommandInput> = {},
  ): Promise<string> {
    const command = () => new PutResourcePolicyCommand({ ResourceArn, Policy, ...more });
    const answer = await patiently(() => this.#server.client.send(command()));
    return answer.RevisionId ?? "";
  }

  async remove(ResourceArn: string, ExpectedRevisionId?: string): Promise<string | undefined> {
    const command = () =>
      new DeleteResourcePolicyCommand({
        ResourceArn,
        ...(ExpectedRevisionId !== undefined && { ExpectedRevisionId }),
      });
    return (await patiently(() => this.#server.client.send(command()))).RevisionId;
  }

  async get(ResourceArn: string) {
    const command = new GetResourcePolicyCommand({ ResourceArn });
    const { $metadata: _, ...answer } = await this.#server.client.send(command);
    return answer;
  }

  /** The document, when the revision shows. */
  async document(arn: string, revision: string): Promise<string> {
    await expect
      .poll(
        () =>
          this.get(arn).then(
            ({ RevisionId }) => RevisionId,
            () => undefined,
          ),
        {
          timeout: 20_000,
        },
      )
      .toBe(revision);
    return (await this.get(arn)).Policy ?? "";
  }

  /** Waits until there is none. */
  async gone(arn: string): Promise<void> {
    await expect
      .poll(
        () =>
          this.get(arn).then(
            () => "there",
            (error: Error) => error.name,
          ),
        {
          timeout: 20_000,
        },
      )
      .toBe("PolicyNotFoundException");
  }
}
