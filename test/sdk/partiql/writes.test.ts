import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, expectError, useServer, validation } from "../harness.ts";
import { type Item, N, putAll, S } from "../reading.ts";
import { run, stored } from "./support.ts";

const server = useServer();
let table = "";
let serial = 0;

beforeAll(async () => {
  table = await createTable(server, { key: "pk:S", global: { gsi: { hash: "mark:S" } } });
});

/** An item of its own for a test; answers its key. */
async function seed(attributes: Item = {}): Promise<string> {
  serial += 1;
  const pk = `item-${serial}`;
  await putAll(server, table, [{ ...attributes, pk: S(pk) }]);
  return pk;
}

const item = (pk: string): Promise<Item | undefined> => stored(server, table, { pk: S(pk) });

/** What an item with these attributes is after an UPDATE. */
async function updated(
  before: Item,
  clauses: string,
  parameters?: AttributeValue[],
): Promise<Item | undefined> {
  const pk = await seed(before);
  await run(server, `UPDATE "${table}" ${clauses} WHERE pk = '${pk}'`, parameters);
  const { pk: _pk, ...rest } = (await item(pk)) ?? {};
  return rest;
}

describe("INSERT", () => {
  test("literals of every type", async () => {
    const { Items } = await run(
      server,
      `INSERT INTO "${table}" VALUE {'pk': 'literals', 's': 'it''s', 'n': -1.5e-3, 'z': -0, 't': true,
        'f': FALSE, 'u': null, 'l': [1, 'a', [], {}], 'm': {'a': {'b': 2}}, 'ss': <<'b', 'a'>>,
        'ns': <<34, 1, 4.5>>}`,
    );
    expect(Items).toEqual([]);
    expect(await item("literals")).toEqual({
      pk: S("literals"),
      s: S("it's"),
      n: N("-0.0015"),
      z: N(0),
      t: { BOOL: true },
      f: { BOOL: false },
      u: { NULL: true },
      l: { L: [N(1), S("a"), { L: [] }, { M: {} }] },
      m: { M: { a: { M: { b: N(2) } } } },
      ss: { SS: ["a", "b"] },
      ns: { NS: ["1", "4.5", "34"] },
    });
  });

  test("parameters of every type", async () => {
    const values: AttributeValue[] = [
      S("parameters"),
      { B: Uint8Array.of(0, 255) },
      { BS: [Uint8Array.of(1)] },
      { M: { k: N(1) } },
      { L: [S("a")] },
    ];
    await run(
      server,
      `INSERT INTO "${table}" VALUE {'pk': ?, 'b': ?, 'bs': ?, 'm': ?, 'l': ?}`,
      values,
    );
    expect(await item("parameters")).toEqual({
      pk: values[0],
      b: values[1],
      bs: values[2],
      m: values[3],
      l: values[4],
    });
  });

  test("a name may be any text", async () => {
    await run(
      server,
      `INSERT INTO "${table}" VALUE {'pk': 'names', '__proto__': 1, '#x': 2, 'constructor': 3, 'a.b': 4}`,
    );
    const { json } = await server.raw("GetItem", {
      TableName: table,
      Key: { pk: { S: "names" } },
    });
    expect(Object.keys(json.Item).toSorted()).toEqual([
      "#x",
      "__proto__",
      "a.b",
      "constructor",
      "pk",
    ]);
    const found = await run(
      server,
      `SELECT "#x", "a.b" FROM "${table}" WHERE pk = 'names' AND "#x" = 2 AND "__proto__" = 1`,
    );
    expect(found.Items).toEqual([{ "#x": N(2), "a.b": N(4) }]);
  });

  test("on a key that is taken", async () => {
    const pk = await seed({ a: N(1) });
    await expectError(
      run(server, `INSERT INTO "${table}" VALUE {'pk': '${pk}', 'a': 2}`),
      "DuplicateItemException",
      "Duplicate primary key exists in table",
    );
    expect((await item(pk))?.a).toEqual(N(1));
    await run(server, `DELETE FROM "${table}" WHERE pk = '${pk}'`);
    await run(server, `INSERT INTO "${table}" VALUE {'pk': '${pk}', 'a': 2}`);
    expect((await item(pk))?.a).toEqual(N(2));
  });

  test.each([
    ["{'x': 1}", "One or more parameter values were invalid: Missing the key pk in the item"],
    [
      "{'pk': 1}",
      "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N",
    ],
    [
      "{'pk': 'w', 'mark': 1}",
      "One or more parameter values were invalid: Type mismatch for Index Key mark Expected: S Actual: N IndexName: gsi",
    ],
    ["{'pk': 'w', 's': <<>>}", "Empty bags are not supported"],
    [
      "{'pk': 'w', 's': <<1, 'a'>>}",
      "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags",
    ],
    [
      "{'pk': 'w', 's': <<'a', 'a'>>}",
      "One or more parameter values were invalid: Input collection [a, a] contains duplicates.",
    ],
  ])("of %s", async (value, message) => {
    await validation(run(server, `INSERT INTO "${table}" VALUE ${value}`), message);
    expect(await item("w")).toBeUndefined();
  });

  test("a function is no value", async () => {
    const statement = `INSERT INTO "${table}" VALUE {'pk': 'w', 'ss': set_add(<<'a'>>, <<'b'>>)}`;
    await validation(
      run(server, statement),
      `Unsupported data type: set_add under key root at 1:${statement.indexOf("set_add") + 1}:7`,
    );
  });

  test("only on a table", async () => {
    for (const index of ["gsi", "no-such-index"]) {
      await validation(
        run(server, `INSERT INTO "${table}"."${index}" VALUE {'pk': 'w'}`),
        "FROM clause may only contain a single table name",
      );
    }
  });
});

