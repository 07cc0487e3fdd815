import { describe, expect, test } from "vitest";
import type { AttributeValue } from "../../item/attribute-value.ts";
import { parseKeyText } from "../../model/key-text.ts";
import { modelOf } from "../../model/model.test-support.ts";
import { gatheredKeys, type Known, prefixOf, renderKey } from "./render-key.ts";

const model = modelOf(`keywright: 1
name: m
entities:
  E:
    id: [id]
    count: 1
    attributes:
      id: { type: S, bytes: 3 }
      name: { type: S, bytes: 3 }
      n: { type: N, digits: 5 }
      free: { type: N }
      at: { type: S, format: iso-time }
      on: { type: S, format: iso-date }
      s: { type: N, format: epoch-seconds }
      ms: { type: N, format: epoch-milliseconds }
      b: { type: B, bytes: 3 }
patterns: {}
`);
const entity = model.entities.get("E") as NonNullable<ReturnType<typeof model.entities.get>>;
const time = Date.UTC(2026, 10, 16, 9, 5, 7, 123);
const all: Readonly<Record<string, AttributeValue>> = {
  id: { S: "a#1" },
  name: { S: "ÄbC" },
  n: { N: "421" },
  free: { N: "12.5" },
  at: { S: new Date(time).toISOString() },
  on: { S: "2026-11-16" },
  s: { N: String(Math.floor(time / 1_000)) },
  ms: { N: String(time) },
  b: { B: "AQID" },
};
const textOf = (text: string) =>
  parseKeyText(text, (message) => {
    throw new Error(message);
  });
const knowing = (names: readonly string[] = Object.keys(all)): Known => ({
  entity,
  values: new Map(names.map((name) => [name, all[name] as AttributeValue])),
});
const writing = { shard: (count: number) => count - 3, now: time };
const render = (text: string) => renderKey(textOf(text), { ...knowing(), writing });

describe("a key is made of its text", () => {
  test.each([
    ["PROFILE", { S: "PROFILE" }],
    ["{{{id}}}", { S: "{a#1}" }],
    ["{id}", { S: "a#1" }],
    ["{n}", { N: "421" }],
    ["{b}", { B: "AQID" }],
    ["N#{n}", { S: "N#421" }],
    ["{n|pad:8}", { S: "00000421" }],
    ["{n|pad:2}", { S: "421" }],
    ["{free|pad:4}", { S: "0012.5" }],
    ["{name|lower}#{name|upper}", { S: "äbc#ÄBC" }],
    ["{at|year}", { S: "2026" }],
    ["{at|month}", { S: "2026-11" }],
    ["{at|day}", { S: "2026-11-16" }],
    ["{on|day}", { S: "2026-11-16" }],
    ["{at|hour}", { S: "2026-11-16T09" }],
    ["{at|minute}", { S: "2026-11-16T09:05" }],
    ["{s|hour}", { S: "2026-11-16T09" }],
    ["{ms|minute}", { S: "2026-11-16T09:05" }],
    ["{n|descending}", { S: "99578" }],
    ["{n|pad:4|descending}", { S: "9578" }],
    ["{at|descending}", { S: "7973-88-83T90:94:92.876Z" }],
    ["{at|day|descending}", { S: "7973-88-83" }],
    ["{s|descending}", { S: String(9_999_999_999 - Math.floor(time / 1_000)) }],
    ["{ms|descending}", { S: String(9_999_999_999_999 - time) }],
    ["{id}#{shard:10}", { S: "a#1#7" }],
    ["{id}#{shard:11}", { S: "a#1#08" }],
    ["{id}#{shard:100:n}", { S: "a#1#42" }],
    ["{shard:24:hour}", { S: String(Math.floor(time / 3_600_000) % 24).padStart(2, "0") }],
    ["{shard:7:day}", { S: String(Math.floor(time / 86_400_000) % 7) }],
    ["{shard:12:month}", { S: "10" }],
    ["{shard:5:year}", { S: "1" }],
  ] as const)("%s", (text, value) => {
    expect(render(text)).toEqual(value);
  });

  test("a number below zero cannot be padded, nor a fraction turned round", () => {
    const known = { entity, values: new Map([["n", { N: "-1" }]]) };
    expect(() => renderKey(textOf("{n|pad:3}"), known)).toThrow("'n' is -1 and cannot be padded");
    expect(() => renderKey(textOf("{free|descending}"), knowing())).toThrow(
      "'free' is 12.5; a fraction cannot be turned round",
    );
  });

  test("without one of its attributes there is no key, nor without a writing that draws the shard", () => {
    expect(renderKey(textOf("{id}#{n}"), knowing(["id"]))).toBeUndefined();
    expect(renderKey(textOf("{n}"), knowing(["id"]))).toBeUndefined();
    expect(renderKey(textOf("{id}#{shard:4:n}"), knowing(["id"]))).toBeUndefined();
    expect(renderKey(textOf("{id}#{shard:4}"), knowing(["id"]))).toBeUndefined();
  });
});

describe("readers", () => {
  test("look at all shards that they do not know", () => {
    expect(gatheredKeys(textOf("{id}#{shard:3}"), knowing())).toEqual([
      { S: "a#1#0" },
      { S: "a#1#1" },
      { S: "a#1#2" },
    ]);
    expect(gatheredKeys(textOf("{shard:2:n}{shard:2}"), knowing(["id"]))).toHaveLength(4);
    expect(gatheredKeys(textOf("{id}#{shard:12:hour}"), knowing())).toHaveLength(12);
    expect(gatheredKeys(textOf("{id}#{shard:100:n}"), knowing())).toEqual([{ S: "a#1#42" }]);
    expect(gatheredKeys(textOf("{n}"), knowing())).toEqual([{ N: "421" }]);
    expect(gatheredKeys(textOf("{id}#{shard:3}"), knowing(["n"]))).toBeUndefined();
    expect(gatheredKeys(textOf("{n}"), knowing(["id"]))).toBeUndefined();
  });

  test("know a text up to its first unknown part", () => {
    const text = textOf("A#{id}#{at|day}#{n|pad:6}");
    expect(prefixOf(text, knowing(["id"]))).toEqual({ prefix: "A#a#1#", whole: false });
    expect(prefixOf(text, knowing(["id", "at"]))).toEqual({
      prefix: "A#a#1#2026-11-16#",
      whole: false,
    });
    expect(prefixOf(text, knowing())).toEqual({ prefix: "A#a#1#2026-11-16#000421", whole: true });
    expect(prefixOf(textOf("{id}#{shard:3}"), knowing())).toEqual({
      prefix: "a#1#",
      whole: false,
    });
  });
});
