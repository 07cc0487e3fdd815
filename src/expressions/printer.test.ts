import { expect, test } from "vitest";
import { compileExpressions } from "./compile.ts";
import { printCondition, printKeyCondition, printProjection, printUpdate } from "./printer.ts";

const names = { "#n": 'odd "name"', "#d": "x.y" };
const values = {
  ":s": { S: "it's" },
  ":n": { N: "1.5" },
  ":b": { B: "AQI=" },
  ":t": { BOOL: true },
  ":f": { BOOL: false },
  ":null": { NULL: true },
  ":ss": { SS: ["a", "b"] },
  ":ns": { NS: ["1", "2"] },
  ":bs": { BS: ["AQ=="] },
  ":l": { L: [{ S: "a" }, { N: "1" }] },
  ":m": { M: { k: { S: "v" }, n: { N: "2" } } },
};

/** Only the placeholders that the text uses, as the service demands. */
function used<T>(all: Record<string, T>, text: string): Record<string, T> | undefined {
  const entries = Object.entries(all).filter(([key]) =>
    new RegExp(`${key}(?![A-Za-z0-9_])`).test(text),
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function compile(kind: "condition" | "keyCondition" | "projection" | "update", text: string) {
  return compileExpressions({
    [kind]: text,
    names: used(names, text),
    values: used(structuredClone(values), text),
  });
}

test("conditions", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["a = :s", `"a" = 'it''s'`],
    ["#n.#d[3].b <> :n", `"odd ""name"""."x.y"[3]."b" <> 1.5`],
    ["a = :b OR a = :t OR a = :f", `"a" = base64 'AQI=' OR "a" = true OR "a" = false`],
    ["a IN (:null, :ss, :ns, :bs)", `"a" IN (null, <<'a', 'b'>>, <<1, 2>>, <<base64 'AQ=='>>)`],
    ["a = :l OR a = :m", `"a" = ['a', 1] OR "a" = {'k': 'v', 'n': 2}`],
    ["size(a) BETWEEN b AND :n", `size("a") BETWEEN "b" AND 1.5`],
    ["attribute_exists(a.b)", `attribute_exists("a"."b")`],
    ["contains(a, :s)", `contains("a", 'it''s')`],
    ["(a=b OR c=d) AND e=f", `("a" = "b" OR "c" = "d") AND "e" = "f"`],
    ["(a=b AND c=d) OR e=f", `"a" = "b" AND "c" = "d" OR "e" = "f"`],
    ["a=b AND (c=d AND e=f)", `"a" = "b" AND ("c" = "d" AND "e" = "f")`],
    ["NOT (a=b AND c=d)", `NOT ("a" = "b" AND "c" = "d")`],
    ["NOT a=b AND c=d", `NOT "a" = "b" AND "c" = "d"`],
  ];
  for (const [text, printed] of cases) {
    const { condition } = compile("condition", text);
    expect(condition && printCondition(condition), text).toBe(printed);
  }
});

test("key conditions, projections and updates", () => {
  const key = compile("keyCondition", "a = :s AND begins_with(b, :s)").keyCondition;
  expect(key && printKeyCondition(key)).toBe(`"a" = 'it''s' AND begins_with("b", 'it''s')`);
  const between = compile("keyCondition", "a = :s AND b BETWEEN :n AND :n").keyCondition;
  expect(between && printKeyCondition(between)).toBe(`"a" = 'it''s' AND "b" BETWEEN 1.5 AND 1.5`);
  const { projection } = compile("projection", "a, #n[0].b");
  expect(projection && printProjection(projection)).toBe(`"a", "odd ""name"""[0]."b"`);
  const { update } = compile(
    "update",
    "DELETE s :ss SET a = b + :n, c = if_not_exists(d, :s) ADD e :n REMOVE f[1] ",
  );
  expect(update && printUpdate(update)).toBe(
    `SET "a" = "b" + 1.5, "c" = if_not_exists("d", 'it''s') REMOVE "f"[1] ADD "e" 1.5 DELETE "s" <<'a', 'b'>>`,
  );
});
