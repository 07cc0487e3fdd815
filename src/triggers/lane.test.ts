import { describe, expect, test } from "vitest";
import { Lane, type LanePolicy, type Step, type Waiting } from "./lane.ts";
import { payloadBytesMax } from "./limits.ts";

const day = 86_400_000;
const plain: LanePolicy = {
  batchSize: 100,
  windowMs: 0,
  bisect: false,
  retries: undefined,
  maxAgeMs: day,
};

const record = (sequence: number, createdAt = 0, bytes = 10): Waiting => ({
  sequence: String(sequence),
  createdAt,
  json: "{}",
  bytes,
});

function laneOf(policy: Partial<LanePolicy>, count: number, now = 0): Lane {
  const lane = new Lane({ ...plain, ...policy });
  for (let i = 1; i <= count; i += 1) lane.push(record(i), now);
  return lane;
}

/** A step in short: `call 1-3 #1`, `discard 1 RetryAttemptsExhausted #2`, `wait 200`. */
function text(step: Step): string {
  if (step.kind === "wait") return `wait ${step.until ?? "on"}`;
  const sequences = step.records.map(({ sequence }) => sequence);
  const span = sequences.length === 1 ? sequences[0] : `${sequences[0]}-${sequences.at(-1)}`;
  return step.kind === "call"
    ? `call ${span} #${step.calls}`
    : `discard ${span} ${step.reason} #${step.calls}`;
}

const at = (lane: Lane, now: number): string => text(lane.step(now));

/** Lets a lane run by itself; the function fails whenever it is given one of these. */
function run(lane: Lane, bad: readonly string[], stepsMax = 100): string[] {
  const steps: string[] = [];
  let now = 0;
  while (steps.length < stepsMax) {
    const step = lane.step(now);
    steps.push(text(step));
    if (step.kind === "wait") {
      if (step.until === undefined) return steps;
      now = step.until;
    } else if (step.kind === "discard") lane.discarded(step.records.length, now);
    else if (step.records.some(({ sequence }) => bad.includes(sequence))) lane.failed(now);
    else lane.succeeded(now);
  }
  return steps;
}

describe("batches", () => {
  test("an empty lane waits for what comes", () => {
    expect(at(laneOf({}, 0), 5)).toBe("wait on");
  });

  test("without a window, what is there goes at once", () => {
    expect(run(laneOf({}, 3), [])).toEqual(["call 1-3 #1", "wait on"]);
  });

  test("no more than the batch size", () => {
    expect(run(laneOf({ batchSize: 2 }, 5), [])).toEqual([
      "call 1-2 #1",
      "call 3-4 #1",
      "call 5 #1",
      "wait on",
    ]);
  });

  test("a window gathers until it is over", () => {
    const lane = laneOf({ windowMs: 1_000 }, 1, 500);
    expect(at(lane, 500)).toBe("wait 1500");
    lane.push(record(2), 1_400);
    expect(at(lane, 1_499)).toBe("wait 1500");
    expect(at(lane, 1_500)).toBe("call 1-2 #1");
  });

  test("a full batch does not wait for its window", () => {
    const lane = laneOf({ windowMs: 1_000, batchSize: 2 }, 1);
    expect(at(lane, 0)).toBe("wait 1000");
    lane.push(record(2), 10);
    expect(at(lane, 10)).toBe("call 1-2 #1");
  });

  test("the next window opens when the call before it has ended", () => {
    const lane = laneOf({ windowMs: 1_000 }, 1);
    expect(at(lane, 1_000)).toBe("call 1 #1");
    lane.push(record(2), 1_100);
    lane.succeeded(5_000);
    expect(at(lane, 5_000)).toBe("wait 6000");
    expect(at(lane, 6_000)).toBe("call 2 #1");
  });

  test("a window of nothing opens with the first record", () => {
    const lane = laneOf({ windowMs: 1_000 }, 1);
    expect(at(lane, 1_000)).toBe("call 1 #1");
    lane.succeeded(1_000);
    lane.push(record(2), 9_000);
    expect(at(lane, 9_000)).toBe("wait 10000");
  });

  test("an event holds six megabytes at most", () => {
    const lane = new Lane({ ...plain, windowMs: 1_000 });
    // The frame takes 14 bytes, each record a comma.
    const half = (payloadBytesMax - 14) / 2 - 1;
    for (const bytes of [half, half, 1]) lane.push(record(lane.count + 1, 0, bytes), 0);
    // What does not fit proves the batch full: it does not wait for the window.
    expect(at(lane, 0)).toBe("call 1-2 #1");
    const over = new Lane(plain);
    for (const bytes of [half, half + 1]) over.push(record(over.count + 1, 0, bytes), 0);
    expect(at(over, 0)).toBe("call 1 #1");
  });

  test("one record always fits", () => {
    const lane = new Lane(plain);
    lane.push(record(1, 0, payloadBytesMax * 2), 0);
    lane.push(record(2), 0);
    expect(at(lane, 0)).toBe("call 1 #1");
  });
});

