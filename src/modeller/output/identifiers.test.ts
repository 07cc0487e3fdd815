import { describe, expect, it } from "vitest";
import { Identifiers } from "./identifiers.ts";

describe("identifiers", () => {
  it("are made of the words of a text", () => {
    expect(new Identifiers("snake").of("OrdersByDay", "GSI1-read")).toBe(
      "orders_by_day_gsi_1_read",
    );
    expect(new Identifiers("pascal").of("orders.by-day", "HTTPCode")).toBe("OrdersByDayHttpCode");
    expect(new Identifiers("camel").of("Orders_by day")).toBe("ordersByDay");
    expect(new Identifiers("snake").of("Größe")).toBe("gro_e");
  });

  it("begin with a letter, whatever the text is", () => {
    expect(new Identifiers("snake").of("1st")).toBe("x_1_st");
    expect(new Identifiers("pascal").of(`*/ \n \${`)).toBe("X");
    expect(new Identifiers("camel").of("x".repeat(500))).toHaveLength(60);
  });

  it("are never the same twice, nor that of something else", () => {
    const names = new Identifiers("snake", ["tags"]);
    expect([names.of("tags"), names.of("a-b"), names.of("a.b"), names.of("A_B")]).toEqual([
      "tags_2",
      "a_b",
      "a_b_2",
      "a_b_3",
    ]);
    const pascal = new Identifiers("pascal");
    expect([pascal.of("ab c"), pascal.of("a bc")]).toEqual(["AbC", "ABc2"]);
  });
});
