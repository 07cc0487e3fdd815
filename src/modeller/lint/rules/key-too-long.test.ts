import { expect, test } from "vitest";
import { findingsOf, soundModel, swapped, testRule } from "../lint.test-support.ts";
import { keyTooLong } from "./key-too-long.ts";

const product = "product: { type: S, bytes: 20, mutable: false }";
const sized = (bytes: string) => [product, product.replace("20", bytes)] as const;
const inSort = ["LINE#{position|pad:3}", "LINE#{position|pad:3}#{product}"] as const;
const inPartition = [
  'owner: "O#{orderId}", part: "LINE',
  'owner: "O#{orderId}#{product}", part: "LINE',
] as const;

testRule(keyTooLong, {
  "a sort key above 1 KB": {
    bad: [inSort, sized("{ min: 10, max: 1020 }")],
    at: ["design.tables.Shop.entities.Line.key.part"],
    line: "{product}",
    says: ["sort key in the key of Line in Shop can be too long", "1 KB are the most"],
    good: {
      "a sort key of 800 B": [inSort, sized("800")],
      "the same text in the partition key": [inPartition, sized("1020")],
    },
  },
  "a partition key above 2 KB": {
    bad: [inPartition, sized("2100")],
    at: ["design.tables.Shop.entities.Line.key.owner"],
    line: "{product}",
    says: ["partition key in the key of Line", "2 KB are the most"],
  },
  "a sort key that nearly is": {
    bad: [inSort, sized("1000")],
    at: ["design.tables.Shop.entities.Line.key.part"],
    line: "{product}",
    says: ["nearly too long", "1,009 B"],
  },
});

test("what fits is a warning, what does not is an error", () => {
  const severity = (bytes: string) =>
    findingsOf(keyTooLong, swapped(soundModel, [inSort, sized(bytes)]))[0]?.severity;
  // LINE#, three digits and # before it.
  expect(severity("1015")).toBe("warning");
  expect(severity("1016")).toBe("error");
});
