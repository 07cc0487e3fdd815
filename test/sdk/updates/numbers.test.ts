import { PutItemCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { useServer, validation } from "../harness.ts";
import { counted, ItemTable } from "../item-table.ts";

/** Sums as the service makes them: decimal, of 38 digits, within its range, written out in full. */

const server = useServer();
const table = new ItemTable(server);

async function calculate(n: string, UpdateExpression: string, v: string) {
  const key = { pk: { S: table.freshKey().pk } };
  const TableName = table.name;
  await server.client.send(new PutItemCommand({ TableName, Item: { ...key, n: { N: n } } }));
  const answer = await server.client.send(
    new UpdateItemCommand({
      TableName,
      Key: key,
      UpdateExpression,
      ExpressionAttributeValues: { ":v": { N: v } },
      ReturnValues: "UPDATED_NEW",
    }),
  );
  return answer.Attributes?.n?.N;
}

const nines = "9".repeat(38);

describe.each([
  ["SET n = n + :v", (v: string) => v],
  ["SET n = :v + n", (v: string) => v],
  ["SET n = n - :v", (v: string) => (v.startsWith("-") ? v.slice(1) : `-${v}`)],
  ["ADD n :v", (v: string) => v],
])("%s", (expression, sign) => {
  test.each([
    ["0.1", "0.2", "0.3"],
    ["1", "-1", "0"],
    ["-5", "3", "-2"],
    ["0.000000000000000000000000000000000001", "1", "1.000000000000000000000000000000000001"],
    ["99999999999999999999999999999999999998", "1", nines],
    [`-${nines}`, nines, "0"],
    ["1E10", "5", "10000000005"],
    ["1.50", "0.50", "2"],
    ["1E125", "1E125", `2${"0".repeat(125)}`],
    [`${nines}E87`, "0", nines + "0".repeat(87)],
    ["1E-130", "0", `0.${"0".repeat(129)}1`],
  ])("%s and %s make %s", async (n, v, sum) => {
    expect(await calculate(n, expression, sign(v))).toBe(sum);
  });
});

test("a difference keeps all digits", async () => {
  expect(await calculate("1", "SET n = n - :v", "0.00000000000000000000000000000000000001")).toBe(
    `0.${"9".repeat(38)}`,
  );
});

const overflow =
  "Number overflow. Attempting to store a number with magnitude larger than supported range";

describe("a sum out of range, or of more than 38 digits, is refused", () => {
  test.each([
    ["1E50", "SET n = n + :v", "1"],
    ["1E50", "SET n = n - :v", "1"],
    ["1E50", "ADD n :v", "1"],
    ["9.9999999999999999999999999999999999999E125", "SET n = n + :v", "1E125"],
    ["-9.9999999999999999999999999999999999999E125", "SET n = n - :v", "1E125"],
    ["9.9999999999999999999999999999999999999E125", "ADD n :v", "9E125"],
  ])("%s: %s with %s", async (n, expression, v) => {
    await validation(calculate(n, expression, v), overflow);
  });
});

describe("operands that are no numbers at all are refused with the request", () => {
  test.each([
    ["abc", "The parameter cannot be converted to a numeric value: abc"],
    ["1e126", overflow],
    [
      "1e-131",
      "Number underflow. Attempting to store a number with magnitude smaller than supported range",
    ],
    ["1".repeat(39), "Attempting to store more than 38 significant digits in a Number"],
  ])("%s", async (v, message) => {
    await validation(calculate("1", "SET n = n + :v", v), counted + message);
  });
});
