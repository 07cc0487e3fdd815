import { expect, test } from "vitest";
import { modelOf } from "../model/model.test-support.ts";
import { Facts } from "./facts.ts";
import { plansOf } from "./plans/planner.ts";

const tables: Readonly<Record<string, string>> = {
  bothInTheKey: "key: { partition: [city, country] }",
  onlyTheCity: "key: { partition: city }, projection: [country]",
  onlyTheCountry: "key: { partition: country }, projection: [city]",
};

/** 3,000 shops in 1,000 cities; each city lies in one of 200 countries. */
function answersWith(
  index: string | undefined,
  present = { city: 1, country: 1 },
): number | undefined {
  const model = modelOf(`keywright: 1
name: shops
entities:
  Shop:
    id: [shopId]
    count: 3_000
    attributes:
      shopId: { type: S, format: ulid }
      city: { type: S, bytes: 20, distinct: 1_000, present: ${present.city} }
      country: { type: S, bytes: 2, distinct: 200, present: ${present.country} }
patterns:
  p: { name: P, read: Shop, where: { city: equals, country: equals }, returns: [shopId], rps: 1 }
design:
  tables:
    Shops:
      key: { shopId: S }
      entities: { Shop: { key: { shopId: "{shopId}" } } }
${index === undefined ? "" : `      indexes: { Found: { ${index} } }`}
`);
  const plan = plansOf(Facts.of(model)).get("p");
  const [first] = plan?.requests ?? [];
  return first?.kind === "read" ? first.expected.returned : undefined;
}

test.each([...Object.entries(tables), ["by a scan", undefined]] as const)(
  "a question has as many answers, however it is asked: %s",
  (_, index) => {
    expect(answersWith(index)).toBeCloseTo(3);
    expect(answersWith(index, { city: 1, country: 0.5 })).toBeCloseTo(1.5);
    expect(answersWith(index, { city: 0.5, country: 0.5 })).toBeCloseTo(0.75);
  },
);

test("values that have nothing to do with each other divide what is left", () => {
  const model = modelOf(`keywright: 1
name: shops
entities:
  Shop:
    id: [shopId]
    count: 3_000
    attributes:
      shopId: { type: S, format: ulid }
      city: { type: S, bytes: 20, distinct: 30 }
      area: { type: N, digits: 4, distinct: 10, present: 0.5 }
patterns:
  p: { name: P, read: Shop, where: { city: equals, area: equals }, rps: 1 }
design:
  tables: { Shops: { key: { shopId: S }, entities: { Shop: { key: { shopId: "{shopId}" } } } } }
`);
  const facts = Facts.of(model);
  const shop = model.entities.get("Shop");
  const where = model.patterns.get("p")?.actions[0]?.where;
  if (shop === undefined || where === undefined) throw new Error("there is no pattern");
  expect(facts.passing(shop, [], where).value).toBeCloseTo(1 / 600);
  expect(facts.passing(shop, ["city"], where.slice(1)).value).toBeCloseTo(1 / 20);
});

test("a parent with several attributes in its id tells how many belong to it", () => {
  const model = modelOf(`keywright: 1
name: code
entities:
  Repository:
    id: [owner, repo]
    count: 1_000
    attributes: { owner: { type: S, bytes: 10, distinct: 50 }, repo: { type: S, bytes: 10 } }
  Issue:
    id: [owner, repo, number]
    count: 8_000
    attributes:
      owner: { type: S, bytes: 10, distinct: 50 }
      repo: { type: S, bytes: 10 }
      number: { type: N, digits: 5 }
      author: { type: S, bytes: 10, distinct: 4 }
relations: [{ from: Repository, to: Issue, kind: one-to-many, average: 5, identifying: true }]
patterns:
  p: { name: P, read: Issue, where: { owner: equals, repo: equals, author: equals }, rps: 1 }
`);
  const facts = Facts.of(model);
  const issue = model.entities.get("Issue");
  const where = model.patterns.get("p")?.actions[0]?.where;
  if (issue === undefined || where === undefined) throw new Error("there is no pattern");
  const { cardinality } = facts;
  expect(cardinality.itemsPer(issue, ["owner"])?.value).toBe(160);
  expect(cardinality.itemsPer(issue, ["repo", "owner"])?.value).toBe(5);
  expect(cardinality.itemsPer(issue, ["owner", "author", "repo"])?.value).toBe(1.25);
  expect(cardinality.known(issue, ["repo"])).toEqual([]);
  expect(cardinality.known(issue, ["repo", "owner", "number"])).toEqual(["repo", "owner"]);
  // Among those of an owner: five of 160 are in the repository, and a quarter of them are the author's.
  expect(facts.passing(issue, ["owner"], where.slice(1))).toEqual({
    value: 1.25 / 160,
    assumed: false,
  });
});
