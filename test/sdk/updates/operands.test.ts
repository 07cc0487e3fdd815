import { describe, expect, test } from "vitest";
import { useServer, validation } from "../harness.ts";
import { change, ItemTable, type Plain } from "../item-table.ts";

/** Operands that only the item can show to be wrong: nothing is written, and no count is in front. */

const server = useServer();
const table = new ItemTable(server);

const before: Plain = {
  s: "text",
  n: 1,
  yes: true,
  nil: null,
  l: [1],
  m: { x: 1 },
  ss: new Set(["a"]),
  ns: new Set([1]),
};

async function refused(expression: string, values: Plain | undefined, message: string) {
  const key = await table.put(before);
  await validation(table.update(key, change(expression, values)), message);
  expect(await table.get(key)).toEqual({ ...before, ...key });
}

describe("of another type", () => {
  test.each<readonly [string, Plain | undefined]>([
    ["SET z = s + :v", { v: 1 }],
    ["SET z = :v - s", { v: 1 }],
    ["SET z = n + l", undefined],
    ["SET z = yes + n", undefined],
    ["SET z = nil - n", undefined],
    ["SET z = if_not_exists(s, :v) + :v", { v: 1 }],
    ["SET z = list_append(s, :v)", { v: [1] }],
    ["SET z = list_append(:v, m)", { v: [1] }],
    ["SET z = list_append(ss, :v)", { v: [1] }],
    ["SET z = list_append(l, if_not_exists(n, :v))", { v: [1] }],
    ["ADD s :v", { v: 1 }],
    ["ADD l :v", { v: 1 }],
    ["ADD n :v", { v: new Set([1]) }],
    ["ADD ns :v", { v: 1 }],
    ["ADD ss :v", { v: new Set([1]) }],
    ["ADD l :v", { v: new Set([1]) }],
    ["ADD m.x :v", { v: new Set([1]) }],
    ["DELETE ss :v", { v: new Set([1]) }],
    ["DELETE ns :v", { v: new Set(["a"]) }],
    ["DELETE n :v", { v: new Set([1]) }],
    ["DELETE s :v", { v: new Set(["text"]) }],
    ["DELETE l :v", { v: new Set([1]) }],
    ["DELETE m :v", { v: new Set(["x"]) }],
  ])("%s", (expression, values) =>
    refused(expression, values, "An operand in the update expression has an incorrect data type"),
  );
});

describe("that are not there", () => {
  test.each<readonly [string, Plain | undefined]>([
    ["SET z = gone", undefined],
    ["SET gone = gone", undefined],
    ["SET z = m.gone", undefined],
    ["SET z = l[1]", undefined],
    ["SET z = s.x", undefined],
    ["SET z = gone + :v", { v: 1 }],
    ["SET z = n - gone", undefined],
    ["SET z = list_append(gone, :v)", { v: [1] }],
    ["SET z = list_append(l, gone)", undefined],
    ["SET z = if_not_exists(gone, lost)", undefined],
    ["SET x = :v, z = x", { v: 1 }],
  ])("%s", (expression, values) =>
    refused(
      expression,
      values,
      "The provided expression refers to an attribute that does not exist in the item",
    ),
  );

  test("where there is no item either", async () => {
    const key = table.freshKey();
    await validation(
      table.update(key, change("SET z = gone")),
      "The provided expression refers to an attribute that does not exist in the item",
    );
    expect(await table.get(key)).toBeUndefined();
  });

  test("a key attribute is there even if the item is not", async () => {
    const key = table.freshKey();
    await table.update(key, change("SET twin = pk"));
    expect(await table.get(key)).toEqual({ ...key, twin: key.pk });
  });
});
