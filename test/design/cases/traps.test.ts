import { expect, test } from "vitest";
import { modelOf } from "../../../src/model/model.test-support.ts";
import { traps } from "./traps.ts";

const design = (sort: string, unique: string): string => `keywright: 1
name: trapped
entities:
  Order:
    id: [shop, number]
    count: 1_000
    attributes:
      shop: { type: S, bytes: 8, distinct: 1 }
      number: { type: N, digits: 5 }
      code: { type: S, bytes: 8, unique: true, mutable: false }
      state: { type: S, values: [open, done] }
patterns:
  place: { name: Place, create: Order, condition: absent, rps: { average: 10, peak: 1_500 } }
  finish: { name: Finish, update: Order, where: { shop: equals, number: equals }, changes: [state], rps: { average: 1, peak: 1 } }
design:
  tables:
    Orders:
      key: { shop: S, sort: S }
      entities: { Order: { key: { shop: "{shop}", sort: "${sort}" } } }
${unique}`;

const guard = `      unique: [{ entity: Order, attribute: code, key: { shop: "CODE#{code}", sort: CODE } }]
`;

test("each trap is seen by whoever falls into it", () => {
  const fallen = (text: string): readonly string[] =>
    Object.entries(traps).flatMap(([name, falls]) =>
      falls(modelOf(text)).length > 0 ? [name] : [],
    );
  expect(fallen(design("{state}#{number}", ""))).toEqual(Object.keys(traps));
  const quiet = design("NR#{number|pad:5}", guard).replace("peak: 1_500", "peak: 100");
  expect(fallen(quiet)).toEqual([]);
});
