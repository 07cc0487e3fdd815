import { describe, expect, test } from "vitest";
import {
  bareRecord,
  compareKeyValues,
  identityOf,
  isKeyValue,
  keyIdentity,
  ownOf,
  pickAttributes,
} from "./values.ts";

describe("key values", () => {
  test("sort by UTF-8 bytes, where UTF-16 would not", () => {
    expect(compareKeyValues("\u{1F600}", "\uFFFD")).toBeGreaterThan(0);
    expect("\u{1F600}" < "\uFFFD").toBe(true);
    expect(compareKeyValues("a", "aa")).toBeLessThan(0);
    expect(compareKeyValues("Z", "a")).toBeLessThan(0);
  });

  test("sort as unsigned bytes", () => {
    expect(compareKeyValues(Uint8Array.of(127), Uint8Array.of(128))).toBeLessThan(0);
    expect(compareKeyValues(Uint8Array.of(1), Uint8Array.of(1, 0))).toBeLessThan(0);
    expect(compareKeyValues(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(0);
  });

  test("of different types have no order", () => {
    expect(() => compareKeyValues("1", 1)).toThrow("different types");
  });

  test("are the same exactly if the service takes them for the same", () => {
    expect(identityOf(1)).toBe(identityOf(1n));
    expect(identityOf({ value: "1.0" })).toBe(identityOf(1));
    expect(identityOf(1)).not.toBe(identityOf("1"));
    expect(identityOf(Uint8Array.of(1, 23))).not.toBe(identityOf(Uint8Array.of(12, 3)));
  });

  test("are texts, numbers and binaries", () => {
    expect(["", 1, 1n, Uint8Array.of()].every(isKeyValue)).toBe(true);
    expect([null, undefined, true, {}, [], new Set()].some(isKeyValue)).toBe(false);
  });
});

describe("records of attributes", () => {
  test("hold any name", () => {
    const record = bareRecord<number>();
    const name = "__proto__";
    record[name] = 1;
    expect(Object.entries(record)).toEqual([[name, 1]]);
    expect(ownOf({ a: 1 }, "constructor")).toBeUndefined();
  });

  test("have one identity whatever their order", () => {
    expect(keyIdentity({ a: "x", b: 1 })).toBe(keyIdentity({ b: 1n, a: "x" }));
    expect(keyIdentity({ a: "x" })).not.toBe(keyIdentity({ b: "x" }));
    expect(() => keyIdentity({ a: true })).toThrow("'a' has no value that a key can have");
  });

  test("are cut down to some names, without what is missing", () => {
    expect(pickAttributes({ a: 1, b: 2 }, ["b", "c", "toString"])).toEqual({ b: 2 });
  });
});
