import { describe, expect, test } from "vitest";
import { fullJitter } from "./backoff.ts";
import {
  cancellationReasons,
  failedMembers,
  isConditionFailed,
  isPassing,
  isThrottled,
} from "./errors.ts";
import { mapBounded } from "./parallel.ts";
import { requestToken, retried, sendTransaction } from "./retry.ts";

const failure = (name: string, more: object = {}) => Object.assign(new Error(name), { name }, more);
const cancelled = (...codes: string[]) =>
  failure("TransactionCanceledException", { CancellationReasons: codes.map((Code) => ({ Code })) });

/** Rests that take no time and are written down. */
function restless(random = () => 1) {
  const rests: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => {
    rests.push(milliseconds);
  };
  return { rests, options: { sleep, random } };
}

describe("errors of the service", () => {
  test("are told by their names", () => {
    expect(isConditionFailed(failure("ConditionalCheckFailedException"))).toBe(true);
    expect(isConditionFailed(cancelled("ConditionalCheckFailed"))).toBe(false);
    expect(isThrottled(failure("ThrottlingException"))).toBe(true);
    for (const strange of [undefined, null, "x", {}, { name: 1 }]) {
      expect(isPassing(strange)).toBe(false);
      expect(isConditionFailed(strange)).toBe(false);
    }
  });

  test("of transactions say which member failed", () => {
    const error = cancelled("None", "ConditionalCheckFailed", "None", "ConditionalCheckFailed");
    expect(failedMembers(error)).toEqual([1, 3]);
    expect(failedMembers(failure("ValidationException"))).toEqual([]);
    expect(cancellationReasons(failure("TransactionCanceledException"))).toEqual([]);
  });

  test("pass if nothing but others is in the way", () => {
    expect(isPassing(cancelled("None", "TransactionConflict"))).toBe(true);
    expect(isPassing(cancelled("ThrottlingError"))).toBe(true);
    expect(isPassing(cancelled("TransactionConflict", "ConditionalCheckFailed"))).toBe(false);
    expect(isPassing(cancelled("ValidationError"))).toBe(false);
    expect(isPassing(cancelled())).toBe(false);
    expect(isPassing(failure("TransactionConflictException"))).toBe(true);
    expect(isPassing(failure("TransactionInProgressException"))).toBe(true);
    expect(isPassing(failure("ConditionalCheckFailedException"))).toBe(false);
  });
});

describe("rests", () => {
  test("double up to a cap, and are anything below", () => {
    const most = [0, 1, 2, 9].map((attempt) => fullJitter(attempt, { random: () => 1 }));
    expect(most).toEqual([50, 100, 200, 5_000]);
    expect(fullJitter(3, { random: () => 0 })).toBe(0);
    expect(fullJitter(1, { random: () => 0.5, base: 10, cap: 15 })).toBe(7.5);
  });
});

describe("retries", () => {
  test("go on while it helps", async () => {
    const { rests, options } = restless();
    const answer = await retried(async (attempt) => {
      if (attempt < 3) throw cancelled("TransactionConflict");
      return attempt;
    }, options);
    expect(answer).toBe(3);
    expect(rests).toEqual([50, 100, 200]);
  });

  test("end at once if it does not help, and after the last attempt", async () => {
    const { rests, options } = restless();
    const refused = failure("ConditionalCheckFailedException");
    await expect(retried(() => Promise.reject(refused), options)).rejects.toBe(refused);
    expect(rests).toEqual([]);
    const throttled = failure("ThrottlingException");
    let calls = 0;
    const task = () => {
      calls += 1;
      return Promise.reject(throttled);
    };
    await expect(retried(task, { ...options, attempts: 3 })).rejects.toBe(throttled);
    expect([calls, rests.length]).toEqual([3, 2]);
  });

  test("of a transaction carry one token", async () => {
    const { options } = restless();
    const tokens: string[] = [];
    const send = async (input: { ClientRequestToken: string }): Promise<string> => {
      tokens.push(input.ClientRequestToken);
      if (tokens.length < 3) throw cancelled("TransactionConflict");
      return "done";
    };
    expect(await sendTransaction(send, {}, options)).toBe("done");
    expect(new Set(tokens).size).toBe(1);
    expect(tokens[0]).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    await sendTransaction(send, { ClientRequestToken: "mine" }, options);
    expect(tokens.at(-1)).toBe("mine");
    expect(requestToken()).not.toBe(requestToken());
  });
});

describe("tasks side by side", () => {
  test("are so many at once, and answer in order", async () => {
    let running = 0;
    let most = 0;
    const answers = await mapBounded([5, 1, 4, 2, 3], 2, async (item) => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
      running -= 1;
      return item * 10;
    });
    expect(answers).toEqual([50, 10, 40, 20, 30]);
    expect(most).toBe(2);
    expect(await mapBounded([], 4, async () => 1)).toEqual([]);
    expect(await mapBounded([1], Number.NaN, async (item) => item)).toEqual([1]);
  });

  test("stop at the first failure, after what is under way", async () => {
    const started: number[] = [];
    const task = async (item: number) => {
      started.push(item);
      await Promise.resolve();
      if (item === 1) throw new Error("one");
      return item;
    };
    await expect(mapBounded([0, 1, 2, 3, 4, 5, 6, 7], 2, task)).rejects.toThrow("one");
    expect(started.length).toBeLessThan(5);
  });
});
