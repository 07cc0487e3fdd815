import { describe, expect, expectTypeOf, test } from "vitest";
import { compositeKey } from "./key.ts";
import { descending } from "./key-parts.ts";
import { parseTemplate } from "./key-template.ts";

const writing = { now: Date.parse("2026-11-16T09:30:00.000Z"), shard: () => 3 };

describe("a composite key", () => {
  const order = compositeKey("CUSTOMER#{customerId}#ORDER#{orderId|pad:6}");

  test("is made of its parts", () => {
    expect(order.of({ customerId: "7", orderId: 42 })).toBe("CUSTOMER#7#ORDER#000042");
    expect(() => order.of({ customerId: "7" } as never)).toThrow("lacks a value");
    expect(order.maybe({ customerId: "7" })).toBeUndefined();
  });

  test("knows its parts and its text by type", () => {
    expectTypeOf(order.of).parameter(0).toHaveProperty("customerId");
    expectTypeOf(
      order.of({ customerId: "7", orderId: 42 }),
    ).toEqualTypeOf<`CUSTOMER#${string}#ORDER#${string}`>();
    // @ts-expect-error a part is missing
    expect(() => order.of({ customerId: "7" })).toThrow();
    // @ts-expect-error a part has another name
    order.maybe({ customer: "7" });
    const sharded = compositeKey("{{{day}}}#{shard:4:playerId|lower}#{shard:9}#{shard:24:hour}");
    expectTypeOf(sharded.of)
      .parameter(0)
      .toEqualTypeOf<
        Readonly<
          Record<
            "day" | "playerId",
            string | number | bigint | Uint8Array | { readonly value: string }
          >
        >
      >();
    expectTypeOf(sharded.prefix({})).toEqualTypeOf<string>();
    const wide: string = "A#{b}";
    expect(compositeKey(wide).of({ b: "c" })).toBe("A#c");
  });

  test("begins with what is known and the separator after it", () => {
    expect(order.prefix({})).toBe("CUSTOMER#");
    expect(order.prefix({ customerId: "1" })).toBe("CUSTOMER#1#ORDER#");
    expect(order.prefix({ orderId: 1 })).toBe("CUSTOMER#");
    expect(order.prefix({ customerId: "1", orderId: 2 })).toBe("CUSTOMER#1#ORDER#000002");
  });

  test("is not fooled by names of objects", () => {
    const strange = compositeKey("{constructor}#{__proto__}");
    expect(strange.maybe({} as never)).toBeUndefined();
    const values = Object.fromEntries([
      ["constructor", "a"],
      ["__proto__", "b"],
    ]);
    expect(strange.of(values as never)).toBe("a#b");
  });

  test("has ranges of the part after what is known", () => {
    expect(order.range({ customerId: "7" }, "between", 5, 10)).toEqual({
      kind: "between",
      from: "CUSTOMER#7#ORDER#000005",
      to: "CUSTOMER#7#ORDER#000010",
      isLoose: false,
    });
    expect(order.range({ customerId: "7" }, "greater", 5)).toMatchObject({ isLoose: true });
    expect(order.range({}, "begins-with", "7")).toMatchObject({
      kind: "begins",
      text: "CUSTOMER#7",
    });
    expect(() => order.range({ customerId: "7", orderId: 1 }, "less", 1)).toThrow("no part left");
    expect(() => order.range({ customerId: "7" }, "between", 1)).toThrow("takes 2 bounds");
    const seconds = compositeKey("{at|descending}", { parts: { at: { format: "epoch-seconds" } } });
    expect(seconds.range({}, "greater", 5)).toEqual({
      kind: "less",
      text: "9999999994",
      isLoose: false,
    });
  });
});

