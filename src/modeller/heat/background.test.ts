import { expect, test } from "vitest";
import { loadNamed } from "./heat.test-support.ts";

/** Votes for ten candidates of a show; almost all are for one show. */
const counted = (by: string, more = ""): string => `keywright: 1
name: show
entities:
  Candidate:
    id: [showId, candidateId]
    count: 1_000
    attributes:
      showId: { type: S, bytes: 8, distinct: 100 }
      candidateId: { type: S, bytes: 4 }
      votes: { type: N, digits: 6, counter: true }
  Vote:
    id: [showId, voterId]
    count: 1_000_000
    attributes:
      showId: { type: S, bytes: 8, distinct: 100 }
      voterId: { type: S, format: uuid }
      candidateId: { type: S, bytes: 4 }
patterns:
  vote: { name: Vote, create: Vote, rps: { average: 10, peak: 5_000 }, skew: { key: showId, hottest: 0.9 } }
design:
  tables:
    Candidates:
      key: { showId: S, candidateId: S }
      entities: { Candidate: { key: { showId: "{showId}", candidateId: "{candidateId}" } } }
    Votes:
      key: { box: S, voterId: S }
      entities: { Vote: { key: { box: "{showId}#{shard:10:voterId}", voterId: "{voterId}" } } }
      stream: new-image
${more}      aggregates: [{ of: Vote, into: Candidate.votes, by: ${by} }]
`;

const hottest = (text: string) => loadNamed(text, "Candidates").families[0]?.hottest.write;

test("each change is counted by itself, as unevenly as it is made", () => {
  expect(hottest(counted("stream"))?.units).toEqual({ average: 9, peak: 4_500 });
});

test("a consumer that takes batches writes each candidate once a batch", () => {
  const consumers = "      consumers: [{ name: count, batch: 100, window: 2s }]\n";
  const key = hottest(counted("stream", consumers));
  // At peak 50 full batches with ten candidates each; on average the four shards have 2 batches a second in all,
  // which is more than the nine changes. The other shows' changes go one by one: a hundredth of a tenth.
  expect(key?.lines.map(({ units }) => units.peak)).toEqual([500, expect.closeTo(5, 9)]);
  expect(key?.lines[0]?.units.average).toBe(9);
  const family = loadNamed(counted("stream", consumers), "Candidates").families[0];
  expect(family?.assumptions).toContain(
    "that what keeps Candidate.votes by stream adds up a batch before it writes",
  );
});

test("on a schedule everything that changed is written once, however often it changed", () => {
  const units = hottest(counted("{ schedule: rate(1 minute) }"))?.units;
  // A thousand candidates a minute at most.
  expect(units?.peak).toBeLessThanOrEqual(1_000 / 60);
});
