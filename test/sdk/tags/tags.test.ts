import {
  DeleteTableCommand,
  DescribeTableCommand,
  ListTagsOfResourceCommand,
  type Tag,
  TagResourceCommand,
  UntagResourceCommand,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { createTable, expectError, freshName, useServer, validation } from "../harness.ts";

const server = useServer();

interface Tagged {
  readonly TableName: string;
  readonly arn: string;
}

async function arnOf(TableName: string): Promise<string> {
  const { Table } = await server.client.send(new DescribeTableCommand({ TableName }));
  return Table?.TableArn ?? "";
}

async function taggedTable(Tags: Tag[] = []): Promise<Tagged> {
  const TableName = await createTable(server, { key: "pk:S" }, { Tags });
  return { TableName, arn: await arnOf(TableName) };
}

const add = (ResourceArn: string, Tags: Tag[]) =>
  server.client.send(new TagResourceCommand({ ResourceArn, Tags }));
const remove = (ResourceArn: string, TagKeys: string[]) =>
  server.client.send(new UntagResourceCommand({ ResourceArn, TagKeys }));

async function list(ResourceArn: string): Promise<Record<string, string>> {
  const { Tags = [] } = await server.client.send(new ListTagsOfResourceCommand({ ResourceArn }));
  return Object.fromEntries(Tags.map(({ Key = "", Value = "" }) => [Key, Value]));
}

/** The service takes a while to show a change, and takes no other meanwhile. */
async function shows(arn: string, tags: Record<string, string>): Promise<void> {
  await expect.poll(() => list(arn), { timeout: 20_000 }).toEqual(tags);
}

const tag = (Key: string, Value = "v"): Tag => ({ Key, Value });
const many = (count: number, from = 0): Tag[] =>
  Array.from({ length: count }, (_, i) => tag(`key-${from + i}`, `${i}`));

describe("tags of a table", () => {
  test("there are none at first", async () => {
    const { arn } = await taggedTable();
    const answer = await server.client.send(new ListTagsOfResourceCommand({ ResourceArn: arn }));
    expect(answer.Tags).toEqual([]);
    expect(answer.NextToken).toBeUndefined();
  });

  test("can be given with the table", async () => {
    const { arn } = await taggedTable([tag("team", "search"), tag("stage", "test")]);
    await shows(arn, { team: "search", stage: "test" });
  });

  test("are not told by DescribeTable", async () => {
    const { TableName } = await taggedTable([tag("team")]);
    const { Table } = await server.client.send(new DescribeTableCommand({ TableName }));
    expect(Object.keys(Table ?? {})).not.toContain("Tags");
  });

  test("are added to those that are there", async () => {
    const { arn } = await taggedTable([tag("a", "1")]);
    await add(arn, [tag("b", "2"), tag("c", "3")]);
    await shows(arn, { a: "1", b: "2", c: "3" });
  });

  test("replace a value under the same key", async () => {
    const { arn } = await taggedTable([tag("a", "1"), tag("b", "2")]);
    await add(arn, [tag("a", "other")]);
    await shows(arn, { a: "other", b: "2" });
  });

  test("differ by the case of their keys", async () => {
    const { arn } = await taggedTable();
    await add(arn, [tag("Env", "1"), tag("env", "2")]);
    await shows(arn, { Env: "1", env: "2" });
  });

  test("may have an empty value", async () => {
    const { arn } = await taggedTable();
    await add(arn, [tag("empty", "")]);
    await shows(arn, { empty: "" });
  });

  test("are removed by key", async () => {
    const { arn } = await taggedTable([tag("a"), tag("b"), tag("c")]);
    await remove(arn, ["a", "c"]);
    await shows(arn, { b: "v" });
  });

  test("that are not there can be removed", async () => {
    const { arn } = await taggedTable([tag("a"), tag("b")]);
    await remove(arn, ["b", "nothing"]);
    await shows(arn, { a: "v" });
  });

  test("are not those of another table", async () => {
    const one = await taggedTable([tag("a", "one")]);
    const other = await taggedTable([tag("a", "other")]);
    await add(one.arn, [tag("a", "changed")]);
    await shows(one.arn, { a: "changed" });
    await shows(other.arn, { a: "other" });
  });

  test("are gone with the table, and do not come back", async () => {
    const { TableName, arn } = await taggedTable([tag("a")]);
    await server.client.send(new DeleteTableCommand({ TableName }));
    await expectError(
      list(arn),
      "ResourceNotFoundException",
      `Requested resource not found: ResourceArn: ${arn} not found`,
    );
    await createTable(server, { key: "pk:S" }, { TableName });
    await shows(arn, {});
  });

  test("with names of JavaScript's own are tags like others", async () => {
    const { arn } = await taggedTable();
    await add(arn, [tag("__proto__", "p"), tag("constructor", "c"), tag("toString", "t")]);
    const { Tags } = await server.client.send(new ListTagsOfResourceCommand({ ResourceArn: arn }));
    expect(Tags).toHaveLength(3);
    expect(Tags).toContainEqual(tag("__proto__", "p"));
  });

  test("TagResource and UntagResource answer with no body", async () => {
    const { arn } = await taggedTable();
    const answer = await fetchRaw("TagResource", { ResourceArn: arn, Tags: [tag("a")] });
    expect(answer).toEqual({ status: 200, text: "" });
    await shows(arn, { a: "v" });
    expect(await fetchRaw("UntagResource", { ResourceArn: arn, TagKeys: ["a"] })).toEqual(answer);
  });
});

async function fetchRaw(operation: string, body: object) {
  const { authorization } = await import("../harness.ts");
  const answer = await fetch(server.running.url, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": `DynamoDB_20120810.${operation}`,
      "x-amz-date": "20260101T000000Z",
      authorization,
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

const tooMany = "Number of Tags exceed the current limit for the provided ResourceArn";

describe("how many tags there may be", () => {
  test("50 are taken at once, and listed on one page", async () => {
    const { arn } = await taggedTable();
    await add(arn, many(50));
    await expect.poll(async () => Object.keys(await list(arn)).length).toBe(50);
    const page = await server.client.send(new ListTagsOfResourceCommand({ ResourceArn: arn }));
    expect(page.NextToken).toBeUndefined();
  });

  test("51 are not", async () => {
    const { arn } = await taggedTable();
    await validation(add(arn, many(51)), tooMany);
    await shows(arn, {});
  });

  test("what counts is how many there are afterwards", async () => {
    const { arn } = await taggedTable(many(50));
    await validation(add(arn, [tag("one-more")]), tooMany);
    await validation(add(arn, [tag("key-1", "new"), tag("one-more")]), tooMany);
    await add(arn, [tag("key-1", "new")]);
    await expect.poll(async () => (await list(arn))["key-1"]).toBe("new");
  });

  test("51 keys cannot be removed in one request", async () => {
    const { arn } = await taggedTable();
    await validation(
      remove(
        arn,
        many(51).map(({ Key = "" }) => Key),
      ),
      tooMany,
    );
  });

  test("a table with 51 tags is not made", async () => {
    const TableName = freshName();
    await validation(createTable(server, { key: "pk:S" }, { TableName, Tags: many(51) }), tooMany);
    await expectError(
      server.client.send(new DescribeTableCommand({ TableName })),
      "ResourceNotFoundException",
    );
  });
});

describe("what a tag may be", () => {
  test.each([
    ["letters of all scripts", "ключ", "表 café א"],
    ["all marks that are allowed", "a+b-c=d.e_f:g/h@i", "a+b-c=d.e_f:g/h@i"],
    ["white space, also wide", " x\u00a0y\u3000", " "],
    ["a prefix that only ends like the reserved one", "myaws:x", "v"],
    ["128 and 256 characters", "א".repeat(128), "א".repeat(256)],
  ])("%s", async (_, key, value) => {
    const { arn } = await taggedTable();
    await add(arn, [tag(key, value)]);
    await shows(arn, { [key]: value });
  });

  const badKey = (key: string) => `The Tag Key provided is invalid, Key: ${key}`;
  const badValue = (value: string) => `The Tag Value provided is invalid, Value: ${value}`;
  const reserved = (key: string) => `Tag Key cannot be prefixed with aws:, Key: ${key}`;

  test.each([
    ["129 characters in a key", [tag("k".repeat(129))], badKey("k".repeat(129))],
    ["257 characters in a value", [tag("a", "v".repeat(257))], badValue("v".repeat(257))],
    ["an empty key", [tag("")], badKey("")],
    ["no key", [{ Value: "v" }], badKey("null")],
    ["no value", [{ Key: "a" }], badValue("null")],
    ["nothing at all", [{}], badKey("null")],
    ["a mark in a key", [tag("bad#key")], badKey("bad#key")],
    ["a mark in a value", [tag("a", "100%")], badValue("100%")],
    ["a comma", [tag("a", "b,c")], badValue("b,c")],
    ["a picture", [tag("🔑")], badKey("🔑")],
    ["the reserved prefix", [tag("aws:x")], reserved("aws:x")],
    ["the reserved prefix in capitals", [tag("AWS:x")], reserved("AWS:x")],
    [
      "the same key twice",
      [tag("dup", "1"), tag("dup", "2")],
      "Duplicate Tag Keys provided as input: Duplicate Tag Key found dup",
    ],
    ["no tag", [], "Atleast one Tag needs to be provided as Input."],
    ["a bad one after a good one", [tag("good"), tag("aws:x")], reserved("aws:x")],
  ])("is not %s", async (_, Tags, message) => {
    const { arn } = await taggedTable([tag("kept")]);
    const answer = await server.raw("TagResource", { ResourceArn: arn, Tags });
    expect(answer.json.message).toBe(message);
    await shows(arn, { kept: "v" });
  });

  test.each([
    ["an empty key", [""], badKey("")],
    ["129 characters", ["k".repeat(129)], badKey("k".repeat(129))],
    ["the reserved prefix", ["aws:x"], reserved("aws:x")],
    ["no key", [], "Atleast one Tag Key needs to be provided as Input."],
  ])("cannot be removed by %s", async (_, TagKeys, message) => {
    const { arn } = await taggedTable();
    await validation(remove(arn, TagKeys), message);
  });

  test.each([
    ["no tag at all", [], undefined],
    ["the reserved prefix", [tag("aws:x")], reserved("aws:x")],
    ["a mark", [tag("a#b")], badKey("a#b")],
  ])("in CreateTable: %s", async (_, Tags, message) => {
    const made = createTable(server, { key: "pk:S" }, { Tags });
    if (message === undefined) await made;
    else await validation(made, message);
  });
});
