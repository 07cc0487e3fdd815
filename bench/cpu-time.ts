import { median } from "./statistics.ts";

export interface TimingOptions {
  readonly batchMs: number;
  readonly batches: number;
}

/** The optimising compiler takes its time. */
const warmUpCalls = 10_000;

/** What is stored here keeps the optimiser from leaving the work out. */
export let kept: unknown;

/**
 * CPU microseconds of one call, garbage collection included: the median of several batches. CPU time
 * rather than elapsed time, because a busy machine does not change it much.
 */
export function cpuOf(
  run: (index: number) => unknown,
  { batchMs, batches }: TimingOptions,
): number {
  let index = 0;
  const batch = (count: number): number => {
    const before = process.cpuUsage();
    for (let i = 0; i < count; i += 1) {
      kept = run(index);
      index += 1;
    }
    return microsecondsSince(before) / count;
  };
  const count = Math.ceil((batchMs * 1_000) / Math.max(batch(warmUpCalls), 0.01));
  batch(count);
  return median(Array.from({ length: batches }, () => batch(count))) ?? 0;
}

/**
 * The same for calls that answer later. So many begin in each turn of the event loop, as they do in a
 * server with so many connections.
 */
export async function cpuOfAsync(
  run: (index: number) => unknown,
  width: number,
  { batchMs, batches }: TimingOptions,
): Promise<number> {
  let index = 0;
  const batch = async (turns: number): Promise<number> => {
    const before = process.cpuUsage();
    for (let turn = 0; turn < turns; turn += 1) {
      const answers: unknown[] = [];
      for (let i = 0; i < width; i += 1) {
        answers.push(run(index));
        index += 1;
      }
      kept = await Promise.all(answers);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return microsecondsSince(before) / (turns * width);
  };
  const first = await batch(Math.ceil(warmUpCalls / width));
  const turns = Math.ceil((batchMs * 1_000) / Math.max(first, 0.01) / width);
  const found: number[] = [];
  for (let i = 0; i < batches; i += 1) found.push(await batch(turns));
  return median(found) ?? 0;
}

export function microsecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
