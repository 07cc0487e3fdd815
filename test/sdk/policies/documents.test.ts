import { beforeAll, describe, expect, test } from "vitest";
import { expectError, useServer, validation } from "../harness.ts";
import { Policies, policyOf, type Subject, statement, subject } from "./support.ts";

const server = useServer();
const policies = new Policies(server);
const invalid = "One or more parameter values were invalid: ";
const bad = `${invalid}Invalid policy document: `;

let table: Subject;
beforeAll(async () => {
  table = await subject(server);
});

/** What makes the text of a policy of the table, and what is said of it. */
type Refused = readonly [what: string, text: (table: Subject) => string, message: string];

const refused: readonly Refused[] = [
  ["no text", () => "", `${bad}This policy contains invalid Json`],
  ["no JSON", () => "{not json", `${bad}This policy contains invalid Json`],
  ["a list", () => "[]", `${bad}This policy contains invalid Json`],
  ["nothing", () => "null", `${bad}This text appears not to be a policy`],
  ["an empty object", () => "{}", `${bad}Syntax error at position (1,3)`],
  ["no statement", () => policyOf(), `${bad}Could not parse the policy: Statement is empty!`],
  ["an empty statement", () => policyOf({}), `${bad}Missing required field Effect`],
  [
    "a statement without a resource",
    (given) => policyOf({ ...statement(given), Resource: undefined }),
    `${bad}Missing required field Resource`,
  ],
  [
    "two statements of one name",
    (given) => policyOf(statement(given, { Sid: "one" }), statement(given, { Sid: "one" })),
    `${bad}The Statement Ids in the policy are not unique`,
  ],
  [
    "more than 20480 bytes",
    (given) => policyOf(statement(given)) + " ".repeat(20_480),
    `${invalid}Maximum policy size of 20480 bytes exceeded`,
  ],
  [
    "actions of streams",
    (given) => policyOf(statement(given, { Action: "dynamodb:GetRecords" })),
    `${bad}The following action names are invalid: "dynamodb:GetRecords"`,
  ],
  [
    "an account for everybody",
    (given) => policyOf(statement(given, { Principal: "*" })),
    "Resource-based policy grants unbounded access in one or more elements. Please revise the policy to ensure least-privilege form of access",
  ],
  [
    "all accounts for everybody",
    (given) => policyOf(statement(given, { Principal: { AWS: "*" } })),
    "Resource-based policy grants unbounded access in one or more elements. Please revise the policy to ensure least-privilege form of access",
  ],
];

describe("a policy is not", () => {
  test.each(refused)("%s", async (_, text, message) => {
    await validation(policies.put(table.arn, text(table)), message);
  });

  test("one whose principal is a bare account", async () => {
    const text = policyOf(statement(table, { Principal: table.account }));
    await validation(policies.put(table.arn, text), /Syntax error at position \(1,\d+\)$/);
  });

  test("about the table's stream, with actions of tables", async () => {
    const text = policyOf(statement(table, { Resource: table.stream }));
    const id = table.stream.split(":").slice(5).join(":");
    const put = policies.put(table.arn, text);
    const error = await expectError(put, "ValidationException");
    expect(error.message).toContain(`${bad}The relative-id "${id}" is invalid for ARN "`);
  });

  test("put after all if it was refused: the one before stays", async () => {
    const other = await subject(server);
    const revision = await policies.put(other.arn, policyOf(statement(other)));
    await validation(policies.put(other.arn, "{}"), `${bad}Syntax error at position (1,3)`);
    expect(await policies.put(other.arn, policyOf(statement(other)))).toBe(revision);
  });
});

