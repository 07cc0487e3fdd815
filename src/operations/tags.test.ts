import { beforeEach, describe, expect, test } from "vitest";
import { createTable } from "./create-table.ts";
import { deleteTable } from "./delete-table.ts";
import { listTagsOfResource } from "./list-tags-of-resource.ts";
import {
  type Bench,
  define,
  failure,
  hash,
  openBench,
  run,
} from "./table-operations.test-support.ts";
import { tagResource } from "./tag-resource.ts";
import { untagResource } from "./untag-resource.ts";
import { updateTable } from "./update-table.ts";

/** Tables that take their time, and so do their tags. */
const transitionMs = 2_000;
const ResourceArn = "arn:aws:dynamodb:eu-west-1:000000000000:table/things";
const locked =
  "LimitExceededException: Subscriber limit exceeded: Table tags are being updated: things";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench({ transitionMs });
  await run(bench, createTable, {
    TableName: "things",
    AttributeDefinitions: define("a"),
    KeySchema: [hash("a")],
    BillingMode: "PAY_PER_REQUEST",
    Tags: [{ Key: "made", Value: "with it" }],
  });
  bench.clock.advance(transitionMs);
});

const add = (tags: Record<string, string>) =>
  run(bench, tagResource, {
    ResourceArn,
    Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
  });
const remove = (...TagKeys: string[]) => run(bench, untagResource, { ResourceArn, TagKeys });
const listed = async () => {
  const { Tags } = await run(bench, listTagsOfResource, { ResourceArn });
  return (Tags as unknown as { Key: string; Value: string }[]).map(
    ({ Key, Value }) => `${Key}=${Value}`,
  );
};

describe("a change of tags that takes its time", () => {
  test("shows when it is done", async () => {
    await add({ a: "1" });
    expect(await listed()).toEqual(["made=with it"]);
    bench.clock.advance(transitionMs - 1);
    expect(await listed()).toEqual(["made=with it"]);
    bench.clock.advance(1);
    expect(await listed()).toEqual(["made=with it", "a=1"]);
  });

  test("keeps others away until then", async () => {
    await add({ a: "1" });
    expect(await failure(add({ b: "2" }))).toBe(locked);
    expect(await failure(add({ a: "2" }))).toBe(locked);
    expect(await failure(add({ made: "with it" }))).toBe(locked);
    expect(await failure(remove("nothing"))).toBe(locked);
    bench.clock.advance(transitionMs);
    await add({ b: "2" });
  });

  test("lets those pass that hold all of it", async () => {
    await add({ a: "1" });
    await add({ a: "1" });
    await add({ a: "1", b: "2" });
    bench.clock.advance(transitionMs);
    expect(await listed()).toEqual(["made=with it", "a=1", "b=2"]);
  });

  test("lets nothing pass if it removes some", async () => {
    await remove("made");
    expect(await failure(remove("made"))).toBe(locked);
    expect(await failure(add({ a: "1" }))).toBe(locked);
    expect(await listed()).toEqual(["made=with it"]);
    bench.clock.advance(transitionMs);
    expect(await listed()).toEqual([]);
  });

  test("is none if nothing changes", async () => {
    await add({ made: "with it" });
    await remove("nothing");
    await add({ a: "1" });
  });

  test("keeps the table from being deleted, not from being changed", async () => {
    await add({ a: "1" });
    const going = run(bench, deleteTable, { TableName: "things" });
    expect(await failure(going)).toBe(
      "ResourceInUseException: Attempt to change a resource which is still in use: " +
        "Table tags are being updated: things",
    );
    await run(bench, updateTable, { TableName: "things", DeletionProtectionEnabled: false });
    bench.clock.advance(transitionMs);
    await run(bench, deleteTable, { TableName: "things" });
  });
});

test("the tags of a table that is being deleted are told, and not changed", async () => {
  await run(bench, deleteTable, { TableName: "things" });
  expect(await listed()).toEqual(["made=with it"]);
  await add({ made: "with it" });
  expect(await failure(add({ a: "1" }))).toBe(
    "ResourceInUseException: Attempt to change a resource which is still in use: " +
      "Table is being deleted: things",
  );
  bench.clock.advance(transitionMs);
  expect(await failure(listed())).toBe(
    `ResourceNotFoundException: Requested resource not found: ResourceArn: ${ResourceArn} not found`,
  );
});
