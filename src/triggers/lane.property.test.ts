import fc from "fast-check";
import { expect, test } from "vitest";
import { Lane, type LanePolicy } from "./lane.ts";

/** What happens to a lane between two steps, and what the function makes of a call. */
type Event =
  | { readonly kind: "push"; readonly count: number; readonly bytes: number }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "answer"; readonly outcome: "done" | "failed" | "unusable" | "hurry" }
  | { readonly kind: "partly"; readonly share: number };

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    kind: fc.constant("push" as const),
    count: fc.integer({ min: 1, max: 12 }),
    bytes: fc.constantFrom(10, 1_000_000, 4_000_000),
  }),
  fc.record({ kind: fc.constant("pass" as const), ms: fc.constantFrom(1, 200, 5_000, 70_000) }),
  fc.record({
    kind: fc.constant("answer" as const),
    outcome: fc.constantFrom("done", "failed", "unusable", "hurry"),
  }),
  fc.record({
    kind: fc.constant("partly" as const),
    share: fc.double({ min: 0, max: 0.99, noNaN: true }),
  }),
);

const policy: fc.Arbitrary<LanePolicy> = fc.record({
  batchSize: fc.constantFrom(1, 3, 10, 100),
  windowMs: fc.constantFrom(0, 1_000),
  bisect: fc.boolean(),
  retries: fc.constantFrom(undefined, 0, 1, 3),
  maxAgeMs: fc.constantFrom(60_000, 86_400_000),
});

test("whatever happens, records go in order, and each is done with exactly once", () => {
  fc.assert(
    fc.property(policy, fc.array(event, { maxLength: 60 }), (rules, events) => {
      const lane = new Lane(rules);
      let now = 0;
      let pushed = 0;
      /** The record after the last one that is done with: all before it are. */
      let next = 1;
      const finish = (records: readonly { readonly sequence: string }[]): void => {
        for (const { sequence } of records) {
          expect(Number(sequence)).toBe(next);
          next += 1;
        }
      };
      const push = (count: number, bytes: number): void => {
        for (let i = 0; i < count; i += 1) {
          pushed += 1;
          lane.push({ sequence: String(pushed), createdAt: now, json: "", bytes }, now);
        }
      };
      /** Takes steps until it has to wait; answers each call with what is at hand. */
      const run = (answers: Event[]): number | undefined => {
        for (;;) {
          const step = lane.step(now);
          if (step.kind === "wait") return step.until;
          // Every step is about the oldest records that are left.
          expect(Number(step.records[0]?.sequence)).toBe(next);
          if (step.kind === "discard") {
            finish(step.records);
            lane.discarded(step.records.length, now);
            continue;
          }
          expect(step.records.length).toBeLessThanOrEqual(rules.batchSize);
          const bytes = step.records.reduce((sum, record) => sum + record.bytes, 0);
          expect(bytes <= 6 * 1_024 * 1_024 || step.records.length === 1).toBe(true);
          const answer = answers.shift();
          if (answer?.kind === "partly") {
            const index = Math.floor(answer.share * step.records.length);
            finish(step.records.slice(0, index));
            lane.failedFrom(index, now);
          } else if (answer?.kind === "answer" && answer.outcome === "failed") lane.failed(now);
          else if (answer?.kind === "answer" && answer.outcome === "unusable") {
            lane.postponed(now + 1);
          } else {
            finish(step.records);
            lane.succeeded(now);
          }
        }
      };
      const answers: Event[] = [];
      for (const one of events) {
        if (one.kind === "push") push(one.count, one.bytes);
        else if (one.kind === "pass") now += one.ms;
        else answers.push(one);
        if (one.kind === "answer" && one.outcome === "hurry") lane.hurry();
        run(answers);
        expect(lane.count).toBe(pushed - next + 1);
        expect(Number(lane.first?.sequence ?? pushed + 1)).toBe(next);
      }
      // In the end the function succeeds, and nothing is left.
      for (let until = run([]); until !== undefined; until = run([])) now = until;
      expect([next, lane.count, lane.bytes]).toEqual([pushed + 1, 0, 0]);
    }),
    { numRuns: 500 },
  );
});
