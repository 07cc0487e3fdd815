import { describe, expect, test } from "vitest";
import { planFor, planLines } from "./plan.test-support.ts";

const plain = (indexes = ""): string =>
  `{ key: { orderId: S }, entities: { Order: { key: { orderId: "{orderId}" } } }${indexes === "" ? "" : `, indexes: { ${indexes} }`} }`;

describe("where values come from", () => {
  const bindingsOf = (tables: Readonly<Record<string, string>>, asked: string) =>
    planFor(tables, asked).plan.requests.map((request) =>
      request.kind === "read" ? Object.fromEntries(request.bindings) : {},
    );

  test("parameters, constants and the results of an earlier request", () => {
    const table = plain("ByState: { key: { partition: [state, customerId] }, projection: keys }");
    const asked =
      "read: Order, where: { state: { equals: open }, customerId: { equals: $who } }, limit: 5";
    expect(bindingsOf({ Tab: table }, asked)).toEqual([
      {
        state: { kind: "constant", value: "open" },
        customerId: { kind: "parameter", name: "who" },
      },
      { orderId: { kind: "result", request: 0, attribute: "orderId" } },
    ]);
  });

  test("the parent of what was read, whose id has the same name", () => {
    const tables = {
      Orders: plain(),
      Customers:
        '{ key: { customerId: S }, entities: { Customer: { key: { customerId: "{customerId}" } } } }',
    };
    const asked = "read: Order, where: { orderId: equals }, together: [Customer]";
    expect(bindingsOf(tables, asked)[1]).toMatchObject({
      customerId: { kind: "result", request: 0, attribute: "customerId" },
    });
  });

  test("a guard tells the id, and what is wanted with the item follows from that", () => {
    const table = `{ key: { PK: S, SK: S }, entities: { Customer: { key: { PK: "C#{customerId}", SK: "#C" } }, Order: { key: { PK: "X#{customerId}", SK: "O#{orderId}" } } },
      unique: [{ entity: Customer, attribute: mail, key: { PK: "M#{mail|lower}", SK: M } }] }`;
    const asked =
      "read: Customer, where: { mail: equals }, together: [{ entity: Order, limit: all }]";
    const found = bindingsOf({ Tab: table }, asked);
    expect(found).toHaveLength(3);
    expect(found[1]).toMatchObject({ customerId: { kind: "result", request: 0 } });
    expect(found[2]).toMatchObject({ customerId: { kind: "result" } });
  });
});

test("what lies beside is read only by a range that is not cut off", () => {
  const table = `{ key: { PK: S, SK: S }, entities: {
      Order: { key: { PK: "{customerId}", SK: "{orderId}" } }, Customer: { key: { PK: "{customerId}", SK: "{name}" } } } }`;
  const evaluated = (limit: string) => {
    const asked = `read: Order, where: { customerId: equals }, limit: ${limit}`;
    const [request] = planFor({ Tab: table }, asked).plan.requests;
    return request?.kind === "read"
      ? request.expected.evaluated.map(({ record, count }) => [record.name, count])
      : [];
  };
  expect(evaluated("all")).toEqual([
    ["Order", 10],
    ["Customer", 1],
  ]);
  expect(evaluated("4")).toEqual([["Order", 4]]);
});

test("a collection whose members begin alike is asked for by that beginning", () => {
  const table = `{ key: { PK: S, SK: S }, entities: {
      Order: { key: { PK: "O#{orderId}", SK: "A#" } }, Line: { key: { PK: "O#{orderId}", SK: "A#{position|pad:2}" } }, Tag: { key: { PK: "O#{orderId}", SK: "T#{word}" } } } }`;
  const asked = "read: Order, where: { orderId: equals }, together: [{ entity: Line, limit: all }]";
  expect(planLines({ Tab: table }, asked)[0]).toBe("Query Tab PK = O#{orderId} and SK begins A#");
});
