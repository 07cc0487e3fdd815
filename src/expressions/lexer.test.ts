import { expect, test } from "vitest";
import { tokenise } from "./lexer.ts";
import { isReservedWord, reservedWordCount } from "./reserved-words.ts";

/** Kind and text of each token, the end left out. */
function check(text: string, expected: string) {
  const tokens = tokenise(text);
  const shown = tokens.slice(0, -1).map((token) => `${token.kind}:${token.symbol ?? token.text}`);
  expect(shown.join(" "), text).toBe(expected);
  for (const token of tokens.slice(0, -1)) {
    expect(text.slice(token.start, token.end)).toBe(token.text);
  }
  expect(tokens.at(-1)).toMatchObject({ kind: "end", text: "<EOF>", start: text.length });
}

test("tokens", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["", ""],
    [" \t\r\n ", ""],
    ["a", "name:a"],
    ["a1_b", "name:a1_b"],
    ["_a", "invalid:_ name:a"],
    ["1a", "number:1 name:a"],
    ["007", "number:0 number:0 number:7"],
    ["120", "number:120"],
    ["#a", "name-placeholder:#a"],
    ["#0_", "name-placeholder:#0_"],
    ["#", "invalid:#"],
    ["##a", "invalid:# name-placeholder:#a"],
    [":v", "value-placeholder::v"],
    [": v", "invalid:: name:v"],
    [
      "and Or NOT between iN set Remove ADD delete",
      "symbol:AND symbol:OR symbol:NOT symbol:BETWEEN symbol:IN symbol:SET symbol:REMOVE symbol:ADD symbol:DELETE",
    ],
    ["android order", "name:android name:order"],
    ["<><=>=<>", "symbol:<> symbol:<= symbol:>= symbol:<>"],
    ["< > =", "symbol:< symbol:> symbol:="],
    ["!=", "invalid:! symbol:="],
    ["a.b[0],c", "name:a symbol:. name:b symbol:[ number:0 symbol:] symbol:, name:c"],
    ["(a+b-c)", "symbol:( name:a symbol:+ name:b symbol:- name:c symbol:)"],
    ['"a"', 'invalid:" name:a invalid:"'],
    ["ü😀", "invalid:ü invalid:😀"],
    ["a\u00a0b", "name:a invalid:\u00a0 name:b"],
  ];
  for (const [text, expected] of cases) check(text, expected);
});

test("reserved words in any case", () => {
  expect(reservedWordCount()).toBe(573);
  for (const word of ["STATUS", "status", "Name", "ttl", "localTimestamp", "ABORT", "zone"]) {
    expect(isReservedWord(word), word).toBe(true);
  }
  for (const word of ["version", "id", "city", "constructor_", "__proto__", "toString"]) {
    expect(isReservedWord(word), word).toBe(false);
  }
});