describe("UPDATE", () => {
  const both: Item = { ss: { SS: ["a", "b", "c"] }, ns: { NS: ["1", "2", "3"] } };

  test.each<[string, Item, Item]>([
    ["SET a = 1", {}, { a: N(1) }],
    ["SET a = 1, b = 'x'", {}, { a: N(1), b: S("x") }],
    ["SET a = 1 SET b = a", { a: N(5) }, { a: N(1), b: N(5) }],
    ["SET n = n + 1", { n: N(1) }, { n: N(2) }],
    ["SET n=n-1", { n: N(1) }, { n: N(0) }],
    ["SET n = n - - 2, l = [- 1]", { n: N(1) }, { n: N(3), l: { L: [N(-1)] } }],
    ["SET n = 10 - n", { n: N(1) }, { n: N(9) }],
    ["SET n = if_not_exists(n, 0) + 1", {}, { n: N(1) }],
    ["SET n = if_not_exists(n, 0)", { n: N(7) }, { n: N(7) }],
    ["SET l = list_append(l, [2, 'x'])", { l: { L: [N(1)] } }, { l: { L: [N(1), N(2), S("x")] } }],
    ["SET l = LIST_APPEND([0], l)", { l: { L: [N(1)] } }, { l: { L: [N(0), N(1)] } }],
    ["SET m.a = 2", { m: { M: {} } }, { m: { M: { a: N(2) } } }],
    ["SET l[0] = 9 SET l[7] = 8", { l: { L: [N(1)] } }, { l: { L: [N(9), N(8)] } }],
    ["REMOVE a", { a: N(1), b: N(2) }, { b: N(2) }],
    ["REMOVE a REMOVE l[1]", { a: N(1), l: { L: [N(1), N(2), N(3)] } }, { l: { L: [N(1), N(3)] } }],
    ["REMOVE nope", { b: N(2) }, { b: N(2) }],
    ["SET b = 3 REMOVE a SET c = 4", { a: N(1) }, { b: N(3), c: N(4) }],
    [
      "SET ss = set_add(ss, <<'0', 'z'>>)",
      both,
      { ...both, ss: { SS: ["0", "a", "b", "c", "z"] } },
    ],
    ["SET ns = set_add(ns, <<4, 1>>)", both, { ...both, ns: { NS: ["1", "2", "3", "4"] } }],
    ["SET ss = SET_ADD(ss, <<'a'>>)", both, both],
    ["SET nss = set_add(nss, <<'x'>>)", {}, { nss: { SS: ["x"] } }],
    ["SET ss = set_delete(ss, <<'a'>>)", both, { ...both, ss: { SS: ["b", "c"] } }],
    ["SET ss = set_delete(ss, <<'a', 'b', 'c'>>)", both, { ns: both.ns as AttributeValue }],
    ["SET ss = set_delete(ss, <<'zz'>>)", both, both],
    ["SET nss = set_delete(nss, <<'a'>>)", {}, {}],
    [
      "SET ss = set_add(ss, <<'x'>>) SET ns = set_delete(ns, <<1>>)",
      both,
      { ss: { SS: ["a", "b", "c", "x"] }, ns: { NS: ["2", "3"] } },
    ],
  ])("%s", async (clauses, before, after) => {
    expect(await updated(before, clauses)).toEqual(after);
  });

  test("takes parameters in the order of the text", async () => {
    const BS = [Uint8Array.of(1)];
    expect(await updated({}, "SET bs = set_add(bs, ?), x = ?", [{ BS }, N(7)])).toEqual({
      bs: { BS },
      x: N(7),
    });
  });

  test("FROM may come first", async () => {
    const pk = await seed({ a: N(1), b: S("bee") });
    await run(server, `FROM "${table}" WHERE pk = ? SET c = ? REMOVE a`, [S(pk), N(2)]);
    expect(await item(pk)).toEqual({ pk: S(pk), b: S("bee"), c: N(2) });
    const { Items } = await run(
      server,
      `from "${table}" where pk = '${pk}' AND c = 2 set d = 3 returning all new *`,
    );
    expect(Items).toEqual([{ pk: S(pk), b: S("bee"), c: N(2), d: N(3) }]);
    await expectError(
      run(server, `FROM "${table}" WHERE pk = '${pk}' AND c = 3 SET d = 4`),
      "ConditionalCheckFailedException",
    );
  });

  test("makes no item", async () => {
    for (const rest of [
      "SET a = 1 WHERE pk = 'absent'",
      "SET a = 1 WHERE pk = 'absent' AND attribute_not_exists(pk)",
      "SET ss = set_add(ss, <<'x'>>) WHERE pk = 'absent'",
      "REMOVE a WHERE pk = 'absent'",
    ]) {
      await expectError(
        run(server, `UPDATE "${table}" ${rest}`),
        "ConditionalCheckFailedException",
        "The conditional request failed",
      );
    }
    expect(await item("absent")).toBeUndefined();
  });

  test("shows the item that failed its condition, if asked", async () => {
    const pk = await seed({ a: N(1) });
    const statement = `UPDATE "${table}" SET a = 2 WHERE pk = '${pk}' AND a = 5`;
    const error = await expectError(
      run(server, statement, undefined, { ReturnValuesOnConditionCheckFailure: "ALL_OLD" }),
      "ConditionalCheckFailedException",
    );
    expect((error as unknown as { Item: Item }).Item).toEqual({ pk: S(pk), a: N(1) });
  });

  const mandatory = "Where clause does not contain a mandatory equality on all key attributes";
  const incorrect = (operator: string, type: string): string =>
    `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`;

  test.each([
    ["SET a = 1", mandatory],
    ["SET a = 1 WHERE a = 1", mandatory],
    ["SET a = 1 WHERE pk > 'a'", mandatory],
    ["SET a = 1 WHERE pk IN ['seeded']", mandatory],
    ["SET a = 1 WHERE pk = 'seeded' OR pk = 'x'", mandatory],
    [
      "SET a = 1 WHERE pk = 'seeded' AND pk = 'x'",
      "Multiple conditions on same key pk. Only single item Update/Insert/Delete are supported",
    ],
    ["SET a = 'a' + 1 WHERE pk = 'seeded' AND nope = 'x'", incorrect("+", "S")],
    ["SET a = n - null WHERE pk = 'seeded' AND nope = 'x'", incorrect("-", "NULL")],
    [
      "SET pk = 'x' WHERE pk = 'seeded'",
      "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key",
    ],
    [
      "SET s = set_add(s, <<'x'>>) WHERE pk = 'seeded'",
      "An operand in the update expression has an incorrect data type",
    ],
    [
      "SET ss = set_add(ss, <<1>>) WHERE pk = 'seeded'",
      "An operand in the update expression has an incorrect data type",
    ],
    [
      "SET ss = set_delete(ss, <<1>>) WHERE pk = 'seeded'",
      "An operand in the update expression has an incorrect data type",
    ],
    [
      "SET nl = list_append(nl, [1]) WHERE pk = 'seeded'",
      "The provided expression refers to an attribute that does not exist in the item",
    ],
    [
      "SET ss = set_add(ss, <<'x', 'x'>>) WHERE pk = 'seeded'",
      "One or more parameter values were invalid: Input collection [x, x] contains duplicates.",
    ],
    [
      "SET ns = set_add(ns, <<2, 2.0>>) WHERE pk = 'seeded'",
      "One or more parameter values were invalid: Input collection [2, 2.0] contains duplicates! under root",
    ],
    ["SET ss = set_add(ss, <<>>) WHERE pk = 'seeded'", "Empty bags are not supported"],
  ])("%s is refused", async (rest, message) => {
    const before = { pk: S("seeded"), s: S("str"), ss: { SS: ["a"] }, n: N(1) };
    await putAll(server, table, [before]);
    await validation(run(server, `UPDATE "${table}" ${rest}`), message);
    expect(await item("seeded")).toEqual(before);
  });

  test.each([
    [
      "t = set_add(ss, <<'x'>>)",
      "The first argument to SET_ADD must equal the assignment value",
      "set_add",
      7,
    ],
    [
      "ss = set_add(<<'a'>>, <<'b'>>)",
      "The first argument to SET_ADD must equal the assignment value",
      "set_add",
      7,
    ],
    [
      "t = set_delete(ss, <<'a'>>)",
      "The first argument to SET_DELETE must equal the assignment value",
      "set_delete",
      10,
    ],
    [
      "ss = set_add(ss, 'x')",
      "The second argument to SET_ADD must be a value with type SET",
      "(ss",
      2,
    ],
    [
      "ss = set_add(ss, ['x'])",
      "The second argument to SET_ADD must be a value with type SET",
      "(ss",
      2,
    ],
    [
      "ss = set_delete(ss, 'a')",
      "The second argument to SET_DELETE must be a value with type SET",
      "(ss",
      2,
    ],
    ["ss = set_add(ss)", "SET_ADD must have exactly two arguments", "set_add", 7],
    ["ss = set_add(ss, <<'x'>>, <<'y'>>)", "SET_ADD must have exactly two arguments", "set_add", 7],
  ])("SET %s is refused", async (assignment, message, token, length) => {
    const statement = `UPDATE "${table}" SET ${assignment} WHERE pk = 'a'`;
    const from = statement.indexOf(token) + (token.startsWith("(") ? 2 : 1);
    await validation(run(server, statement), `${message} at 1:${from}:${length}`);
  });

  test("places are counted in lines", async () => {
    const statement = `UPDATE "${table}"\nSET BandMembers = set_add(BandMembers, 'x')\nWHERE pk = 'a'`;
    await validation(
      run(server, statement),
      "The second argument to SET_ADD must be a value with type SET at 2:27:11",
    );
  });
});

