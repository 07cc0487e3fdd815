import { describe, expect, test } from "vitest";
import { complaintsOf, examples, modelOf, smallModel as whole } from "./model.test-support.ts";
import { openQuestions } from "./open-questions.ts";
import { modelFrom } from "./parse.ts";

test.each(examples)("%s is a model without open questions", (_, text) => {
  expect(complaintsOf(text)).toEqual([]);
  expect(openQuestions(modelOf(text))).toEqual([]);
});

describe("what is read", () => {
  const model = modelOf(whole);
  const order = model.entities.get("Order");

  test("numbers are given or assumed", () => {
    expect(model.entities.get("Customer")?.count).toEqual({ value: 10, assumed: false });
    expect(order?.count).toEqual({ value: 50, assumed: true, why: "five each" });
  });

  test("sizes are distributions, and it is told where they are from", () => {
    const sizeOf = (name: string) => order?.attributes.get(name)?.size;
    expect(sizeOf("orderId")).toEqual({
      distribution: { kind: "fixed", bytes: 26 },
      from: "derived",
    });
    expect(sizeOf("total")).toEqual({ distribution: { kind: "fixed", bytes: 5 }, from: "derived" });
    expect(sizeOf("expiresAt")).toEqual({
      distribution: { kind: "fixed", bytes: 6 },
      from: "derived",
    });
    expect(sizeOf("signature")).toEqual({
      distribution: { kind: "fixed", bytes: 64 },
      from: "given",
    });
    expect(sizeOf("status")).toEqual({
      distribution: {
        kind: "shares",
        shares: [
          { bytes: 4, share: 0.1 },
          { bytes: 7, share: 0.9 },
        ],
      },
      from: "derived",
    });
  });

  test("ids and copies do not change unless it is said", () => {
    expect(order?.attributes.get("orderId")?.mutable).toBe(false);
    expect(order?.attributes.get("status")?.mutable).toBe(true);
    expect(order?.attributes.get("total")).toMatchObject({ mutable: false, mutableStated: true });
  });

  test("patterns have predicates with parameters and constants", () => {
    const [action] = model.patterns.get("2")?.actions ?? [];
    expect(action?.where).toEqual([
      {
        attribute: "customerId",
        operator: "equals",
        operands: [{ kind: "parameter", name: "customerId" }],
        exists: true,
      },
      {
        attribute: "orderId",
        operator: "equals",
        operands: [{ kind: "parameter", name: "orderId" }],
        exists: true,
      },
    ]);
    expect(action?.changes).toEqual([
      { attribute: "status", to: { kind: "constant", value: "shipped" } },
    ]);
    expect(model.patterns.get("1")).toMatchObject({
      kind: "read",
      consistency: "eventual",
      transaction: false,
      rps: { average: { value: 5, assumed: false }, peak: { value: 9, assumed: false } },
    });
  });

  test("keys are segments, indexes have typed keys and members", () => {
    const table = model.design?.tables.get("Shop");
    expect(table).toMatchObject({
      partition: { name: "PK", type: "S" },
      sort: { name: "SK", type: "S" },
      billing: { mode: "on-demand" },
      class: "standard",
    });
    expect(table?.placements.get("Order")?.key[1]?.text.segments).toHaveLength(4);
    const index = table?.indexes.get("ByStatus");
    expect(index).toMatchObject({
      partition: [{ name: "open", type: "S" }],
      sort: [
        { name: "createdAt", type: "S" },
        { name: "orderId", type: "S" },
      ],
      projection: "all",
      local: false,
    });
    expect([...(index?.members.keys() ?? [])]).toEqual(["Order"]);
    expect(index?.members.get("Order")?.only).toHaveLength(1);
  });

  test("every part has a place", () => {
    expect(model.place(["entities", "Order", "attributes", "status"])).toEqual({
      line: 21,
      column: 15,
    });
    expect(model.place(order?.path ?? [])).toEqual({ line: 16, column: 5 });
  });
});

describe("open questions", () => {
  test("are what only the user knows", () => {
    const text = `keywright: 1
name: x
entities:
  A: { id: [a], attributes: { a: { type: S } } }
relations: [{ from: A, to: A, kind: one-to-many }]
patterns:
  1: { name: one, read: A }
  2: { name: two, read: A, rps: 5 }
  3: { name: three, read: A, rps: { peak: 5 }, status: open }
workflows: { w: { steps: [1] } }
`;
    expect(
      openQuestions(modelOf(text)).map(({ path, question }) => [path.join("."), question]),
    ).toEqual([
      ["entities.A", "How many A are there? (count)"],
      ["entities.A.attributes.a", "How many bytes has A.a? (bytes)"],
      ["patterns.1", "How many requests per second has pattern 1, one? (rps)"],
      ["patterns.2", "What is the peak of pattern 2, two? (rps.peak)"],
      ["patterns.3", "What is the average of pattern 3, three? (rps.average)"],
      ["patterns.3", "How is pattern 3, three, solved? (status)"],
      ["workflows.w", "How many requests per second has workflow w? (rps)"],
      ["relations.0", "How many A has one A on average? (average)"],
    ]);
  });
});

test("names may be those of things that every object has", () => {
  const text = `keywright: 1
name: hostile
entities:
  constructor:
    id: [__proto__]
    count: 1
    attributes:
      __proto__: { type: S, format: ulid }
      toString: { type: N, digits: 3 }
patterns:
  hasOwnProperty: { name: x, read: constructor, where: { __proto__: equals }, rps: { average: 1, peak: 1 } }
design:
  tables:
    valueOf:
      key: { __proto__: S }
      entities: { constructor: { key: { __proto__: "{__proto__}" } } }
`;
  const model = modelOf(text);
  expect(model.design?.tables.get("valueOf")?.placements.get("constructor")?.stores).toEqual([
    "__proto__",
    "toString",
  ]);
  expect(model.patterns.get("hasOwnProperty")?.actions[0]?.where[0]?.attribute).toBe("__proto__");
});

test("a model can be read from a value; complaints have no place then", () => {
  const value = {
    keywright: 1,
    name: "v",
    entities: { A: { id: ["b"], attributes: { a: { type: "S", bytes: 3 } } } },
  } as const;
  expect(modelFrom(value).complaints).toEqual([
    {
      file: "model",
      line: undefined,
      column: undefined,
      path: "entities.A.id[0]",
      message: "names 'b', which is no attribute of A; there are a",
    },
  ]);
  const { model } = modelFrom({ ...value, entities: { A: { ...value.entities.A, id: ["a"] } } });
  expect(model?.place(["entities"])).toBeUndefined();
});
