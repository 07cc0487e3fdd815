import { Random } from "../random.ts";
import { type Client, Run } from "./concurrent.ts";
import { Accounts } from "./concurrent-accounts.ts";
import { Churn, Indexes } from "./concurrent-indexes.ts";
import { Logs } from "./concurrent-logs.ts";
import type { Target } from "./target.ts";

const clientsEach = 6;
const parts = 5;

/**
 * All scenarios at once, in parts; after each the store is closed and opened again, and everything is
 * checked. The seed fixes what each client does, not how their requests interleave.
 */
export async function simulateClients(
  open: () => Promise<Target>,
  seed: number,
  steps: number,
): Promise<{ operations: number; problems: readonly string[] }> {
  const target = await open();
  try {
    const run = new Run(target);
    const scenarios = [new Logs(run), new Accounts(run), new Indexes(run), new Churn(run)];
    for (const scenario of scenarios) await scenario.prepare();
    const drawn = scenarios.flatMap((scenario, s) =>
      Array.from({ length: clientsEach }, (_, number) => ({
        client: scenario.client(number),
        random: new Random(seed * 1_000 + s * 100 + number),
      })),
    );
    const part = async ({ client, random }: { client: Client; random: Random }) => {
      for (let step = 0; step < steps / parts; step += 1) {
        await client.step(random);
        // Lets others in between, also where a store answers at once.
        if (random.chance(0.3)) await new Promise(setImmediate);
      }
    };
    const problems: string[] = [];
    for (let done = 0; done < parts && problems.length === 0; done += 1) {
      await Promise.all(drawn.map(part));
      await target.reopen();
      for (const scenario of scenarios) await scenario.check();
      problems.push(...run.problems, ...(await target.verify()));
    }
    return { operations: run.operations, problems };
  } finally {
    await target.close();
  }
}
