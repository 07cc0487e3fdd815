import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";
import { putAll, S } from "../reading.ts";
import { column, malformed, run } from "./support.ts";

const server = useServer();
let table = "";
let multi = "";

beforeAll(async () => {
  const included = { ProjectionType: "INCLUDE" as const, NonKeyAttributes: ["shown"] };
  const keysOnly = { ProjectionType: "KEYS_ONLY" as const };
  table = await createTable(server, {
    key: "pk:S sk:S",
    global: {
      "gsi-all": { hash: "g:S" },
      "gsi-inc": { hash: "h:S", projection: included },
      "gsi-keys": { hash: "h:S", projection: keysOnly },
    },
    local: { "lsi-keys": { range: "r:S", projection: keysOnly }, "lsi-all": { range: "r:S" } },
  });
  multi = await createTable(server, {
    key: "id:S",
    global: {
      one: { hash: "g1:S" },
      many: { hash: "h1:S h2:S", range: "r1:S r2:S" },
      ranges: { hash: "h1:S", range: "r1:S r2:S" },
    },
  });
  const common = { shown: S("s"), hidden: S("x") };
  await putAll(server, table, [
    { pk: S("p"), sk: S("1"), g: S("x"), h: S("y"), r: S("r1"), ...common },
    { pk: S("p"), sk: S("2"), g: S("z"), h: S("y"), r: S("r2"), ...common },
    { pk: S("p"), sk: S("3"), hidden: S("x") },
    { pk: S("p"), sk: S("4"), g: S("x"), h: S("y"), r: S("r4"), ...common },
    { pk: S("q"), sk: S("5"), h: S("y2"), ...common },
  ]);
  await putAll(server, multi, [
    { id: S("i"), g1: S("g"), h1: S("a"), h2: S("b"), r1: S("c"), r2: S("d") },
  ]);
});

const sks = async (index: string, where: string): Promise<(string | undefined)[]> => {
  const statement = `SELECT sk FROM "${table}"."${index}"${where === "" ? "" : ` WHERE ${where}`}`;
  return (await column(server, statement, "sk")).toSorted();
};

const units = async (select: string, options = {}) => {
  const { ConsumedCapacity } = await run(server, select, undefined, {
    ReturnConsumedCapacity: "INDEXES",
    ...options,
  });
  const index = {
    ...ConsumedCapacity?.GlobalSecondaryIndexes,
    ...ConsumedCapacity?.LocalSecondaryIndexes,
  };
  return {
    total: ConsumedCapacity?.CapacityUnits,
    table: ConsumedCapacity?.Table?.CapacityUnits,
    index: Object.values(index)[0]?.CapacityUnits,
  };
};

describe("what an index holds", () => {
  test.each([
    ["gsi-all", "g = 'x'", ["1", "4"]],
    ["gsi-all", "", ["1", "2", "4"]],
    ["gsi-all", "pk = 'p'", ["1", "2", "4"]],
    ["gsi-inc", "h = 'y' AND shown = 's'", ["1", "2", "4"]],
    ["gsi-inc", "h IN ['y2', 'none']", ["5"]],
    ["lsi-all", "pk = 'p' AND r > 'r1'", ["2", "4"]],
    ["lsi-all", "pk = 'p' AND hidden = 'x'", ["1", "2", "4"]],
    ["gsi-inc", "hidden = 'x'", []],
    ["lsi-keys", "hidden = 'x'", []],
    ["gsi-keys", "NOT hidden = 'x'", ["1", "2", "4", "5"]],
    ["gsi-inc", "(h = 'y' AND hidden = 'x') OR (h = 'y2')", ["5"]],
    ["gsi-inc", "h > 'a' AND hidden = 'x'", []],
    ["gsi-inc", "h = 'y' AND (h = 'z' OR hidden = 'x')", []],
  ])("%s WHERE %s", async (index, where, found) => {
    expect(await sks(index, where)).toEqual(found);
  });

  test.each([
    ["gsi-keys", "h = 'y'", ["h", "pk", "sk"]],
    ["gsi-inc", "h = 'y'", ["h", "pk", "shown", "sk"]],
    ["lsi-keys", "pk = 'p'", ["pk", "r", "sk"]],
  ])("SELECT * of %s shows no more than it has", async (index, where, attributes) => {
    const { Items } = await run(server, `SELECT * FROM "${table}"."${index}" WHERE ${where}`);
    expect(Items).toHaveLength(3);
    for (const item of Items ?? []) expect(Object.keys(item).toSorted()).toEqual(attributes);
  });

  test("a local index gets the rest from the table, a global one cannot", async () => {
    const statement = `SELECT hidden FROM "${table}"."lsi-keys" WHERE pk = 'p'`;
    expect(await column(server, statement, "hidden")).toEqual(["x", "x", "x"]);
    await validation(
      run(server, `SELECT other, hidden FROM "${table}"."gsi-inc" WHERE h = 'y'`),
      "One or more parameter values were invalid: Global secondary index gsi-inc does not project [other, hidden]",
    );
    await validation(
      run(server, `SELECT hidden FROM "${table}"."gsi-inc"`),
      "One or more parameter values were invalid: Global secondary index gsi-inc does not project [hidden]",
    );
  });

  test.each([
    ["gsi-inc", "h = 'y' AND hidden = 'x'", "hidden"],
    ["gsi-inc", "h = 'y' AND hidden IS MISSING", "hidden"],
    ["gsi-inc", "h = 'y' AND NOT hidden = 'x'", "hidden"],
    ["gsi-inc", "h IN ['y', 'z'] AND begins_with(hidden, 'x')", "hidden"],
    ["gsi-inc", "h = 'y' AND NOT (hidden = 'x' OR shown = 's')", "hidden"],
    ["gsi-inc", "h = 'y' AND b = '1' AND (a = '2' OR shown = '3')", "a, b"],
    ["gsi-inc", "h = 'y' AND (zz = '1' OR aa = '2' OR mm = '3')", "zz, aa, mm"],
    ["gsi-inc", "(h = 'b' AND u1 = '1') OR (h = 'q' AND u2 = '1')", "u2"],
    ["gsi-inc", "(h = 'q' AND u1 = '1') OR (h = 'b' AND u2 = '1')", "u1"],
    ["lsi-keys", "pk = 'p' AND hidden = 'x'", "hidden"],
    ["lsi-keys", "pk = 'p' AND r BETWEEN 'r1' AND 'r4' AND hidden = 'x'", "hidden"],
  ])("%s WHERE %s filters by what is not there", async (index, where, missing) => {
    await validation(
      sks(index, where),
      `One or more parameter values were invalid: Secondary index ${index} does not project one or more filter attributes: [${missing}]`,
    );
  });

  test("no index of that name, no consistent read of a global one", async () => {
    const unknown = "The table does not have the specified index";
    await validation(sks("no-such-index", "pk = 'p'"), unknown);
    await validation(sks(table, "pk = 'p'"), unknown);
    await validation(
      run(server, `SELECT * FROM "${table}"."gsi-all" WHERE g = 'x'`, undefined, {
        ConsistentRead: true,
      }),
      "Strongly consistent read is not supported on Global Secondary Indexes",
    );
    const local = `SELECT * FROM "${table}"."lsi-all" WHERE pk = 'p'`;
    expect((await run(server, local, undefined, { ConsistentRead: true })).Items).toHaveLength(3);
  });
});

