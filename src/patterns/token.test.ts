import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromBase64Url, toBase64Url } from "./base64.ts";
import { shardHash } from "./shard.ts";
import {
  decodeContent,
  decodeToken,
  encodeContent,
  encodeToken,
  openToken,
  sealToken,
  TokenError,
} from "./token.ts";

const written = (content: unknown): string =>
  toBase64Url(new TextEncoder().encode(JSON.stringify(content)));
const contentOf = (token: string): unknown =>
  JSON.parse(new TextDecoder().decode(fromBase64Url(token)));

describe("bytes as text", () => {
  test("come back, and are written as others write them", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const text = toBase64Url(bytes);
        expect(text).toBe(Buffer.from(bytes).toString("base64url"));
        expect(fromBase64Url(text)).toEqual(bytes);
      }),
    );
  });

  test.each(["A", "AB=", "A+", "A B", "AB\n", "AAAAA", "AB", "AAB"])("are not in '%s'", (text) => {
    expect(fromBase64Url(text)).toBeUndefined();
  });
});

describe("a token", () => {
  const value = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((one) => !Object.is(one, -0)),
    fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }),
    fc.uint8Array({ maxLength: 20 }),
  );
  const key = fc.dictionary(fc.oneof(fc.string(), fc.constant("__proto__")), value, { maxKeys: 4 });

  test("gives the position back, with its types", () => {
    fc.assert(
      fc.property(key, fc.string(), (position, scope) => {
        const token = encodeToken(position, scope);
        expect(token).toMatch(/^[\w-]+$/);
        const decoded = decodeToken(token, scope);
        expect(Object.entries(decoded)).toEqual(Object.entries(position));
      }),
    );
  });

  test("of another scope is refused", () => {
    const token = encodeToken({ pk: "TENANT#1", sk: "7" }, "orders of TENANT#1");
    expect(() => decodeToken(token, "orders of TENANT#2")).toThrow("a token of something else");
    expect(() => decodeToken(token, "")).toThrow(TokenError);
    // These two have the same hash of 32 bits.
    const [one, other] = ["1rbzqkj of qfx14l", "11tvwao of 1ndi56o"] as const;
    expect(shardHash(one)).toBe(shardHash(other));
    expect(() => decodeToken(encodeToken({}, one), other)).toThrow(TokenError);
  });

  test("that was made up is refused if it holds another partition", () => {
    const scope = "orders of TENANT#1";
    const forged = encodeToken({ pk: "TENANT#2", sk: "7" }, scope);
    expect(() => decodeToken(forged, scope, { fixed: { pk: "TENANT#1" } })).toThrow(TokenError);
    const none = encodeToken({ sk: "7" }, scope);
    expect(() => decodeToken(none, scope, { fixed: { pk: "TENANT#1" } })).toThrow(TokenError);
    const fine = encodeToken({ pk: "TENANT#1", sk: "7" }, scope);
    expect(decodeToken(fine, scope, { fixed: { pk: "TENANT#1" } })).toEqual({
      pk: "TENANT#1",
      sk: "7",
    });
    expect(() =>
      decodeToken(encodeToken({ pk: 1 }, scope), scope, { fixed: { pk: "1" } }),
    ).toThrow();
  });

  test("that is anything else is refused, and nothing breaks", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => decodeToken(text, "s")).toThrow(TokenError);
      }),
    );
    const [, mark] = contentOf(encodeToken({}, "s")) as [number, string];
    for (const strange of [
      null,
      [],
      [1],
      [2, mark, { k: [] }],
      [1, mark, null],
      [1, mark, {}],
      [1, mark, { k: {} }],
      [1, mark, { k: [["a"]] }],
      [1, mark, { k: [["a", "s", 1]] }],
      [1, mark, { k: [["a", "x", "1"]] }],
      [1, mark, { k: [["a", "n", ""]] }],
      [1, mark, { k: [["a", "n", "1e999"]] }],
      [1, mark, { k: [["a", "i", "0x10"]] }],
      [1, mark, { k: [["a", "b", "A"]] }],
      [
        1,
        mark,
        {
          k: [
            ["a", "s", "1"],
            ["a", "s", "2"],
          ],
        },
      ],
      [1, mark, { s: [["a", null]] }],
      [1, mark, { s: 1 }],
    ]) {
      expect(() => decodeToken(written(strange), "s"), JSON.stringify(strange)).toThrow(TokenError);
    }
    expect(decodeToken(written([1, mark, { k: [] }]), "s")).toEqual({});
  });

  test("holds wrapped numbers if it is told how to wrap them", () => {
    const token = encodeToken({ n: { value: "12345678901234567890.5" } }, "s");
    expect(() => decodeToken(token, "s")).toThrow("wrapNumber");
    const wrapNumber = (text: string) => ({ value: text });
    expect(decodeToken(token, "s", { wrapNumber })).toEqual({
      n: { value: "12345678901234567890.5" },
    });
    expect(() => encodeToken({ n: true }, "s")).toThrow("'n' has no value that a key can have");
  });

  test("holds the positions of several sources", () => {
    const sources = new Map([
      ["0", { pk: "a" }],
      ["1", null],
    ]);
    const token = encodeContent({ kind: "sources", sources }, "s");
    expect(decodeContent(token, "s")).toEqual({ kind: "sources", sources });
    expect(() => decodeToken(token, "s")).toThrow("another kind of list");
  });
});

describe("a sealed token", () => {
  test("opens for who knows the secret, in its scope, unchanged", async () => {
    const token = encodeToken({ pk: "a" }, "s");
    const sealed = await sealToken(token, "s", "secret");
    expect(await openToken(sealed, "s", "secret")).toBe(token);
    const seal = createHmac("sha256", "secret").update(JSON.stringify([token, "s"]));
    expect(sealed).toBe(`${token}.${seal.digest("base64url")}`);
    const other = await sealToken(encodeToken({ pk: "b" }, "s"), "s", "secret");
    for (const [text, scope, secret] of [
      [sealed, "s", "other"],
      [sealed, "t", "secret"],
      [`${sealed}A`, "s", "secret"],
      [sealed.slice(0, -1), "s", "secret"],
      [`${token}.${other.split(".")[1]}`, "s", "secret"],
      [token, "s", "secret"],
      [`${token}.`, "s", "secret"],
      ["", "s", "secret"],
    ] as const) {
      await expect(openToken(text, scope, secret)).rejects.toThrow(TokenError);
    }
  });
});
