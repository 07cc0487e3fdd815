import { describe, expect, test } from "vitest";
import type { DecisionDocument } from "../../src/model/document-design.ts";
import type { Pattern } from "../../src/model/requirements.ts";
import { Facts } from "../../src/modeller/facts.ts";
import { planOf } from "../../src/modeller/plans/planner.ts";
import { costModel } from "../../src/workbench/model-cost.ts";
import {
  type DesignOptions,
  designModel,
  isFailing,
  modelDesignOutput,
} from "../../src/workbench/model-design.ts";
import { parsedModel } from "../../src/workbench/model-parse.ts";

const now = Date.UTC(2026, 0, 15, 12);

interface Asked {
  readonly keeps?: string;
  readonly staleness?: string;
  readonly candidates?: number;
  /** Votes for each candidate. */
  readonly each?: number;
  readonly vote?: string;
  readonly rate?: string;
  readonly more?: string;
}

const votes = ({
  keeps = "{ count: Vote }",
  staleness = "accepted",
  candidates = 1_000,
  each = 5_000,
  vote = "condition: absent",
  rate = "{ average: 100, peak: 150 }",
  more = "",
}: Asked): string => `keywright: 1
name: votes
entities:
  Candidate:
    id: [candidateId]
    count: ${candidates}
    attributes:
      candidateId: { type: S, format: ulid }
      name: { type: S, bytes: 40 }
      votes: { type: N, digits: 9, keeps: ${keeps}, staleness: ${staleness} }
  Vote:
    id: [voteId]
    count: ${candidates * each}
    attributes:
      voteId: { type: S, format: ulid }
      candidateId: { type: S, format: ulid, mutable: false }
      weight: { type: N, digits: 3 }
relations: [{ from: Candidate, to: Vote, kind: one-to-many, average: ${each} }]
patterns:
  one: { name: A candidate, read: Candidate, where: { candidateId: equals }, rps: { average: 50, peak: 90 } }
  found: { name: New, create: Candidate, condition: absent, rps: { average: 0.1, peak: 1 } }
  vote: { name: Vote, create: Vote, ${vote}, rps: ${rate} }
  look: { name: A vote, read: Vote, where: { voteId: equals }, rps: { average: 5, peak: 9 } }
${more}`;

const undo =
  "  undo: { name: Take it back, delete: Vote, where: { voteId: equals }, rps: { average: 1, peak: 2 } }\n";
const weigh =
  "  weigh: { name: Weigh, update: Vote, where: { voteId: equals }, changes: [weight], rps: { average: 1, peak: 2 } }\n";

/** A design that is proved and costs what was said, and how its number is kept. */
async function kept(text: string, options: Omit<DesignOptions, "now"> = {}) {
  const design = await designModel(text, "votes.yaml", { now, ...options });
  expect(design.refused).toEqual([]);
  expect(isFailing(design)).toBe(false);
  const { report } = costModel(design.text ?? "", "votes.yaml");
  expect(report?.total.average).toBeCloseTo(design.designed?.total ?? 0, 2);
  expect(report?.missing).toEqual([]);
  // What is read by a scan is told there, too.
  const wrong = ["cross-references", "indexes-used", "hot-partitions", "sizes-below-limits"];
  expect(design.checks?.wrong.filter((one) => wrong.includes(one))).toEqual([]);
  const document = design.designed?.design;
  const table = Object.values(document?.tables ?? {}).find(({ aggregates }) => aggregates);
  const decision = document?.decisions?.find(({ about }) => about.startsWith("entities."));
  return { design, document, table, by: table?.aggregates?.[0]?.by, decision };
}

async function refusal(text: string): Promise<readonly string[]> {
  const { refused, designed } = await designModel(text, "votes.yaml", { now });
  expect(designed).toBeUndefined();
  return refused;
}

function rejectedIn(decision: DecisionDocument | undefined, what: string) {
  return decision?.rejected?.find((one) => one.what.includes(what));
}

