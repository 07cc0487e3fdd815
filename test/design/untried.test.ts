import { expect, test } from "vitest";
import { designModel, modelDesignOutput } from "../../src/workbench/model-design.ts";

const now = Date.UTC(2026, 0, 15, 12);
const timeout = 200_000;

interface Asked {
  readonly more?: string;
  readonly together?: string;
  readonly patterns?: string;
  readonly note?: number;
  readonly text?: number;
  readonly shown?: string;
}

/** An order is made and read with its lines. */
const orders = ({
  more = "",
  together = "",
  patterns = "",
  note = 50,
  text = 30,
  shown = "",
}: Asked = {}): string => `keywright: 1
name: shop
entities:
  Order:
    id: [orderId]
    count: 50_000
    attributes:
      orderId: { type: S, format: ulid }
      note: { type: S, bytes: ${note} }
      state: { type: S, bytes: 6 }
${["Line", ...(more === "" ? [] : more.split(" "))]
  .map(
    (name) => `  ${name}:
    id: [orderId, number]
    count: 150_000
    attributes:
      orderId: { type: S, format: ulid }
      number: { type: N, digits: 3 }
      text: { type: S, bytes: ${text} }`,
  )
  .join("\n")}
relations:
  - { from: Order, to: Line, kind: one-to-many, average: 3, max: 50, identifying: true }
patterns:
  1:
    name: An order
    read: Order
    where: { orderId: equals }
    together: [{ entity: Line, limit: all${shown} }${together}]
    rps: 10
  2: { name: Place, create: Order, condition: absent, rps: 1 }
  3: { name: Add, create: Line, condition: absent, rps: 1 }
${patterns}`;

async function untried(text: string, whole = false): Promise<readonly string[]> {
  const design = await designModel(text, "shop.yaml", { now, whole });
  expect(design.refused).toEqual([]);
  const lines = modelDesignOutput(design, "text").split("\n");
  const said = lines.flatMap((line) => /^Not looked at: (.*)\.$/.exec(line)?.[1] ?? []);
  const json = JSON.parse(modelDesignOutput(design, "json")) as { untried: readonly string[] };
  expect(json.untried).toEqual(said);
  return said;
}

test("nothing is said where everything was looked at", { timeout }, async () => {
  expect(await untried(orders())).toEqual([]);
});

test("what lies inside of something that lies under one key with others", { timeout }, async () => {
  const text = orders({ more: "Parcel", together: ", { entity: Parcel, limit: all }" });
  expect(await untried(text)).toEqual([
    "Line inside of Order where that lies under one key with Parcel",
  ]);
  // Who wants whole items does not want that.
  expect(await untried(text, true)).toEqual([]);
});

test("parts of something that lies under one key with others, or has them inside", {
  timeout,
}, async () => {
  const change =
    "  4: { name: Go on, update: Order, where: { orderId: equals }, changes: [state], rps: 2 }";
  expect(await untried(orders({ patterns: change, note: 3_000 }))).toEqual([
    "other parts of Order in items of their own where it lies under one key with Line",
    "parts of Order in items of their own with Line inside of it",
  ]);
});

test("parts of several under one key at once", { timeout }, async () => {
  const shown = ", returns: [number]";
  const together = `, { entity: Parcel, limit: all${shown} }`;
  expect(await untried(orders({ more: "Parcel", together, text: 500, shown }))).toContain(
    "parts of Line and Parcel in items of their own at once where they lie under one key",
  );
});

test("some of many under one key", { timeout }, async () => {
  const names = ["Parcel", "Bill", "Refund"];
  const together = names.map((name) => `, { entity: ${name}, limit: all }`).join("");
  expect(await untried(orders({ more: names.join(" "), together }))).toContain(
    "some of Line, Parcel, Bill and Refund under one key with Order: each and all of them were",
  );
});

const votes = (count: number): string => `keywright: 1
name: votes
entities:
  Candidate:
    id: [candidateId]
    count: 1_000
    attributes:
      candidateId: { type: S, format: ulid }
${Array.from({ length: count }, (_, i) => `      n${i}: { type: N, digits: 9, keeps: { sum: Vote.w${i} }, staleness: accepted }`).join("\n")}
  Vote:
    id: [voteId]
    count: 5_000
    attributes:
      voteId: { type: S, format: ulid }
      candidateId: { type: S, format: ulid, mutable: false }
${Array.from({ length: count }, (_, i) => `      w${i}: { type: N, digits: 3 }`).join("\n")}
relations: [{ from: Candidate, to: Vote, kind: one-to-many, average: 5 }]
patterns:
  one: { name: A candidate, read: Candidate, where: { candidateId: equals }, rps: 5 }
  vote: { name: Vote, create: Vote, condition: absent, rps: 1 }
`;

test("all ways to keep more than four numbers", { timeout }, async () => {
  expect(await untried(votes(2))).toEqual([]);
  expect(await untried(votes(5))).toEqual([
    "all ways to keep Candidate.n0, Candidate.n1, Candidate.n2, Candidate.n3 and Candidate.n4 at once: they were chosen one after the other",
  ]);
});
