import { describe, expect, test } from "vitest";
import { attributesOf, parseKeyText, type Segment } from "./key-text.ts";

function parse(text: string) {
  const complaints: string[] = [];
  const parsed = parseKeyText(text, (message, at) => void complaints.push(`${at}: ${message}`));
  return { ...parsed, complaints };
}

const attribute = (name: string, ...transforms: object[]): Segment =>
  ({ kind: "attribute", attribute: name, transforms }) as Segment;
const literal = (text: string): Segment => ({ kind: "text", text });

describe("a key text is read into segments", () => {
  test.each<[string, readonly Segment[], number[], string | undefined]>([
    ["PROFILE", [literal("PROFILE")], [0], undefined],
    ["{id}", [attribute("id")], [0], "id"],
    ["A#{id}", [literal("A#"), attribute("id")], [0, 2], undefined],
    [
      "{a}#{b|lower}",
      [attribute("a"), literal("#"), attribute("b", { kind: "lower" })],
      [0, 3, 4],
      undefined,
    ],
    ["{n|pad:8}", [attribute("n", { kind: "pad", digits: 8 })], [0], undefined],
    [
      "{t|day|descending}",
      [attribute("t", { kind: "truncate", unit: "day" }, { kind: "descending" })],
      [0],
      undefined,
    ],
    ["{shard:10}", [{ kind: "shard", count: 10, by: { kind: "random" } }], [0], undefined],
    [
      "x{shard:4:id|upper}",
      [
        literal("x"),
        {
          kind: "shard",
          count: 4,
          by: { kind: "calculated", attribute: "id", transforms: [{ kind: "upper" }] },
        },
      ],
      [0, 1],
      undefined,
    ],
    [
      "{shard:24:hour}",
      [{ kind: "shard", count: 24, by: { kind: "time", unit: "hour" } }],
      [0],
      undefined,
    ],
    ["{{x}}{id}", [literal("{x}"), attribute("id")], [0, 5], undefined],
  ])("%s", (text, segments, offsets, native) => {
    expect(parse(text)).toEqual({ text, segments, offsets, native, complaints: [] });
  });
});

test.each([
  ["A#{id", "2: has a '{' without its '}'; a brace that is meant is written twice"],
  ["A}", "1: has a '}' without its '{'; a brace that is meant is written twice"],
  ["A{}", "1: has braces without an attribute in them"],
  ["{id|lowr}", "4: has an unknown transform 'lowr'; did you mean 'lower'? known:"],
  ["{id|lower|zzzzzz}", "10: has an unknown transform 'zzzzzz'; known: pad:8, lower"],
  ["{id|pad}", "4: has a 'pad' that should be like 'pad:8', with 1 to 38 digits"],
  ["{id|pad:39}", "4: has a 'pad:39' that"],
  ["{id|pad:8:9}", "4: has a 'pad:8:9' that"],
  ["{shard}", "7: has a shard that should be like {shard:10}, with 2 to 10000 shards"],
  ["x{shard:1}", "8: has a shard that"],
  ["{shard:10001}", "7: has a shard that"],
  ["{shard:5:}", "8: has braces without an attribute in them"],
])("%s is refused, with the place", (text, expected) => {
  expect(parse(text).complaints[0]).toContain(expected);
});

test("the attributes of a text are told with their places", () => {
  expect(
    attributesOf(parse("A#{a}{shard:7:b}")).map(({ attribute: name, at }) => [name, at]),
  ).toEqual([
    ["a", 3],
    ["b", 14],
  ]);
});