describe("a policy may", () => {
  const accepted: readonly (readonly [what: string, change: (table: Subject) => object])[] = [
    ["name another table", ({ arn }) => ({ Resource: `${arn}other` })],
    ["name all resources", () => ({ Resource: "*" })],
    ["name an index", ({ arn }) => ({ Resource: `${arn}/index/byA` })],
    ["name all indexes", ({ arn }) => ({ Resource: [`${arn}/index/*`, arn] })],
    ["name all actions", () => ({ Action: "dynamodb:*" })],
    ["write actions in small letters", () => ({ Action: "dynamodb:getitem" })],
    ["name what is not meant", () => ({ Action: undefined, NotAction: "dynamodb:DeleteTable" })],
    ["forbid something to everybody", () => ({ Effect: "Deny", Principal: "*" })],
  ];

  test.each(accepted)("%s", async (_, change) => {
    const other = await subject(server);
    expect(await policies.put(other.arn, policyOf(statement(other, change(other))))).toMatch(
      /^\d+$/,
    );
  });

  test("be as long as 20480 bytes", async () => {
    const other = await subject(server);
    const text = policyOf(statement(other));
    const padded = text + " ".repeat(20_480 - text.length);
    const revision = await policies.put(other.arn, padded);
    expect(await policies.document(other.arn, revision)).toBe(text);
  });
});

describe("a policy is told", () => {
  const told = async (make: (other: Subject) => string) => {
    const other = await subject(server);
    const revision = await policies.put(other.arn, make(other));
    return { ...other, text: await policies.document(other.arn, revision) };
  };

  test("in an order of its own, without spaces and lists of one", async () => {
    const { text, arn, root, account } = await told((other) =>
      JSON.stringify(
        {
          Statement: {
            Condition: { StringEquals: { "aws:PrincipalAccount": [other.account] } },
            Resource: [other.arn],
            Action: ["dynamodb:Query", "dynamodb:GetItem"],
            Principal: { AWS: [other.account, other.root] },
            Effect: "allow",
            Sid: "readers",
          },
          Version: "2012-10-17",
        },
        null,
        4,
      ),
    );
    expect(text).toBe(
      `{"Version":"2012-10-17","Statement":[{"Sid":"readers","Effect":"Allow","Principal":{"AWS":"${root}"},` +
        `"Action":["dynamodb:Query","dynamodb:GetItem"],"Resource":"${arn}",` +
        `"Condition":{"StringEquals":{"aws:PrincipalAccount":"${account}"}}}]}`,
    );
  });

  test("with lists as they are, also with something twice", async () => {
    const Action = ["dynamodb:GetItem", "dynamodb:GetItem"];
    const { text } = await told((other) => policyOf(statement(other, { Action })));
    expect(JSON.parse(text).Statement[0].Action).toEqual(Action);
  });

  test("so that it can be put again and stays the same", async () => {
    const { text, arn } = await told((other) =>
      JSON.stringify({ Version: "2012-10-17", Statement: statement(other, { Sid: "x" }) }),
    );
    const { RevisionId } = await policies.get(arn);
    expect(await policies.put(arn, text)).toBe(RevisionId);
  });
});

describe("a policy that forbids to change it", () => {
  const forbids = (other: Subject) =>
    policyOf(
      statement(other, { Effect: "Deny", Principal: "*", Action: "dynamodb:PutResourcePolicy" }),
    );

  test("is refused", async () => {
    const other = await subject(server);
    for (const more of [{}, { ConfirmRemoveSelfResourceAccess: false }]) {
      await expectError(
        policies.put(other.arn, forbids(other), more),
        "AccessDeniedException",
        "The new resource policy will not allow you to update the resource policy in the future.",
      );
    }
  });

  test("is taken if that is wanted", async () => {
    const other = await subject(server);
    const revision = await policies.put(other.arn, forbids(other), {
      ConfirmRemoveSelfResourceAccess: true,
    });
    expect(await policies.document(other.arn, revision)).toBe(forbids(other));
  });

  test("may forbid to delete it", async () => {
    const other = await subject(server);
    const text = policyOf(
      statement(other, { Effect: "Deny", Principal: "*", Action: "dynamodb:DeleteResourcePolicy" }),
    );
    await policies.put(other.arn, text);
  });
});
