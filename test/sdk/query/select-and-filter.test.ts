import type { QueryCommandInput, Select } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";
import { B, column, type Item, N, putAll, query, S } from "../reading.ts";

const server = useServer();

let TableName: string;

const items: Item[] = [
  {
    pk: S("p"),
    sk: N(1),
    kind: S("cat"),
    legs: N(4),
    tags: { SS: ["soft", "warm"] },
    home: { M: { city: S("Rome"), rooms: { L: [S("hall"), S("bath")] } } },
  },
  { pk: S("p"), sk: N(2), kind: S("bird"), legs: N(2), wings: { BOOL: true } },
  { pk: S("p"), sk: N(3), kind: S("car"), legs: N(0), payload: B(1, 2, 3) },
  { pk: S("p"), sk: N(4), kind: S("none"), tags: { SS: ["warm"] }, gone: { NULL: true } },
  { pk: S("p"), sk: N(5) },
];

beforeAll(async () => {
  TableName = await createTable(server, {
    key: "pk:S sk:N",
    global: {
      keys: { hash: "kind:S", projection: { ProjectionType: "KEYS_ONLY" } },
      some: {
        hash: "pk:S",
        range: "legs:N",
        projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["kind"] },
      },
    },
    local: { byLegs: { range: "legs:N", projection: { ProjectionType: "KEYS_ONLY" } } },
  });
  await putAll(server, TableName, [...items, { pk: S("q"), sk: N(1), kind: S("cat"), legs: N(4) }]);
});

const ask = (more: Partial<QueryCommandInput>) =>
  query(server, {
    TableName,
    KeyConditionExpression: "pk = :p",
    ...more,
    ExpressionAttributeValues: { ":p": S("p"), ...more.ExpressionAttributeValues },
  });