describe("failures", () => {
  test("are tried again later and later, without end", () => {
    const lane = laneOf({}, 2);
    const steps = run(lane, ["2"], 20);
    expect(steps.slice(0, 9)).toEqual([
      "call 1-2 #1",
      "wait 200",
      "call 1-2 #2",
      "wait 600",
      "call 1-2 #3",
      "wait 1400",
      "call 1-2 #4",
      "wait 3000",
      "call 1-2 #5",
    ]);
    expect(steps.slice(-3)).toEqual(["wait 42600", "call 1-2 #10", "wait 52600"]);
    expect(lane.first?.sequence).toBe("1");
  });

  test("are given up after the last retry", () => {
    expect(run(laneOf({ retries: 2 }, 2), ["1"])).toEqual([
      "call 1-2 #1",
      "wait 200",
      "call 1-2 #2",
      "wait 600",
      "call 1-2 #3",
      "discard 1-2 RetryAttemptsExhausted #3",
      "wait on",
    ]);
  });

  test("with no retries, at once", () => {
    expect(run(laneOf({ retries: 0, batchSize: 1 }, 2), ["1"])).toEqual([
      "call 1 #1",
      "discard 1 RetryAttemptsExhausted #1",
      "call 2 #1",
      "wait on",
    ]);
  });

  test("hold up what comes after them", () => {
    const lane = laneOf({ batchSize: 1 }, 2);
    expect(at(lane, 0)).toBe("call 1 #1");
    lane.failed(0);
    expect(at(lane, 199)).toBe("wait 200");
    expect(at(lane, 200)).toBe("call 1 #2");
    lane.succeeded(200);
    expect(at(lane, 200)).toBe("call 2 #1");
  });

  test("do not wait when the function has changed", () => {
    const lane = laneOf({}, 1);
    lane.step(0);
    lane.failed(0);
    expect(at(lane, 0)).toBe("wait 200");
    lane.hurry();
    expect(at(lane, 0)).toBe("call 1 #2");
  });

  test("to call are no attempts", () => {
    const lane = laneOf({ retries: 0 }, 1);
    expect(at(lane, 0)).toBe("call 1 #1");
    lane.postponed(50);
    expect(at(lane, 0)).toBe("wait 50");
    expect(at(lane, 50)).toBe("call 1 #1");
  });
});

