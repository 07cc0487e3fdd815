import * as sdk from "@aws-sdk/client-dynamodb";
import * as streamsSdk from "@aws-sdk/client-dynamodb-streams";
import { describe, expect, test } from "vitest";
import { struct } from "../../src/api/shape.ts";
import { registry, streamRegistry } from "../../src/operations/registry.ts";
import { inputOf, memberNames, operationsOf, unknownMembers } from "./sdk-members.ts";
import { read, sourceFiles, tableBelow } from "./source-files.ts";

/** What is carried out of both services, with what the newest SDK sends. */
const supported = [
  ...operationsOf(sdk).map((name) => ({ client: sdk, operation: registry.get(name) })),
  ...operationsOf(streamsSdk).map((name) => ({
    client: streamsSdk,
    operation: streamRegistry.get(name),
  })),
].flatMap(({ client, operation }) =>
  operation === undefined ? [] : [{ operation, input: inputOf(client, operation.name) }],
);

const listed = tableBelow(read("COMPATIBILITY.md"), "## Members that are refused").map(
  ([operation, member]) => `${operation} ${member}`,
);

/** Members that nobody knows, and those that are refused by name. */
const missing = supported.flatMap(({ operation, input }) => [
  ...unknownMembers(input, operation.shape).map((member) => `${operation.name} ${member}`),
  ...(operation.refused ?? []).map((member) => `${operation.name} ${member}`),
]);

test("COMPATIBILITY.md lists every member of the newest SDK that is not carried out", () => {
  expect(missing.filter((member) => !listed.includes(member))).toEqual([]);
});

test("COMPATIBILITY.md lists no member that is carried out, and none twice", () => {
  expect(listed.filter((member) => !missing.includes(member))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
});

/** There are no global tables of the old kind, so it makes no difference what is asked of them. */
const withoutEffect = [
  "CreateGlobalTable",
  "ListGlobalTables",
  "UpdateGlobalTable",
  "UpdateGlobalTableSettings",
];

test("nothing of a request is taken and then forgotten", () => {
  const source = ["src/api", "src/expressions", "src/engine", "src/operations"]
    .flatMap(sourceFiles)
    .filter(({ path }) => !/^src\/api\/requests\/|\.test(-support)?\.ts$/.test(path))
    .map(({ text }) => text)
    .join("\n");
  const words = new Set(source.match(/\w+/g));
  const unread = supported.flatMap(({ operation: { name: operation, shape, refused = [] } }) =>
    memberNames(refused.reduce<AnyShape>(withoutMember, shape))
      .filter((name) => !words.has(name) && !withoutEffect.includes(operation))
      .map((name) => `${operation} ${name}`),
  );
  expect(unread).toEqual([]);
});

describe("the SDK is read rightly", () => {
  test("at every depth", () => {
    const nothing = struct<Record<never, never>>("Nothing", {});
    expect(unknownMembers(inputOf(sdk, "TagResource"), nothing)).toEqual(["ResourceArn", "Tags"]);
    const names = supported.flatMap(({ operation, input }) =>
      unknownMembers(input, nothing).map((name) => `${operation.name} ${name}`),
    );
    expect(names).toContain("CreateTable VectorIndexes");
    expect(names).toContain("DescribeStream ShardFilter");
    expect(names.length).toBeGreaterThan(150);
  });

  test("through lists and maps of structures", () => {
    const write = registry.get("BatchWriteItem");
    expect(write && memberNames(write.shape)).toContain("PutRequest");
    const { shape } = registry.get("BatchGetItem") ?? { shape: undefined };
    const described = inputOf(sdk, "BatchGetItem");
    const forgetful = shape && withoutMember(shape, "ConsistentRead");
    expect(forgetful && unknownMembers(described, forgetful)).toEqual([
      "RequestItems.ConsistentRead",
    ]);
  });
});

type AnyShape = Parameters<typeof unknownMembers>[1];

/** The same shape, in which nobody has heard of a member. */
function withoutMember(shape: AnyShape, name: string): AnyShape {
  if (shape.kind === "list" || shape.kind === "map") {
    return { ...shape, element: withoutMember(shape.element, name) };
  }
  if (shape.kind !== "struct") return shape;
  const members = [...shape.members]
    .filter(([one]) => one !== name)
    .map(([one, member]): [string, AnyShape] => [one, withoutMember(member, name)]);
  return { ...shape, members: new Map(members) };
}
