import { describe, expect, test } from "vitest";
import type { AttributeValue } from "../../item/attribute-value.ts";
import type { OperatorName } from "../../model/document-parts.ts";
import { parseKeyText } from "../../model/key-text.ts";
import { modelOf, smallModel } from "../../model/model.test-support.ts";
import type { KeyCondition } from "../plans/plan.ts";
import { Placeholders } from "./expression.ts";
import { last, rangeText } from "./key-range.ts";

const order = modelOf(smallModel).entities.get("Order");

/** The condition on a sort key for a range of an attribute, with its values put in. */
function range(
  text: string,
  segments: number,
  attribute: string,
  operator: OperatorName,
  ...values: readonly AttributeValue[]
): { readonly text: string; readonly isLoose: boolean } {
  if (order === undefined) throw new Error("no such entity");
  const names = values.map((_, i) => `p${i}`);
  const condition: KeyCondition = {
    attribute: { name: "SK", type: "S" },
    text: parseKeyText(text, () => {}),
    kind: "range",
    segments,
    predicate: {
      attribute,
      operator,
      operands: names.map((name) => ({ kind: "parameter", name })),
      exists: true,
    },
  };
  const placeholders = new Placeholders();
  const given = {
    parameters: new Map(values.map((value, i) => [`p${i}`, [value]])),
    items: () => [],
    writing: { shard: () => 0, now: 0 },
  };
  const known = { entity: order, values: new Map([["customerId", { S: "c1" }]]) };
  const found = rangeText(condition, known, order.attributes, given, placeholders);
  const { ExpressionAttributeValues: all = {} } = placeholders.members();
  const shown = found.text.replaceAll(/:v\d+/g, (name) => {
    const value = all[name] as AttributeValue;
    return "S" in value ? value.S : "N" in value ? value.N : "?";
  });
  return { text: shown, isLoose: found.isLoose };
}

const six: AttributeValue = { N: "6" };
const nine: AttributeValue = { N: "9" };

describe("a range in what begins with something", () => {
  const open = (operator: OperatorName, ...values: readonly AttributeValue[]) =>
    range("T#{total|pad:3}#{orderId}", 1, "total", operator, ...values);

  test("with more after it, no key is equal to a bound", () => {
    expect(open("less", six)).toEqual({ text: "#n0 BETWEEN T# AND T#006", isLoose: false });
    expect(open("at-most", six)).toEqual({
      text: `#n0 BETWEEN T# AND T#006#${last}`,
      isLoose: false,
    });
    expect(open("greater", six)).toEqual({
      text: `#n0 BETWEEN T#006#${last} AND T#${last}`,
      isLoose: false,
    });
    expect(open("at-least", six)).toEqual({
      text: `#n0 BETWEEN T#006 AND T#${last}`,
      isLoose: false,
    });
    expect(open("between", six, nine)).toEqual({
      text: `#n0 BETWEEN T#006 AND T#009#${last}`,
      isLoose: false,
    });
  });

  test("at the end of the key, a bound that is not meant is looked at again", () => {
    const closed = (operator: OperatorName) => range("T#{total|pad:3}", 1, "total", operator, six);
    expect(closed("less")).toEqual({ text: "#n0 BETWEEN T# AND T#006", isLoose: true });
    expect(closed("greater")).toEqual({ text: `#n0 BETWEEN T#006 AND T#${last}`, isLoose: true });
    expect(closed("at-most")).toEqual({ text: "#n0 BETWEEN T# AND T#006", isLoose: false });
    expect(closed("at-least")).toEqual({ text: `#n0 BETWEEN T#006 AND T#${last}`, isLoose: false });
  });

  test("turned round, what is less comes after", () => {
    const turned = (operator: OperatorName, ...values: readonly AttributeValue[]) =>
      range("T#{total|pad:3|descending}#{orderId}", 1, "total", operator, ...values).text;
    expect(turned("less", six)).toBe(`#n0 BETWEEN T#993#${last} AND T#${last}`);
    expect(turned("at-least", six)).toBe(`#n0 BETWEEN T# AND T#993#${last}`);
    expect(turned("between", six, nine)).toBe(`#n0 BETWEEN T#990 AND T#993#${last}`);
  });

  test("known parts come before it", () => {
    expect(
      range("C#{customerId}#{createdAt}", 3, "createdAt", "begins-with", { S: "2026-11" }).text,
    ).toBe("begins_with(#n0, C#c1#2026-11)");
  });

  test("a time that is cut off is equal to many: its unit is in the range", () => {
    const day = (operator: OperatorName) =>
      range("T#{createdAt|day}", 1, "createdAt", operator, { S: "2026-11-16T09:00:00.000Z" }).text;
    expect(day("less")).toBe("#n0 BETWEEN T# AND T#2026-11-16");
    expect(day("greater")).toBe(`#n0 BETWEEN T#2026-11-16 AND T#${last}`);
  });
});

test("a key that is the attribute itself is compared as it is", () => {
  const own = (operator: OperatorName, ...values: readonly AttributeValue[]) =>
    range("{total}", 0, "total", operator, ...values).text;
  expect(own("less", six)).toBe("#n0 < 6");
  expect(own("at-most", six)).toBe("#n0 <= 6");
  expect(own("greater", six)).toBe("#n0 > 6");
  expect(own("at-least", six)).toBe("#n0 >= 6");
  expect(own("between", six, nine)).toBe("#n0 BETWEEN 6 AND 9");
});

test("a text that begins with the attribute", () => {
  const first = (operator: OperatorName) =>
    range("{createdAt}#{orderId}", 0, "createdAt", operator, { S: "2026" }).text;
  expect(first("less")).toBe("#n0 < 2026");
  expect(first("at-most")).toBe(`#n0 <= 2026#${last}`);
  expect(first("greater")).toBe(`#n0 > 2026#${last}`);
  expect(first("at-least")).toBe("#n0 >= 2026");
});
