import { describe, expect, test } from "vitest";
import { useServer } from "../harness.ts";

const server = useServer();

const parameter = "One or more parameter values were invalid: ";
const numeric = "The parameter cannot be converted to a numeric value";
const overflow =
  "Number overflow. Attempting to store a number with magnitude larger than supported range";
const digits = "Attempting to store more than 38 significant digits in a Number";

/** Query has the newer layer of value checks, Scan the older: value, text today, text of old. */
const values: readonly (readonly [object, string, string])[] = [
  [{ N: "abc" }, `${numeric}: abc`, `${numeric}: abc`],
  [{ N: "" }, `${numeric}: `, numeric],
  [{ N: "1e126" }, overflow, overflow],
  [{ N: "1".repeat(39) }, digits, digits],
  [{ NS: ["1", "x"] }, `${numeric}: x`, `${numeric}: x`],
  [
    { SS: ["b", "a", "b"] },
    `${parameter}Input collection ["a", "b", "b"] contains duplicates.`,
    `${parameter}Input collection [b, a, b] contains duplicates.`,
  ],
  [
    { BS: ["/w==", "AA==", "AA=="] },
    `${parameter}Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.`,
    `${parameter}Input collection [/w==, AA==, AA==]of type BS contains duplicates.`,
  ],
  [
    { NS: ["2", "1", "2.0"] },
    `${parameter}Input collection contains duplicates.`,
    "Input collection contains duplicates",
  ],
];

async function messageOf(operation: string, body: object): Promise<string> {
  const answer = await server.raw(operation, { TableName: "no-such-table", ...body });
  expect(answer.status).toBe(400);
  expect(answer.json.__type).toBe("com.amazon.coral.validate#ValidationException");
  return answer.json.message;
}

describe("values that are no values, before the table is looked for", () => {
  test.each(values)("in a key condition or filter of Query: %j", async (value, text) => {
    const key = { KeyConditionExpression: "pk = :v", ExpressionAttributeValues: { ":v": value } };
    expect(await messageOf("Query", key)).toBe(text);
    const filter = {
      KeyConditionExpression: "pk = :p",
      FilterExpression: "a = :v",
      ExpressionAttributeValues: { ":p": { S: "p" }, ":v": value },
    };
    expect(await messageOf("Query", filter)).toBe(text);
  });

  test.each(values)("in a QueryFilter: %j", async (value, text) => {
    const EQ = (each: object) => ({ ComparisonOperator: "EQ", AttributeValueList: [each] });
    const body = { KeyConditions: { pk: EQ({ S: "p" }) }, QueryFilter: { a: EQ(value) } };
    expect(await messageOf("Query", body)).toBe(text);
  });

  test.each(values)("in a filter of Scan: %j", async (value, _, text) => {
    const body = { FilterExpression: "a = :v", ExpressionAttributeValues: { ":v": value } };
    expect(await messageOf("Scan", body)).toBe(
      `ExpressionAttributeValues contains invalid value: ${text} for key :v`,
    );
  });
});
