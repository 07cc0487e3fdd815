import { describe, expect, test } from "vitest";
import {
  absent,
  allOf,
  anyOf,
  atLeast,
  beginsWith,
  between,
  containing,
  createOnly,
  equalTo,
  expressionsOf,
  inRange,
  lessThan,
  mustExist,
  not,
  notEqualTo,
  oneOf,
  present,
} from "./conditions.ts";
import { Placeholders, UpdateBuilder, updateOf } from "./expression.ts";

describe("an update", () => {
  test("says what it does by clause, with one placeholder for a name", () => {
    const update = new UpdateBuilder()
      .set("name", "Ada")
      .add("visits", 1)
      .remove("draft")
      .setIfAbsent("createdAt", "now")
      .append("log", ["x"])
      .delete("tags", new Set(["a"]))
      .set(["address", "lines", 0], "Street 1")
      .remove(["name.first", "name"]);
    expect(update.text()).toBe(
      "SET #n0 = :v0, #n3 = if_not_exists(#n3, :v2), #n4 = list_append(if_not_exists(#n4, :v3), :v4), #n6.#n7[0] = :v6 REMOVE #n2, #n8.#n0 ADD #n1 :v1 DELETE #n5 :v5",
    );
    expect(update.placeholders.members()).toEqual({
      ExpressionAttributeNames: {
        "#n0": "name",
        "#n1": "visits",
        "#n2": "draft",
        "#n3": "createdAt",
        "#n4": "log",
        "#n5": "tags",
        "#n6": "address",
        "#n7": "lines",
        "#n8": "name.first",
      },
      ExpressionAttributeValues: {
        ":v0": "Ada",
        ":v1": 1,
        ":v2": "now",
        ":v3": [],
        ":v4": ["x"],
        ":v5": new Set(["a"]),
        ":v6": "Street 1",
      },
    });
  });

  test("is made of changes, in which what is undefined goes", () => {
    const update = updateOf({
      set: { a: 1, b: undefined },
      setIfAbsent: { c: 2 },
      add: { d: 3 },
      append: { e: [4] },
      remove: ["f"],
      delete: { g: new Set([5]) },
    });
    expect(update.text()).toBe(
      "SET #n0 = :v0, #n2 = if_not_exists(#n2, :v1), #n4 = list_append(if_not_exists(#n4, :v3), :v4) REMOVE #n1, #n5 ADD #n3 :v2 DELETE #n6 :v5",
    );
    expect(updateOf({}).isEmpty).toBe(true);
    expect(update.isEmpty).toBe(false);
  });
});

describe("conditions", () => {
  const text = (condition: ReturnType<typeof allOf>) => condition?.write(new Placeholders());

  test("are written as the service reads them", () => {
    expect(text(equalTo("a", 1))).toBe("#n0 = :v0");
    expect(text(notEqualTo("a", 1))).toBe("#n0 <> :v0");
    expect(text(between("a", 1, 2))).toBe("#n0 BETWEEN :v0 AND :v1");
    expect(text(oneOf("a", [1, 2]))).toBe("#n0 IN (:v0, :v1)");
    expect(text(oneOf("a", ["x", "x", true, true]))).toBe("#n0 IN (:v0, :v1)");
    expect(text(beginsWith("a", "x"))).toBe("begins_with(#n0, :v0)");
    expect(text(containing("a", "x"))).toBe("contains(#n0, :v0)");
    expect(text(present(["a", "b"]))).toBe("attribute_exists(#n0.#n1)");
    expect(text(createOnly("pk"))).toBe("attribute_not_exists(#n0)");
    expect(text(mustExist("pk"))).toBe("attribute_exists(#n0)");
    expect(() => oneOf("a", [])).toThrow("1 to 100 values");
  });

  test("are put together with brackets where they are needed", () => {
    const [a, b, c] = [absent("a"), lessThan("b", 1), atLeast("c", 2)];
    expect(text(allOf(a, anyOf(b, c)))).toBe(
      "attribute_not_exists(#n0) AND (#n1 < :v0 OR #n2 >= :v1)",
    );
    expect(text(anyOf(a, allOf(b, c)))).toBe(
      "attribute_not_exists(#n0) OR (#n1 < :v0 AND #n2 >= :v1)",
    );
    expect(text(allOf(allOf(a, b), undefined, c))).toBe(
      "attribute_not_exists(#n0) AND #n1 < :v0 AND #n2 >= :v1",
    );
    expect(text(allOf(not(a), not(allOf(b, c) ?? a)))).toBe(
      "NOT attribute_not_exists(#n0) AND NOT (#n1 < :v0 AND #n2 >= :v1)",
    );
    expect(allOf(undefined)).toBeUndefined();
    expect(anyOf()).toBeUndefined();
    expect(text(allOf(b))).toBe("#n0 < :v0");
  });

  test("stand for ranges", () => {
    const range = (kind: "less" | "at-most" | "greater" | "at-least") =>
      text(inRange("sk", { kind, text: "x", isLoose: false }));
    expect([range("less"), range("at-most"), range("greater"), range("at-least")]).toEqual([
      "#n0 < :v0",
      "#n0 <= :v0",
      "#n0 > :v0",
      "#n0 >= :v0",
    ]);
  });

  test("share names and values with what else a request says", () => {
    const update = new UpdateBuilder().set("a", 1);
    const written = expressionsOf({
      update,
      condition: equalTo("a", 2),
      filter: absent("b"),
      keyCondition: equalTo("pk", "x"),
      projection: ["a", ["c", "d"]],
    });
    expect(written).toEqual({
      KeyConditionExpression: "#n1 = :v1",
      UpdateExpression: "SET #n0 = :v0",
      ConditionExpression: "#n0 = :v2",
      FilterExpression: "attribute_not_exists(#n2)",
      ProjectionExpression: "#n0, #n3.#n4",
      ExpressionAttributeNames: { "#n0": "a", "#n1": "pk", "#n2": "b", "#n3": "c", "#n4": "d" },
      ExpressionAttributeValues: { ":v0": 1, ":v1": "x", ":v2": 2 },
    });
    expect(expressionsOf({})).toEqual({});
    // An attempt more says the same: a value that no expression uses would be refused.
    const again = { update, condition: equalTo("a", 2) };
    expect(expressionsOf(again)).toEqual(expressionsOf(again));
    expect(update.placeholders.members().ExpressionAttributeValues).toEqual({ ":v0": 1 });
    expect(expressionsOf({ projection: [], update: new UpdateBuilder() })).toEqual({});
  });
});
