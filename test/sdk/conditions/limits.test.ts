import { describe, expect, test } from "vitest";
import { useServer } from "../harness.ts";
import { ItemTable } from "../item-table.ts";
import { type Condition, carriers, carry } from "./carriers.ts";

/** How large conditions may be, one below, at and one above. */

const server = useServer();
const table = new ItemTable(server);

/** Undefined if the condition was accepted, whether it held or not; else the complaint. */
async function complaint(name: string, condition: Condition): Promise<string | undefined> {
  const carrier = carriers[name];
  if (carrier === undefined) throw new Error(name);
  const { json } = await carry(server, carrier, condition, table.name);
  return String(json.__type).includes("ValidationException") ? json.message : undefined;
}

describe.each(Object.keys(carriers))("%s", (name) => {
  const prefix = carriers[name]?.prefix;
  const invalid = `${prefix}Invalid ${carriers[name]?.kind}: `;

  test("4,096 bytes of text", async () => {
    const text = (bytes: number) => "attribute_exists(a)".padEnd(bytes, " ");
    expect(await complaint(name, { text: text(4_095) })).toBeUndefined();
    expect(await complaint(name, { text: text(4_096) })).toBeUndefined();
    const message = await complaint(name, { text: text(4_097) });
    expect(message?.startsWith(`${invalid}Expression size has exceeded`)).toBe(true);
  });

  test("bytes are no characters, and they are counted before the text is read", async () => {
    const text = (umlauts: number) => `a = ${"ü".repeat(umlauts)}`;
    expect(await complaint(name, { text: text(2_046) })).toMatch(/Syntax error/);
    expect(await complaint(name, { text: text(2_047) })).toMatch(/Expression size has exceeded/);
  });

  test("300 operators", async () => {
    const text = (comparisons: number, first = "") =>
      first + Array.from({ length: comparisons }, () => "a<b").join(" OR ");
    expect(await complaint(name, { text: text(150) })).toBeUndefined();
    expect(await complaint(name, { text: text(150, "NOT ") })).toBeUndefined();
    expect(await complaint(name, { text: text(151) })).toBe(
      `${invalid}The expression contains too many operators; operator count: 301`,
    );
  });

  test("99 values of IN", async () => {
    const condition = (count: number): Condition => {
      const names = Array.from({ length: count }, (_, at) => `:v${at}`);
      return {
        text: `a IN (${names.join(",")})`,
        values: Object.fromEntries(names.map((key, at) => [key, { N: String(at) }])),
      };
    };
    expect(await complaint(name, condition(98))).toBeUndefined();
    expect(await complaint(name, condition(99))).toBeUndefined();
    const message = await complaint(name, condition(101));
    expect(
      message?.startsWith(`${invalid}The IN operator is provided with too many operands`),
    ).toBe(true);
  });

  test("32 steps of a path", async () => {
    const text = (steps: number) => `attribute_exists(a${".a".repeat(steps - 1)})`;
    expect(await complaint(name, { text: text(31) })).toBeUndefined();
    expect(await complaint(name, { text: text(32) })).toBeUndefined();
    expect(await complaint(name, { text: text(33) })).toMatch(/nesting levels/);
  });

  test("255 bytes of a placeholder", async () => {
    const named = (bytes: number): Condition => {
      const key = `#${"n".repeat(bytes - 1)}`;
      return { text: `attribute_exists(${key})`, names: { [key]: "a" } };
    };
    const valued = (bytes: number): Condition => {
      const key = `:${"v".repeat(bytes - 1)}`;
      return { text: `a = ${key}`, values: { [key]: { N: "1" } } };
    };
    expect(await complaint(name, named(255))).toBeUndefined();
    expect(await complaint(name, named(256))).toMatch(/key that is too long/);
    expect(await complaint(name, valued(255))).toBeUndefined();
    expect(await complaint(name, valued(256))).toMatch(/key that is too long/);
  });

  test("2 MB of placeholders", async () => {
    const large = { S: "x".repeat(350_000) };
    const condition = (count: number): Condition => {
      const keys = Array.from({ length: count }, (_, at) => `:v${at}`);
      return {
        text: `a IN (${keys.join(",")})`,
        values: Object.fromEntries(keys.map((key) => [key, large])),
      };
    };
    expect(await complaint(name, condition(5))).toBeUndefined();
    expect(await complaint(name, condition(7))).toMatch(/exceeds max size/);
  });
});

test("parentheses, blanks, functions and IN's values are no operators", async () => {
  const text = Array.from({ length: 75 }, () => "(contains(a,b)) AND  (a IN(b,c,d))").join(" OR ");
  expect(await complaint("PutItem", { text })).toBeUndefined();
});

test("a transaction says how large the condition is", async () => {
  const text = "attribute_exists(a)".padEnd(4_109, " ");
  expect(await complaint("a check in a transaction", { text })).toBe(
    "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression size: 4109",
  );
});

describe("hostile nesting ends in an answer", () => {
  test.each([
    ["(", "", /Syntax error/],
    ["NOT (", "", /Syntax error/],
    ["f(", "", /Syntax error/],
    ["(", "a = b)", /Syntax error|redundant parentheses/],
  ])("%s over and over", async (piece, rest, message) => {
    const text = piece.repeat(Math.floor(4_000 / piece.length)) + rest;
    expect(await complaint("UpdateItem", { text })).toMatch(message);
  });

  test("redundant parentheses by the thousand", async () => {
    const text = `${"(".repeat(2_000)}a = b${")".repeat(2_000)}`;
    expect(await complaint("UpdateItem", { text })).toMatch(/redundant parentheses/);
  });

  test("NOT by the thousand", async () => {
    const text = `${"NOT ".repeat(1_000)}a = b`;
    expect(await complaint("UpdateItem", { text })).toMatch(/too many operators/);
  });
});