describe("what it costs", () => {
  test("is the index's, and the table's only for what it fetches", async () => {
    expect(await units(`SELECT pk FROM "${table}"."gsi-all" WHERE g = 'x'`)).toEqual({
      total: 0.5,
      table: 0,
      index: 0.5,
    });
    const fetching = `SELECT hidden FROM "${table}"."lsi-keys" WHERE pk = 'p'`;
    expect(await units(fetching)).toEqual({ total: 2, table: 1.5, index: 0.5 });
    expect(await units(fetching, { ConsistentRead: true })).toEqual({
      total: 4,
      table: 3,
      index: 1,
    });
    expect(await units(fetching, { Limit: 1 })).toEqual({ total: 1, table: 0.5, index: 0.5 });
    expect(await units(`SELECT r FROM "${table}"."lsi-keys" WHERE pk = 'p'`)).toEqual({
      total: 0.5,
      table: 0,
      index: 0.5,
    });
  });
});

describe("an index with keys of several attributes", () => {
  const refused =
    "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.";

  test.each([
    "SELECT * FROM %.many WHERE h1 = 'a'",
    "SELECT id FROM %.many WHERE h1 = 'a' AND h2 = 'x' ORDER BY r1 DESC",
    "SELECT * FROM %.many WHERE h1 = 5",
    "SELECT * FROM %.many WHERE id = 'i'",
    "SELECT * FROM %.many",
    "SELECT COUNT(*) FROM %.many",
    "SELECT * FROM %.ranges WHERE h1 = 'a'",
  ])("%s is refused", async (statement) => {
    await validation(run(server, statement.replace("%", `"${multi}"`)), refused);
  });

  test("what cannot be read is refused for that", async () => {
    const from = `SELECT * FROM "${multi}"."many" WHERE`;
    await validation(run(server, from), `${malformed}Unexpected term`);
    await validation(run(server, `${from} h1 = 1e99999999999`), malformed);
    await validation(
      run(server, `${from} h1 = ?`, [{ N: "1e99999999999" }]),
      "The parameter cannot be converted to a numeric value: 1e99999999999",
    );
  });

  test("does not stand in the way of the rest of its table", async () => {
    expect(await column(server, `SELECT * FROM "${multi}" WHERE id = 'i'`, "id")).toEqual(["i"]);
    expect(await column(server, `SELECT * FROM "${multi}"."one" WHERE g1 = 'g'`, "id")).toEqual([
      "i",
    ]);
    await run(server, `INSERT INTO "${multi}" VALUE {'id': 'n'}`);
    await run(server, `UPDATE "${multi}" SET a = 1 WHERE id = 'n'`);
    await run(server, `DELETE FROM "${multi}" WHERE id = 'n'`);
  });
});

test("scans that statements come to are counted, other reads are not", async () => {
  const counted = await createTable(server, { key: "pk:S", global: { gsi: { hash: "g:S" } } });
  await run(server, `SELECT * FROM "${counted}" WHERE pk = 'a'`);
  await run(server, `SELECT * FROM "${counted}" WHERE pk IN ['a', 'b']`);
  await run(server, `SELECT * FROM "${counted}"`);
  await run(server, `SELECT * FROM "${counted}" WHERE g = 'x'`);
  await run(server, `SELECT * FROM "${counted}"."gsi" WHERE pk = 'x'`);
  const text = await (await fetch(`${server.running.url}/metrics`)).text();
  const lines = text
    .split("\n")
    .filter(
      (line) => line.startsWith("dynamodb_statement_scans_total") && line.includes(`"${counted}"`),
    );
  expect(lines.map((line) => line.split(" ").at(-1))).toEqual(["2", "1"]);
  expect(lines[1]).toContain('index="gsi"');
});