describe("a number that is kept", { timeout: 120_000 }, () => {
  test("and may be behind is kept by a stream, if that is the cheapest", async () => {
    const { by, table, document, decision, design } = await kept(votes({}));
    expect(by).toBe("stream");
    expect(table).toMatchObject({
      stream: "new-image",
      consumers: [{ purpose: "keeps Candidate.votes", filter: { eventName: ["INSERT"] } }],
      aggregates: [{ of: "Vote", into: "Candidate.votes", by: "stream" }],
    });
    expect(document?.tradeoffs).toEqual([
      "Candidate.votes is some seconds behind, and a record that comes twice counts twice",
    ]);
    // A transaction costs two units more for the vote and the candidate each time: 100 a second, at $0.625 a million.
    const perMonth = 100 * 2 * 730 * 3_600 * 0.625e-6;
    expect(rejectedIn(decision, "transactions")?.perMonth).toBeCloseTo(perMonth, 2);
    expect(rejectedIn(decision, "every minute")?.perMonth).toBeGreaterThan(0);
    const text = modelDesignOutput(design, "text");
    expect(text).toContain(
      "Candidate.votes: the number of Vote, by a stream, some seconds behind\n",
    );
    expect(text).toContain("$328.50 more: in the transactions that write it");
  });

  test("is counted anew where many come for few, and the same number of many is not", async () => {
    const few = await kept(votes({ candidates: 20, each: 60_000, rate: "1000" }));
    expect(few.by).toEqual({ schedule: "rate(1 minute)" });
    expect(rejectedIn(few.decision, "stream")?.perMonth).toBeGreaterThan(1_000);
    expect(few.document?.tradeoffs).toEqual(["Candidate.votes is up to a minute behind"]);
    const many = await kept(votes({ candidates: 120_000, each: 10, rate: "1000" }));
    expect(many.by).toBe("stream");
  });

  test("and must not be behind is kept by transactions, also when something goes", async () => {
    const { by, table, decision, document } = await kept(
      votes({ staleness: "refused", more: undo }),
    );
    expect(by).toBe("transaction");
    expect(table?.stream).toBeUndefined();
    expect(decision?.why).toBe("it must not be behind");
    expect(rejectedIn(decision, "stream")?.why).toBe("it must not be behind");
    expect(document?.tradeoffs).toBeUndefined();
    const sum = await kept(
      votes({ staleness: "refused", keeps: "{ sum: Vote.weight }", more: undo }),
    );
    expect(sum.table?.aggregates).toEqual([
      {
        of: "Vote",
        into: "Candidate.votes",
        what: "sum",
        attribute: "weight",
        by: "transaction",
      },
    ]);
  });

  test("says that what is put again counts again", async () => {
    const { document } = await kept(votes({ staleness: "refused", vote: "status: solved" }));
    expect(document?.tradeoffs).toEqual([
      "a Vote that pattern vote puts again counts twice in Candidate.votes: it has no condition: absent",
    ]);
  });

  test("is not written in transactions where one item would be too hot", async () => {
    const hot = {
      rate: "{ average: 100, peak: 4000 }, skew: { key: candidateId, hottest: 0.5 }",
    };
    const { by, decision } = await kept(votes(hot));
    expect(by).toBe("stream");
    const why =
      "at peak the hottest key of Candidates takes 4,000 write units a second, of which one partition gives 1,000, and all of that falls on one item";
    expect(rejectedIn(decision, "transactions")).toMatchObject({ why });
    expect(await refusal(votes({ ...hot, staleness: "refused" }))).toEqual([
      expect.stringContaining(`No table design can store Candidate: ${why}.`),
      "Candidate.votes is written with every change of Vote. If it may be some seconds stale (staleness: accepted), a stream can keep it.",
    ]);
    const cool = "{ average: 100, peak: 900 }, skew: { key: candidateId, hottest: 0.5 }";
    const { by: cooler } = await kept(votes({ staleness: "refused", rate: cool }));
    expect(cooler).toBe("transaction");
  });

  test("that is the greatest cannot be told by a transaction", async () => {
    const greatest = { keeps: "{ max: Vote.weight }" };
    const { by, decision } = await kept(votes(greatest));
    expect(by).toBe("stream");
    expect(rejectedIn(decision, "transactions")?.why).toContain("cannot tell which is greater");
    expect(await refusal(votes({ ...greatest, staleness: "refused" }))).toEqual([
      expect.stringContaining(
        "no transaction can keep it: a transaction can add, and cannot tell which is greater.",
      ),
    ]);
    // When the greatest goes, only counting anew finds the next one.
    const gone = await kept(votes({ ...greatest, more: undo }));
    expect(gone.by).toEqual({ schedule: "rate(1 minute)" });
    expect(rejectedIn(gone.decision, "stream")?.why).toContain("is not known when one goes");
  });

  test("of what changes follows by a stream that tells what it was", async () => {
    const summed = { keeps: "{ sum: Vote.weight }", more: weigh };
    const { table } = await kept(votes(summed));
    expect(table).toMatchObject({
      stream: "new-and-old-images",
      consumers: [{ filter: { eventName: ["INSERT", "MODIFY"] } }],
    });
    expect(await refusal(votes({ ...summed, staleness: "refused" }))).toEqual([
      expect.stringContaining(
        "no transaction can keep it: pattern weigh changes Vote.weight, and what it was is not known to it.",
      ),
    ]);
  });

  test("can be what an index is sorted by, which is then written with it", async () => {
    const top = (rps: number): string =>
      votes({
        more: `  top: { name: Top, read: Candidate, order: { votes: descending }, limit: 10, rps: { average: ${rps}, peak: 200 } }\n`,
      });
    const often = await kept(top(100));
    expect(Object.keys(often.document?.tables.Candidates?.indexes ?? {})).toHaveLength(1);
    // An entry is written with each vote, so that counting anew is cheaper, and has an index to count by.
    expect(often.by).toEqual({ schedule: "rate(1 minute)" });
    expect(often.document?.tables.Votes?.indexes).toMatchObject({
      VotesByCandidate: { purpose: "keeps the count of Vote in Candidate.votes" },
    });
    const seldom = await kept(top(0.001));
    expect(seldom.document?.tables.Candidates?.indexes).toBeUndefined();
    expect(seldom.by).toBe("stream");
  });

  test("that a pattern sees to itself is left to it", async () => {
    const own =
      "  own: { name: Vote, transaction: [{ create: Vote, condition: absent }, { update: Candidate, where: { candidateId: equals }, adds: { votes: 1 } }], rps: 100 }\n";
    const text = votes({ more: own }).replace(/ {2}vote: .*\n/, "");
    const design = await designModel(text, "votes.yaml", { now });
    expect(design.refused).toEqual([]);
    expect(design.designed?.design.tables.Votes?.aggregates).toBeUndefined();
  });

  test("of several that are written at once is no matter of a transaction", async () => {
    const several = { vote: "batch: 10", staleness: "refused" };
    expect(await refusal(votes(several))).toEqual([
      expect.stringContaining(
        "no transaction can keep it: pattern vote writes several Vote at once, and a transaction names an item once.",
      ),
    ]);
  });

  test("stays as it is kept if its table stays, and others read the stream on", async () => {
    const first = await kept(votes({}));
    const byHand = (first.design.text ?? "").replaceAll("by: stream", "by: transaction");
    const stays = await kept(byHand, { keep: "Votes" });
    expect(stays.by).toBe("transaction");
    expect(stays.decision).toBeUndefined();
    const search = (first.design.text ?? "").replace("vote-numbers", "search");
    const again = await kept(search, { replace: true });
    expect(again.table?.consumers?.map(({ name }) => name)).toEqual(["vote-numbers", "search"]);
    const bare = byHand.replace(/ {6}aggregates:\n(?: {8}.*\n)+/, "");
    const added = await kept(bare, { keep: "all" });
    expect(added.by).toBe("stream");
  });
});

test("numbers that hang together are chosen together", { timeout: 120_000 }, async () => {
  const two = votes({}).replace(
    "      votes:",
    "      weight: { type: N, digits: 9, keeps: { sum: Vote.weight }, staleness: refused }\n      votes:",
  );
  const both = await kept(two);
  expect(both.table?.aggregates?.map(({ into, by }) => [into, by])).toEqual([
    ["Candidate.weight", "transaction"],
    ["Candidate.votes", "transaction"],
  ]);
  // What is in the same item is written by the same update.
  const { model } = parsedModel(both.design.text ?? "", "votes.yaml");
  const plan = model && planOf(Facts.of(model), model.patterns.get("vote") as Pattern);
  const written = plan?.requests.flatMap((one) => (one.kind === "write" ? one.actions : []));
  expect(written?.map(({ kind, record, because }) => [kind, record.name, because])).toEqual([
    ["put", "Vote", undefined],
    ["update", "Candidate", "keeps Candidate.weight, Candidate.votes"],
  ]);
  const about = both.document?.decisions?.filter(({ about: what }) => what.startsWith("entities."));
  expect(about?.map(({ about: what }) => what)).toEqual([
    "entities.Candidate.attributes.weight",
    "entities.Candidate.attributes.votes",
  ]);
});
