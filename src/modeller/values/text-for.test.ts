import fc from "fast-check";
import { expect, test } from "vitest";
import { SeededRandom } from "../../base/random.ts";
import { serialText, textFor } from "./text-for.ts";

const names = [
  "email name title description status city street html handle photoKey token firmware phone zipCode",
  "country currency code url ip colour firstName lastName whatever note tags language siteId version",
].flatMap((line) => line.split(" "));

test("texts have exactly the bytes that are asked for, whatever they are for", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 41, max: 9_000 })),
      fc.integer(),
      fc.constantFrom("Customer", "Product"),
      (attribute, bytes, seed, entity) => {
        const purpose = { entity, attribute, personal: false };
        const text = textFor(purpose, bytes, new SeededRandom(seed, 1));
        expect(Buffer.byteLength(text)).toBe(bytes);
        expect(text).toBe(textFor(purpose, bytes, new SeededRandom(seed, 1)));
        expect(text).toBe(text.trim());
      },
    ),
    { numRuns: 500 },
  );
});

test("serial texts have the size, and differ as long as they can", () => {
  expect(serialText("siteId", 8, 7)).toBe("site-007");
  expect(serialText("siteId", 4, 7)).toBe("0007");
  expect(serialText("deviceSerialNumber", 8, 12)).toBe("devi-012");
  for (const bytes of [3, 5, 8, 20]) {
    const texts = Array.from({ length: 900 }, (_, i) => serialText("orderId", bytes, i));
    expect(new Set(texts).size).toBe(900);
    expect(texts.every((text) => text.length === bytes)).toBe(true);
  }
});

test("what is called an address of mail looks like one", () => {
  const random = new SeededRandom(1, 1);
  for (let bytes = 12; bytes < 60; bytes += 1) {
    const text = textFor({ entity: "Customer", attribute: "email", personal: true }, bytes, random);
    expect(text).toMatch(/^[a-z.0-9]+@[a-z.]+\.(example|com|net|org)$|^[a-z]+@a\.example$/);
  }
});