describe("FilterExpression", () => {
  test.each<[string, Item, number[]]>([
    ["kind = :v", { ":v": S("cat") }, [1]],
    ["kind <> :v", { ":v": S("cat") }, [2, 3, 4, 5]],
    ["legs < :v", { ":v": N(4) }, [2, 3]],
    ["legs <= :v", { ":v": N("4.0") }, [1, 2, 3]],
    ["legs > :v", { ":v": S("0") }, []],
    ["NOT legs > :v", { ":v": N(2) }, [2, 3, 4, 5]],
    ["legs BETWEEN :v AND :w", { ":v": N(0), ":w": N(2) }, [2, 3]],
    ["kind IN (:v, :w)", { ":v": S("cat"), ":w": S("bird") }, [1, 2]],
    ["begins_with(kind, :v)", { ":v": S("ca") }, [1, 3]],
    ["contains(tags, :v)", { ":v": S("warm") }, [1, 4]],
    ["contains(kind, :v)", { ":v": S("r") }, [2, 3]],
    ["size(tags) = :v", { ":v": N(1) }, [4]],
    ["size(kind) > :v", { ":v": N(3) }, [2, 4]],
    ["size(payload) = :v", { ":v": N(3) }, [3]],
    ["attribute_type(gone, :v)", { ":v": S("NULL") }, [4]],
    ["tags = :v", { ":v": { SS: ["warm", "soft"] } }, [1]],
    ["home.city = :v", { ":v": S("Rome") }, [1]],
    ["home.rooms[1] = :v", { ":v": S("bath") }, [1]],
    ["home.rooms[2] = :v", { ":v": S("bath") }, []],
    ["(kind = :v OR kind = :w) AND legs > :x", { ":v": S("cat"), ":w": S("car"), ":x": N(0) }, [1]],
    ["kind = :v OR kind = :w AND legs = :x", { ":v": S("cat"), ":w": S("car"), ":x": N(9) }, [1]],
    ["legs = :v", { ":v": N("0e5") }, [3]],
  ])("%s", async (FilterExpression, ExpressionAttributeValues, expected) => {
    const found = await ask({ FilterExpression, ExpressionAttributeValues });
    expect(column(found.Items, "sk")).toEqual(expected.map(String));
    expect(found).toMatchObject({ Count: expected.length, ScannedCount: items.length });
  });

  test.each([
    ["attribute_exists(wings)", [2]],
    ["attribute_not_exists(legs)", [4, 5]],
    ["attribute_exists(home.rooms[0])", [1]],
    ["attribute_exists(gone)", [4]],
  ])("%s", async (FilterExpression, expected) => {
    const found = await ask({ FilterExpression });
    expect(column(found.Items, "sk")).toEqual(expected.map(String));
  });

  test("is not applied to what the key condition leaves out", async () => {
    const found = await ask({
      KeyConditionExpression: "pk = :p AND sk > :k",
      FilterExpression: "attribute_exists(legs)",
      ExpressionAttributeValues: { ":k": N(2) },
    });
    expect(found).toMatchObject({ Count: 1, ScannedCount: 3 });
  });

  const primary = (name: string) =>
    `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`;
  const scalar = (owner: string, name: string) =>
    `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${owner}: ${name}`;
  test.each<[string, string | undefined, string]>([
    ["pk = :p", undefined, primary("pk")],
    ["sk = :p", undefined, primary("sk")],
    ["kind = :p AND attribute_exists(sk)", undefined, primary("sk")],
    ["sk = :p OR pk = :p", undefined, primary("pk")],
    ["pk.a = :p", undefined, primary("pk")],
    ["size(sk) > :p OR kind = :p", undefined, primary("sk")],
    ["legs = :p", "some", primary("legs")],
    ["legs = :p", "byLegs", primary("legs")],
    ["kind.a = :p", undefined, scalar("IndexKey", "kind")],
    ["legs[0] = :p", undefined, scalar("IndexKey", "legs")],
  ])("%s in index %s", async (FilterExpression, IndexName, message) => {
    await validation(ask({ FilterExpression, IndexName }), message);
  });

  test("may name the table's keys in an index that has others", async () => {
    const found = await query(server, {
      TableName,
      IndexName: "keys",
      KeyConditionExpression: "kind = :k",
      FilterExpression: "pk = :p",
      ExpressionAttributeValues: { ":k": S("cat"), ":p": S("q") },
    });
    expect(found).toMatchObject({ Count: 1, ScannedCount: 2 });
  });

  test.each([
    ["some", "wings = :w", "wings"],
    ["byLegs", "kind = :w", "kind"],
    ["some", "kind = :w OR tags = :w OR wings = :w OR NOT tags = :w", "tags, wings"],
  ])("of index %s cannot ask for what it does not hold: %s", async (index, filter, names) => {
    await validation(
      ask({
        IndexName: index,
        FilterExpression: filter,
        ExpressionAttributeValues: { ":w": S("x") },
      }),
      `One or more parameter values were invalid: Secondary index ${index} does not project one or more filter attributes: [${names}]`,
    );
  });

  test.each([
    ["", "Invalid FilterExpression: The expression can not be empty;"],
    ["kind", 'Invalid FilterExpression: Syntax error; token: "<EOF>", near: "kind"'],
    [
      "#k = :p",
      "Invalid FilterExpression: An expression attribute name used in the document path is not defined; attribute name: #k",
    ],
    [
      "kind = :k",
      "Invalid FilterExpression: An expression attribute value used in expression is not defined; attribute value: :k",
    ],
    ["((kind = :p))", "Invalid FilterExpression: The expression has redundant parentheses;"],
    [
      "contains(kind, kind)",
      "Invalid FilterExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: contains, first operand: [kind]",
    ],
    ["frobnicate(kind)", "Invalid FilterExpression: Invalid function name; function: frobnicate"],
    [
      "size(kind)",
      "Invalid FilterExpression: The function is not allowed to be used this way in an expression; function: size",
    ],
  ])("refused: %s", async (FilterExpression, message) => {
    await validation(ask({ FilterExpression }), message);
  });
});

