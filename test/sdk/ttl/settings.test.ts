import {
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { createTable, expectError, freshName, validation } from "../harness.ts";
import { hour, useTtl } from "./support.ts";

const server = useTtl();

const plainTable = () => createTable(server, { key: "pk:S" });
const enabledBy = (AttributeName: string) => ({ TimeToLiveStatus: "ENABLED", AttributeName });
const disabled = { TimeToLiveStatus: "DISABLED" };
const tooSoon = "Time to live has been modified multiple times within a fixed interval";
const alreadyEnabled = "TimeToLive is already enabled";
const alreadyDisabled = "TimeToLive is already disabled";
const activeOn = (attribute: string) =>
  `TimeToLive is active on a different AttributeName: current AttributeName is ${attribute}`;

/** A request as a client might send it that does not check it. */
const sent = (TimeToLiveSpecification: unknown, more: object = {}) =>
  server.client.send(
    new UpdateTimeToLiveCommand({
      TableName: "Nowhere",
      TimeToLiveSpecification,
      ...more,
    } as never),
  );

/** Asks until nothing is under way. */
async function settled(table: string): Promise<object | undefined> {
  for (;;) {
    const answer = await server.described(table);
    if (!JSON.stringify(answer).includes('ING"')) return answer;
  }
}

describe("enabling", () => {
  test("is answered with what was asked for", async () => {
    const table = await plainTable();
    expect(await server.enable(table, "expiresAt")).toEqual({
      Enabled: true,
      AttributeName: "expiresAt",
    });
    expect(await settled(table)).toEqual(enabledBy("expiresAt"));
  });

  test("leaves the table active, and nothing of it is seen in its description", async () => {
    const table = await plainTable();
    const before = await server.client.send(new DescribeTableCommand({ TableName: table }));
    await server.enable(table);
    const after = await server.client.send(new DescribeTableCommand({ TableName: table }));
    expect(after.Table).toEqual(before.Table);
    expect(after.Table?.TableStatus).toBe("ACTIVE");
  });

  test("again, by the same attribute, is refused at any time", async () => {
    const table = await plainTable();
    await server.enable(table);
    await validation(server.enable(table), alreadyEnabled);
    await server.elapse(2 * hour);
    await validation(server.enable(table), alreadyEnabled);
    expect(await server.described(table)).toEqual(enabledBy("ttl"));
  });

  test("by another attribute while it is enabled is refused", async () => {
    const table = await plainTable();
    await server.enable(table, "first");
    await validation(server.enable(table, "second"), activeOn("first"));
    await server.elapse(2 * hour);
    await validation(server.enable(table, "second"), activeOn("first"));
    expect(await server.described(table)).toEqual(enabledBy("first"));
  });

  test("takes any attribute name", async () => {
    for (const name of ["a.b", "#n", "__proto__", "größe", "with space", "x".repeat(255)]) {
      const table = await plainTable();
      await server.enable(table, name);
      expect(await settled(table)).toEqual(enabledBy(name));
    }
  });

  test("takes an attribute of the key", async () => {
    const table = await createTable(server, { key: "pk:S sk:N" });
    await server.enable(table, "sk");
    expect(await settled(table)).toEqual(enabledBy("sk"));
  });

  test("is possible while an index is being made", async () => {
    const table = await plainTable();
    await server.client.send(
      new UpdateTableCommand({
        TableName: table,
        AttributeDefinitions: [
          { AttributeName: "pk", AttributeType: "S" },
          { AttributeName: "g", AttributeType: "S" },
        ],
        GlobalSecondaryIndexUpdates: [
          {
            Create: {
              IndexName: "byG",
              KeySchema: [{ AttributeName: "g", KeyType: "HASH" }],
              Projection: { ProjectionType: "ALL" },
            },
          },
        ],
      }),
    );
    await server.enable(table);
    expect(await settled(table)).toEqual(enabledBy("ttl"));
  });

  test("is a matter of one table", async () => {
    const [one, other] = [await plainTable(), await plainTable()];
    await server.enable(one, "a");
    await server.enable(other, "b");
    expect(await settled(one)).toEqual(enabledBy("a"));
    expect(await settled(other)).toEqual(enabledBy("b"));
  });

  test("takes the ARN of a table for its name", async () => {
    const table = await plainTable();
    const { Table } = await server.client.send(new DescribeTableCommand({ TableName: table }));
    const arn = Table?.TableArn ?? "";
    await server.enable(arn);
    expect(await settled(arn)).toEqual(enabledBy("ttl"));
    expect(await settled(table)).toEqual(enabledBy("ttl"));
  });
});

describe("disabling", () => {
  test("is answered with what was asked for, and the attribute is forgotten", async () => {
    const table = await plainTable();
    await server.enable(table);
    await server.elapse(2 * hour);
    expect(await server.disable(table)).toEqual({ Enabled: false, AttributeName: "ttl" });
    expect(await settled(table)).toEqual(disabled);
  });

  test("what never was enabled is refused", async () => {
    const table = await plainTable();
    await validation(server.disable(table), alreadyDisabled);
    expect(await server.described(table)).toEqual(disabled);
  });

  test("twice is refused, whatever the attribute", async () => {
    const table = await plainTable();
    await server.enable(table);
    await server.elapse(2 * hour);
    await server.disable(table);
    await validation(server.disable(table), alreadyDisabled);
    await validation(server.disable(table, "other"), alreadyDisabled);
    await server.elapse(2 * hour);
    await validation(server.disable(table), alreadyDisabled);
  });

  test("by another attribute is refused", async () => {
    const table = await plainTable();
    await server.enable(table);
    await server.elapse(2 * hour);
    await validation(server.disable(table, "TTL"), activeOn("ttl"));
    expect(await server.described(table)).toEqual(enabledBy("ttl"));
  });
});

describe("two changes", () => {
  test("one soon after the other are refused, whatever they are", async () => {
    const table = await plainTable();
    await server.enable(table);
    await validation(server.disable(table), tooSoon);
    await server.elapse(20 * 60);
    await validation(server.disable(table), tooSoon);
    expect(await server.described(table)).toEqual(enabledBy("ttl"));
    await server.elapse(2 * hour);
    await server.disable(table);
    await validation(server.enable(table), tooSoon);
    expect(await settled(table)).toEqual(disabled);
  });

  test("are taken an hour apart, and then by another attribute", async () => {
    const table = await plainTable();
    await server.enable(table, "first");
    await server.elapse(hour);
    await server.disable(table, "first");
    await server.elapse(hour);
    await server.enable(table, "second");
    expect(await settled(table)).toEqual(enabledBy("second"));
  });

  test("that were refused do not put off the next", async () => {
    const table = await plainTable();
    await server.enable(table);
    await server.elapse(20 * 60);
    await validation(server.disable(table), tooSoon);
    await validation(server.enable(table), alreadyEnabled);
    await server.elapse(40 * 60);
    await server.disable(table);
  });

  test("of two tables of the same name have nothing to do with each other", async () => {
    const table = await plainTable();
    await server.enable(table);
    await server.client.send(new DeleteTableCommand({ TableName: table }));
    await createTable(server, { key: "pk:S" }, { TableName: table });
    expect(await server.described(table)).toEqual(disabled);
    await server.enable(table);
  });
});

describe("describing", () => {
  test("a table without it tells a state and nothing else", async () => {
    expect(await server.described(await plainTable())).toEqual(disabled);
  });

  test("what other changes of the table leave alone", async () => {
    const table = await plainTable();
    await server.enable(table);
    const change = { TableName: table, DeletionProtectionEnabled: true };
    await server.client.send(new UpdateTableCommand(change));
    expect(await settled(table)).toEqual(enabledBy("ttl"));
  });
});

describe("a table that is not there", () => {
  const notFound = (table: string) => `Requested resource not found: Table: ${table} not found`;

  test("is not found", async () => {
    const table = freshName("missing");
    await expectError(server.enable(table), "ResourceNotFoundException", notFound(table));
    await expectError(server.disable(table), "ResourceNotFoundException", notFound(table));
    await expectError(server.described(table), "ResourceNotFoundException", notFound(table));
  });

  test("any longer is not found", async () => {
    const table = await plainTable();
    await server.enable(table);
    await server.client.send(new DeleteTableCommand({ TableName: table }));
    await expectError(server.described(table), "ResourceNotFoundException");
    await expectError(server.enable(table), "ResourceNotFoundException");
  });

  test("matters less than a request that is wrong in itself", async () => {
    await expectError(sent({ Enabled: true, AttributeName: "" }), "ValidationException");
  });
});

describe("a request", () => {
  const failed = (value: string, path: string, constraint: string) =>
    `1 validation error detected: Value ${value} at '${path}' failed to satisfy constraint: ${constraint}`;
  const specification = "timeToLiveSpecification";

  test("needs an attribute name, also to disable", async () => {
    const text = failed("null", `${specification}.attributeName`, "Member must not be null");
    await validation(sent({ Enabled: true }), text);
    await validation(sent({ Enabled: false }), text);
  });

  test("needs to say whether to enable", async () => {
    const text = failed("null", `${specification}.enabled`, "Member must not be null");
    await validation(sent({ AttributeName: "ttl" }), text);
  });

  test("needs a specification", async () => {
    await validation(sent(undefined), failed("null", specification, "Member must not be null"));
  });

  test("does not take an empty attribute name", async () => {
    const constraint = "Member must have length greater than or equal to 1";
    await validation(
      sent({ Enabled: true, AttributeName: "" }),
      failed("''", `${specification}.attributeName`, constraint),
    );
  });

  test("does not take an attribute name of 256 characters", async () => {
    const name = "x".repeat(256);
    const constraint = "Member must have length less than or equal to 255";
    await validation(
      sent({ Enabled: true, AttributeName: name }),
      failed(`'${name}'`, `${specification}.attributeName`, constraint),
    );
  });

  test("needs the name of a table", async () => {
    const nameless = { TableName: undefined };
    const right = { Enabled: true, AttributeName: "ttl" };
    await expectError(sent(right, nameless), "ValidationException");
    await expectError(
      server.client.send(new DescribeTimeToLiveCommand(nameless)),
      "ValidationException",
    );
  });

  test("has members of the right types", async () => {
    const wrong = { Enabled: true, AttributeName: 5 };
    await expectError(sent(wrong), "SerializationException");
  });
});
