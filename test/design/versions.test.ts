import { expect, test } from "vitest";
import type { Model } from "../../src/model/model.ts";
import { parseModel } from "../../src/model/parse.ts";
import { Facts } from "../../src/modeller/facts.ts";
import { plansOf } from "../../src/modeller/plans/planner.ts";
import { costModel } from "../../src/workbench/model-cost.ts";
import { designModel, isFailing } from "../../src/workbench/model-design.ts";

const now = Date.UTC(2026, 0, 15, 12);
const timeout = 120_000;

const contracts = (more = ""): string => `keywright: 1
name: contracts
entities:
  Contract:
    id: [contractId]
    count: 100_000
    attributes: { contractId: { type: S, format: ulid }, title: { type: S, bytes: 40 } }
  Text:
    id: [contractId, version]
    count: 1_200_000
    attributes:
      contractId: { type: S, format: ulid }
      version: { type: N, digits: 3 }
      state: { type: S, values: [draft, signed], mutable: false }
      text: { type: S, bytes: 6_000, mutable: false }
      note: { type: S, bytes: 20 }
relations:
  - { from: Contract, to: Text, kind: one-to-many, average: 12, max: 300, identifying: true }
patterns:
  make: { name: Make, create: Contract, condition: absent, rps: 0.1 }
  newest: { name: The newest, read: Text, where: { contractId: equals }, order: { version: descending }, limit: 1, rps: 50 }
  old: { name: An old one, read: Text, where: { contractId: equals, version: equals }, rps: 1 }
  signed: { name: The newest that is signed, read: Text, where: { contractId: equals, state: { equals: signed } }, order: { version: descending }, limit: 1, rps: 1 }
  save: { name: Save, create: Text, condition: absent, rps: 0.3 }
${more}`;

const copied = {
  key: { contractId: "S", part: "S" },
  entities: { Text: { key: { contractId: "{contractId}", part: "TEXT#{version|pad:3}" } } },
  versioning: {
    entity: "Text",
    attribute: "version",
    latest: "copy",
    key: { contractId: "{contractId}", part: "LATEST" },
  },
};

async function designed(text: string) {
  const design = await designModel(text, "contracts.yaml", { now });
  expect(design.refused).toEqual([]);
  expect(isFailing(design)).toBe(false);
  const { design: document, total = 0 } = design.designed ?? {};
  const decision = document?.decisions?.find(({ about }) => about.endsWith(".versioning"));
  return { texts: document?.tables.Texts, total, decision, text: design.text ?? "" };
}

/** What the document would cost if its texts lay in another table. */
function dollarsWith(text: string, table: unknown): number {
  const contractsTable = {
    key: { contractId: "S" },
    entities: { Contract: { key: { contractId: "{contractId}" } } },
  };
  const design = { tables: { Contracts: contractsTable, Texts: table } };
  const { report } = costModel(`${text}design: ${JSON.stringify(design)}\n`, "contracts.yaml");
  return report?.total.average ?? Number.NaN;
}

test("the newest version is the first of a query, and it is told what a copy would cost", {
  timeout,
}, async () => {
  const { texts, total, decision } = await designed(contracts());
  expect(texts).toMatchObject({
    key: { contractId: "S", version: "N" },
    versioning: { entity: "Text", attribute: "version", latest: "query" },
  });
  const [copy] = decision?.rejected ?? [];
  expect(copy?.what).toContain("a copy under a key of its own");
  expect(copy?.perMonth).toBeCloseTo(dollarsWith(contracts(), copied) - total, 1);
  expect(copy?.perMonth).toBeGreaterThan(1);
});

test("who reads the newest in a transaction gets a copy with a key of its own", {
  timeout,
}, async () => {
  const both =
    "  both: { name: Both at one moment, transaction: [{ read: Contract, where: { contractId: equals } }, { read: Text, where: { contractId: equals }, order: { version: descending }, limit: 1 }], rps: 2 }\n";
  const { texts, total, decision } = await designed(contracts(both));
  expect(texts).toMatchObject(copied);
  expect(decision?.why).toContain("in a transaction");
  expect(total).toBeCloseTo(dollarsWith(contracts(both), copied), 2);
  // Without the transaction nobody needs it.
  expect((await designed(contracts())).texts?.versioning?.latest).toBe("query");
});

test("versions that somebody changes have no copy to look at", { timeout }, async () => {
  const mend =
    "  mend: { name: Mend, update: Text, where: { contractId: equals, version: equals }, changes: [note], rps: 0.1 }\n";
  const { texts, decision } = await designed(contracts(mend));
  expect(texts?.versioning?.latest).toBe("query");
  expect(decision).toMatchObject({ why: expect.stringContaining("could not follow") });
  expect(decision?.rejected).toBeUndefined();
});

test("the copy of the newest does not answer who asks for the newest of some", () => {
  const text = `${contracts()}design: ${JSON.stringify({ tables: { Contracts: { key: { contractId: "S" }, entities: { Contract: { key: { contractId: "{contractId}" } } } }, Texts: copied } })}\n`;
  const { model } = parseModel(text, "contracts.yaml");
  const plans = plansOf(Facts.of(model as Model));
  const operations = (id: string) => plans.get(id)?.requests.map((one) => one.operation);
  expect(operations("newest")).toEqual(["GetItem"]);
  expect(operations("signed")).toEqual(["Query"]);
});

test("no scan answers a transaction", () => {
  const by =
    "  by: { name: By state, transaction: [{ read: Text, where: { state: { equals: signed } } }], rps: 1 }\n";
  const text = `${contracts(by)}design: ${JSON.stringify({ tables: { Texts: copied } })}\n`;
  const { model } = parseModel(text, "contracts.yaml");
  const plan = plansOf(Facts.of(model as Model)).get("by");
  expect(plan?.requests).toEqual([]);
  expect(plan?.problem).toContain("by its whole key");
});