describe("DELETE", () => {
  test("an item, and one that is not there", async () => {
    const pk = await seed();
    expect((await run(server, `DELETE FROM "${table}" WHERE pk = '${pk}'`)).Items).toEqual([]);
    expect(await item(pk)).toBeUndefined();
    expect((await run(server, `DELETE FROM "${table}" WHERE pk = '${pk}'`)).Items).toEqual([]);
    await run(server, `DELETE FROM "${table}" WHERE pk = '${pk}' AND name = 'x'`);
  });

  test("on a condition", async () => {
    const pk = await seed({ name: S("alpha") });
    for (const condition of ["name = 'beta'", "NOT begins_with(name, 'al')"]) {
      await expectError(
        run(server, `DELETE FROM "${table}" WHERE pk = '${pk}' AND ${condition}`),
        "ConditionalCheckFailedException",
      );
    }
    await run(server, `DELETE FROM "${table}" WHERE pk = '${pk}' AND NOT begins_with(name, 'z')`);
    expect(await item(pk)).toBeUndefined();
  });

  test("needs the key, and no index", async () => {
    await validation(
      run(server, `DELETE FROM "${table}" WHERE name = 'alpha'`),
      "Where clause does not contain a mandatory equality on all key attributes",
    );
    const refused = "This operation is not supported on an index";
    await validation(run(server, `DELETE FROM "${table}"."gsi" WHERE pk = 'x'`), refused);
    await validation(run(server, `UPDATE "${table}"."gsi" SET a = 1 WHERE pk = 'x'`), refused);
  });
});

