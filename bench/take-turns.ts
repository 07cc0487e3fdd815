import { type ChildProcess, fork } from "node:child_process";
import { median } from "./statistics.ts";

/** Programs that do the same work in different ways, each in a process of its own. */
export class Rivals<Task extends string> {
  readonly #children: readonly ChildProcess[];

  private constructor(children: readonly ChildProcess[]) {
    this.#children = children;
  }

  /** Starts this program once with each of the arguments; resolves when all have said that they are ready. */
  static async start<Task extends string>(variants: readonly string[]): Promise<Rivals<Task>> {
    const children = variants.map((variant) => fork(process.argv[1] as string, [variant]));
    const rivals = new Rivals<Task>(children);
    try {
      await Promise.all(children.map((child) => next(child)));
    } catch (error) {
      rivals.stop();
      throw error;
    }
    return rivals;
  }

  /**
   * What each answers to the task, in the median of the rounds. A round is cut into pieces that take turns: what
   * else the machine does then hits all alike. The first round warms up and is not counted.
   */
  async measure(task: Task, rounds: number, pieces: number): Promise<readonly number[]> {
    const found = this.#children.map((): number[] => []);
    for (let round = 0; round <= rounds; round += 1) {
      const sums = this.#children.map(() => 0);
      for (let piece = 0; piece < pieces; piece += 1) {
        for (let i = 0; i < this.#children.length; i += 1) {
          const at = (i + piece) % this.#children.length;
          const child = this.#children[at] as ChildProcess;
          child.send(task);
          sums[at] = (sums[at] as number) + (await next<number>(child)) / pieces;
        }
      }
      if (round === 0) continue;
      for (const [i, figure] of sums.entries()) found[i]?.push(figure);
    }
    return found.map((each) => median(each) ?? 0);
  }

  stop(): void {
    for (const child of this.#children) child.kill();
  }
}

/** The other side: answers a figure to each task. */
export function answerTasks<Task extends string>(answer: (task: Task) => Promise<number>): void {
  process.on("message", async (task: Task) => {
    process.send?.(await answer(task));
  });
  process.send?.("ready");
}

function next<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error("a variant ended early"));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message as T);
    });
  });
}