describe("Select", () => {
  test("COUNT counts and gives no items", async () => {
    const found = await ask({
      Select: "COUNT",
      FilterExpression: "attribute_exists(legs)",
    });
    expect(found).toMatchObject({ Count: 3, ScannedCount: 5 });
    expect("Items" in found && found.Items !== undefined).toBe(false);
  });

  test("ALL_ATTRIBUTES is what a table gives anyway", async () => {
    const all = await ask({ Select: "ALL_ATTRIBUTES" });
    expect(all.Items).toEqual((await ask({})).Items);
  });

  test("SPECIFIC_ATTRIBUTES says nothing new beside a projection", async () => {
    const found = await ask({ Select: "SPECIFIC_ATTRIBUTES", ProjectionExpression: "legs" });
    expect(found.Items).toEqual([{ legs: N(4) }, { legs: N(2) }, { legs: N(0) }, {}, {}]);
  });

  test("ALL_PROJECTED_ATTRIBUTES is what an index gives anyway", async () => {
    const input = { IndexName: "some" };
    const all = await ask({ ...input, Select: "ALL_PROJECTED_ATTRIBUTES" });
    expect(all.Items).toEqual((await ask(input)).Items);
    expect(all.Items?.[0]).toEqual({ pk: S("p"), sk: N(3), legs: N(0), kind: S("car") });
  });

  test("without attributes, SPECIFIC_ATTRIBUTES is refused", async () => {
    await validation(
      ask({ Select: "SPECIFIC_ATTRIBUTES" }),
      "1 validation error detected: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
    );
  });

  test("without an index, ALL_PROJECTED_ATTRIBUTES is refused", async () => {
    await validation(
      ask({ Select: "ALL_PROJECTED_ATTRIBUTES" }),
      /ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName$/,
    );
  });

  test.each<[Select, string]>([
    ["ALL_ATTRIBUTES", "ALL_ATTRIBUTES"],
    ["ALL_PROJECTED_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"],
    ["COUNT", "only the Count"],
  ])("%s beside a projection is refused", async (Select, words) => {
    await validation(
      ask({ Select, ProjectionExpression: "legs" }),
      new RegExp(`Cannot specify the ProjectionExpression when choosing to get ${words}$`),
    );
    // A projection that is wrong in itself comes first.
    await validation(
      ask({ Select, ProjectionExpression: "legs, legs" }),
      "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [legs], path two: [legs]",
    );
  });
});

describe("ProjectionExpression", () => {
  test.each<[string, Item]>([
    ["kind, legs", { kind: S("cat"), legs: N(4) }],
    ["home.city", { home: { M: { city: S("Rome") } } }],
    ["home.rooms[1], home.rooms[0]", { home: { M: { rooms: { L: [S("hall"), S("bath")] } } } }],
    ["home.rooms[1], nothing.here", { home: { M: { rooms: { L: [S("bath")] } } } }],
    ["nothing", {}],
  ])("%s", async (ProjectionExpression, expected) => {
    const { Items } = await ask({ ProjectionExpression, Limit: 1 });
    expect(Items).toEqual([expected]);
  });

  test.each([
    ["#a, #a.b", "[home], path two: [home, b]"],
    ["#a.b, #a", "[home, b], path two: [home]"],
    ["l, l[0], #a", "[l], path two: [l, [0]]"],
  ])("overlap is refused though nothing matches: %s", async (ProjectionExpression, paths) => {
    await validation(
      ask({
        KeyConditionExpression: "pk = :none",
        ProjectionExpression,
        ExpressionAttributeNames: { "#a": "home" },
        ExpressionAttributeValues: { ":p": S("unused"), ":none": S("none") },
      }),
      `Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ${paths}`,
    );
  });

  test("paths into keys are refused", async () => {
    await validation(
      ask({ ProjectionExpression: "sk.a" }),
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: sk",
    );
  });
});
