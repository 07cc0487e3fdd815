import { describe, expect, test } from "vitest";
import { readPolicy } from "./read-policy.ts";

const account = "123456789012";
const root = `arn:aws:iam::${account}:root`;
const arn = `arn:aws:dynamodb:eu-west-1:${account}:table/things`;
const table = { kind: "table", arn, account } as const;
const stream = { kind: "stream", arn: `${arn}/stream/2026`, account } as const;

const one = (change: object = {}) => ({
  Effect: "Allow",
  Principal: { AWS: root },
  Action: "dynamodb:GetItem",
  Resource: arn,
  ...change,
});
const policy = (...Statement: unknown[]) => JSON.stringify({ Version: "2012-10-17", Statement });
const told = (change: object) => JSON.parse(readPolicy(policy(one(change)), table).document);
const refusal = (text: string, subject: Parameters<typeof readPolicy>[1] = table): string => {
  try {
    readPolicy(text, subject);
  } catch (error) {
    const prefix = /^One or more parameter values were invalid: (Invalid policy document: )?/;
    return (error as Error).message.replace(prefix, "");
  }
  return "no error";
};

describe("what is refused", () => {
  const at = (column: number) => `Syntax error at position (1,${column})`;
  const begin = '{"Version":"2012-10-17","Statement":[{'.length;

  test.each([
    [
      "another version",
      JSON.stringify({ Version: "2020-01-01", Statement: [one()] }),
      "The policy must contain a valid version string",
    ],
    ["a member that nobody knows", '{"Statement":[],"Extra":1}', at(25)],
    ["an id that is no text", '{"Id":1,"Statement":[]}', at(7)],
    ["a statement that is none", policy("x"), at(begin)],
    ["another effect", policy(one({ Effect: "Perhaps" })), at(begin + 10)],
    ["no principal", policy(one({ Principal: undefined })), "Missing required field Principal"],
    ["no action", policy(one({ Action: undefined })), "Missing required field Action"],
    ["a principal of no kind", policy(one({ Principal: {} })), at(begin + 30)],
    ["a principal of another kind", policy(one({ Principal: { Me: "x" } })), at(begin + 30)],
    [
      "a principal that is nobody",
      policy(one({ Principal: { AWS: "me" } })),
      "Invalid principal in policy document.",
    ],
    [
      "a service that is none",
      policy(one({ Principal: { Service: "me" } })),
      "Invalid principal in policy document.",
    ],
    ["an empty list of actions", policy(one({ Action: [] })), /^Syntax error/],
    [
      "actions of others",
      policy(one({ Action: ["s3:GetObject", "dynamodb:GetItem", "dynamodb:Nothing"] })),
      'The following action names are invalid: "s3:GetObject", "dynamodb:Nothing"',
    ],
    [
      "a resource that is no ARN",
      policy(one({ Resource: "things" })),
      'Resource things must be in ARN format or "*".',
    ],
    [
      "both an action and its opposite",
      policy(one({ NotAction: "dynamodb:Scan" })),
      /^Syntax error/,
    ],
    [
      "a condition that is none",
      policy(one({ Condition: { StringEquals: "x" } })),
      /^Syntax error/,
    ],
    [
      "a condition of lists in lists",
      policy(one({ Condition: { A: { b: [["x"]] } } })),
      /^Syntax error/,
    ],
    [
      "more bytes than characters",
      policy(one({ Sid: "é".repeat(10_240) })),
      "Maximum policy size of 20480 bytes exceeded",
    ],
  ])("%s", (_, text, message) => {
    if (typeof message === "string") expect(refusal(text)).toBe(message);
    else expect(refusal(text)).toMatch(message);
  });

  test("a place in a later line", () => {
    const text = '{\n  "Statement": [\n    { "Effect": 5 }\n  ]\n}';
    expect(refusal(text)).toBe("Syntax error at position (3,17)");
  });

  test("actions of tables for streams", () => {
    const text = policy(one({ Resource: stream.arn }));
    expect(refusal(text, stream)).toContain("action names are invalid");
  });
});

describe("what is taken", () => {
  test("wildcards in resources and actions", () => {
    expect(told({ Resource: `${arn}*`, Action: "dynamodb:*Item" }).Statement[0]).toMatchObject({
      Resource: `${arn}*`,
      Action: "dynamodb:*Item",
    });
    const Resource = `${arn}/stream/*`;
    const text = policy(one({ Resource, Action: "dynamodb:Get*" }));
    expect(readPolicy(text, stream).document).toBe(
      policy(one({ Action: "dynamodb:Get*", Resource })),
    );
  });

  test("everybody, under a condition", () => {
    const Condition = { StringEquals: { "aws:PrincipalOrgID": "o-1" } };
    expect(told({ Principal: "*", Condition }).Statement[0].Principal).toBe("*");
  });

  test("values of conditions that are no texts become some", () => {
    const Condition = { Bool: { "aws:SecureTransport": [true] }, NumericLessThan: { n: [1, 2] } };
    expect(told({ Condition }).Statement[0].Condition).toEqual({
      Bool: { "aws:SecureTransport": "true" },
      NumericLessThan: { n: ["1", "2"] },
    });
  });

  test("conditions with names of JavaScript's own", () => {
    const text = policy(one()).replace("}]}", ',"Condition":{"__proto__":{"constructor":"x"}}}]}');
    expect(readPolicy(text, table).document).toContain('"__proto__":{"constructor":"x"}');
  });

  test("services and several kinds of principals", () => {
    const Principal = {
      AWS: [account, "arn:aws:iam::999999999999:role/x"],
      Service: "x.amazonaws.com",
    };
    expect(told({ Principal }).Statement[0].Principal).toEqual({
      AWS: [root, "arn:aws:iam::999999999999:role/x"],
      Service: "x.amazonaws.com",
    });
  });
});

describe("whether it locks out whoever puts it", () => {
  const denies = (change: object) =>
    readPolicy(policy(one({ Effect: "Deny", Principal: "*", Action: "*", ...change })), table)
      .locksOut;

  test.each([
    ["everything to everybody", {}, true],
    ["everything to the account", { Principal: { AWS: account } }, true],
    ["everything to somebody", { Principal: { AWS: "arn:aws:iam::999999999999:role/x" } }, false],
    ["all that begins so", { Action: "dynamodb:Put*" }, true],
    ["something else", { Action: "dynamodb:PutItem" }, false],
    ["all but something else", { Action: undefined, NotAction: "dynamodb:PutItem" }, true],
    ["all but this", { Action: undefined, NotAction: "dynamodb:PutResourcePolicy" }, false],
    ["another table", { Resource: `${arn}2` }, false],
    ["all tables", { Resource: "*" }, true],
    ["all but another table", { Resource: undefined, NotResource: `${arn}2` }, true],
    ["under a condition, of which nothing is known", { Condition: { Bool: { x: "true" } } }, false],
  ])("%s", (_, change, expected) => {
    expect(denies(change)).toBe(expected);
  });
});