describe("a sharded key", () => {
  test("draws, calculates or follows the time", () => {
    const key = compositeKey("V#{shard:10}#{shard:16:id}#{shard:24:hour}");
    expect(key.of({ id: "ada" }, writing)).toBe("V#3#14#09");
    expect(key.of({ id: "ada" })).toMatch(/^V#\d#14#\d\d$/);
  });

  test("has all keys that could have been written", () => {
    const key = compositeKey("V#{shard:3}#{id}");
    expect(key.all({ id: "a" })).toEqual(["V#0#a", "V#1#a", "V#2#a"]);
    expect(compositeKey("{id}#{shard:16:id}").all({ id: "ada" })).toEqual(["ada#14"]);
    expect(compositeKey("{shard:2}{shard:2}").all({})).toEqual(["00", "01", "10", "11"]);
    expect(() => key.all({} as never)).toThrow("lacks a value");
  });
});

describe("a key that is read back", () => {
  test("gives the texts of its parts", () => {
    const key = compositeKey("G#{game}#{score|descending}#{at|day}{shard:12}#{name}", {
      parts: { score: { digits: 6 } },
    });
    const values = { game: "chess", score: 1500, at: "2026-11-16T09:30Z", name: "a#b" };
    const text = key.of(values, writing);
    expect(text).toBe("G#chess#998499#2026-11-1603#a#b");
    expect(key.parse(text)).toEqual({
      game: "chess",
      score: "1500",
      at: "2026-11-16",
      name: "a#b",
    });
  });

  test("keeps what only looks padded", () => {
    expect(compositeKey("{code|descending}").parse(descending("0042"))).toEqual({ code: "0042" });
    const seconds = compositeKey("{at|descending}", { parts: { at: { format: "epoch-seconds" } } });
    expect(seconds.parse(seconds.of({ at: 42 }))).toEqual({ at: "42" });
  });

  test("undoes padding, but leaves a zero", () => {
    const key = compositeKey("{n|pad:4}");
    expect(key.parse("0042")).toEqual({ n: "42" });
    expect(key.parse("0000")).toEqual({ n: "0" });
    expect(key.parse("0001.5")).toEqual({ n: "1.5" });
  });

  test("is none if it does not fit", () => {
    const key = compositeKey("A#{x}#B#{shard:12}#{x}");
    expect(key.parse("A#1#B#03#1")).toEqual({ x: "1" });
    for (const text of ["B#1#B#03#1", "A#1", "A#1#B#12#1", "A#1#B#x3#1", "A#1#B#03#2", "A#1#B#0"]) {
      expect(key.parse(text), text).toBeUndefined();
    }
    expect(compositeKey("A#{t|day}").parse("A#2026-11-16T")).toBeUndefined();
    expect(() => compositeKey("{x}{y}").parse("ab")).toThrow("two parts touch");
  });

  test("is always found again if it is strict", () => {
    const key = compositeKey("{a}#{b}", { strict: true });
    expect(key.parse(key.of({ a: "1", b: "2#3" }))).toEqual({ a: "1", b: "2#3" });
    expect(() => key.of({ a: "1#2", b: "3" })).toThrow("'a' holds '#'");
    expect(compositeKey("{a}#{b}").of({ a: "1#2", b: "3" })).toBe("1#2#3");
  });
});

describe("a template", () => {
  test("has braces that are written twice", () => {
    expect(compositeKey("{{{a}}}").of({ a: 1 })).toBe("{1}");
  });

  test.each([
    ["{a", "without its '}'"],
    ["a}", "without its '{'"],
    ["{}", "without a name"],
    ["{a|day:1}", "unknown transform 'day:1'"],
    ["{a|pad:0}", "unknown transform 'pad:0'"],
    ["{a|pad:39}", "unknown transform 'pad:39'"],
    ["{shard}", "like {shard:10}"],
    ["{shard:1}", "like {shard:10}"],
    ["{shard:10001}", "like {shard:10}"],
    ["{shard:x}", "like {shard:10}"],
  ])("that is wrong is refused: %s", (template, message) => {
    expect(() => parseTemplate(template)).toThrow(message);
  });
});