describe("split batches", () => {
  test("part the bad record from the good ones", () => {
    expect(run(laneOf({ bisect: true, retries: 1 }, 5), ["4"])).toEqual([
      "call 1-5 #1",
      "call 1-3 #2",
      "call 4-5 #2",
      "call 4 #3",
      "wait 200",
      "call 4 #4",
      "discard 4 RetryAttemptsExhausted #4",
      "call 5 #3",
      "wait on",
    ]);
  });

  test("do not count as retries", () => {
    const steps = run(laneOf({ bisect: true, retries: 0 }, 8), ["1"]);
    expect(steps).toEqual([
      "call 1-8 #1",
      "call 1-4 #2",
      "call 1-2 #3",
      "call 1 #4",
      "discard 1 RetryAttemptsExhausted #4",
      "call 2 #4",
      "call 3-4 #3",
      "call 5-8 #2",
      "wait on",
    ]);
  });

  test("are done before what came later", () => {
    const lane = laneOf({ bisect: true, batchSize: 2 }, 3);
    expect(at(lane, 0)).toBe("call 1-2 #1");
    lane.failed(0);
    expect(at(lane, 0)).toBe("call 1 #2");
    lane.succeeded(0);
    expect(at(lane, 0)).toBe("call 2 #2");
    lane.succeeded(0);
    expect(at(lane, 0)).toBe("call 3 #1");
  });
});

describe("partly done batches", () => {
  test("go on from the first that failed", () => {
    const lane = laneOf({ retries: 1 }, 4);
    expect(at(lane, 0)).toBe("call 1-4 #1");
    lane.failedFrom(2, 0);
    expect(lane.first?.sequence).toBe("3");
    expect(at(lane, 0)).toBe("wait 200");
    expect(at(lane, 200)).toBe("call 3-4 #2");
    lane.failedFrom(1, 200);
    expect(at(lane, 200)).toBe("discard 4 RetryAttemptsExhausted #2");
  });

  test("are not split again", () => {
    const lane = laneOf({ bisect: true }, 4);
    lane.step(0);
    lane.failedFrom(1, 0);
    expect(at(lane, 200)).toBe("call 2-4 #2");
  });

  test("of which nothing is done count as failed", () => {
    const lane = laneOf({ retries: 0 }, 2);
    lane.step(0);
    lane.failedFrom(0, 0);
    expect(at(lane, 0)).toBe("discard 1-2 RetryAttemptsExhausted #1");
  });
});

describe("old records", () => {
  const old: Partial<LanePolicy> = { maxAgeMs: 60_000 };

  test("are never handed over", () => {
    const lane = new Lane({ ...plain, ...old });
    lane.push(record(1, 0), 70_000);
    lane.push(record(2, 9_999), 70_000);
    lane.push(record(3, 10_000), 70_000);
    expect(at(lane, 70_000)).toBe("discard 1-2 RecordAgeExceeded #0");
    lane.discarded(2, 70_000);
    expect(at(lane, 70_000)).toBe("call 3 #1");
  });

  test("are given up between retries", () => {
    const lane = laneOf(old, 2);
    lane.step(0);
    lane.failed(0);
    expect(at(lane, 60_000)).toBe("call 1-2 #2");
    lane.failed(60_000);
    expect(at(lane, 60_001)).toBe("discard 1-2 RecordAgeExceeded #2");
  });
});

test("a lane knows what it holds", () => {
  const lane = laneOf({ batchSize: 2 }, 3);
  expect([lane.count, lane.bytes, lane.first?.sequence]).toEqual([3, 30, "1"]);
  lane.step(0);
  expect([lane.count, lane.bytes, lane.first?.sequence]).toEqual([3, 30, "1"]);
  lane.failedFrom(1, 0);
  expect([lane.count, lane.bytes, lane.first?.sequence]).toEqual([2, 20, "2"]);
  lane.step(200);
  lane.succeeded(200);
  expect([lane.count, lane.bytes, lane.first?.sequence]).toEqual([1, 10, "3"]);
  lane.step(200);
  lane.succeeded(200);
  expect([lane.count, lane.bytes, lane.first]).toEqual([0, 0, undefined]);
});

test("steps that were not taken are defects", () => {
  const lane = laneOf({}, 1);
  expect(() => lane.succeeded(0)).toThrow("a step was taken");
  lane.step(0);
  expect(() => lane.step(0)).toThrow("one step at a time");
});