describe("RETURNING", () => {
  const before: Item = { data: S("old"), keep: S("same"), m: { M: { a: N(1), b: N(2) } } };
  const change = "SET data = 'new', m.a = 3";

  test.each<[string, Item]>([
    ["ALL OLD", before],
    ["ALL NEW", { data: S("new"), keep: S("same"), m: { M: { a: N(3), b: N(2) } } }],
    ["MODIFIED OLD", { data: S("old"), m: { M: { a: N(1) } } }],
    ["MODIFIED NEW", { data: S("new"), m: { M: { a: N(3) } } }],
  ])("%s of an UPDATE", async (what, shown) => {
    const pk = await seed(before);
    const { Items } = await run(
      server,
      `UPDATE "${table}" ${change} WHERE pk = '${pk}' RETURNING ${what} *`,
    );
    expect(Items).toEqual([what.startsWith("ALL") ? { ...shown, pk: S(pk) } : shown]);
    expect((await item(pk))?.data).toEqual(S("new"));
  });

  test("nothing of what is removed", async () => {
    const pk = await seed({ data: S("old") });
    const { Items } = await run(
      server,
      `UPDATE "${table}" REMOVE data WHERE pk = '${pk}' RETURNING MODIFIED NEW *`,
    );
    expect(Items).toEqual([]);
  });

  test("elements of lists close ranks", async () => {
    const pk = await seed({ l: { L: [N(0), N(1), N(2)] } });
    const { Items } = await run(
      server,
      `UPDATE "${table}" SET l[2] = 22 SET l[0] = 20 WHERE pk = '${pk}' RETURNING MODIFIED NEW *`,
    );
    expect(Items).toEqual([{ l: { L: [N(20), N(22)] } }]);
  });

  test("ALL OLD of a DELETE", async () => {
    const pk = await seed({ a: N(1) });
    const statement = `DELETE FROM "${table}" WHERE pk = '${pk}' RETURNING ALL OLD *`;
    expect((await run(server, statement)).Items).toEqual([{ pk: S(pk), a: N(1) }]);
    expect((await run(server, statement)).Items).toEqual([]);
  });

  test.each(["MODIFIED OLD", "ALL NEW", "MODIFIED NEW"])("%s of no DELETE", async (what) => {
    const pk = await seed();
    await validation(
      run(server, `DELETE FROM "${table}" WHERE pk = '${pk}' RETURNING ${what} *`),
      `Invalid returning clause: RETURNING ${what} *. Only RETURNING ALL OLD * is allowed in DELETE statements.`,
    );
    expect(await item(pk)).toBeDefined();
  });
});
