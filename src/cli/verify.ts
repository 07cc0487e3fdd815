import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { openWorkbench } from "../workbench/workbench.ts";
import { textOption } from "./options.ts";
import { UsageError } from "./usage-error.ts";

/** `keywright verify`: compares indexes and counters with the items; answers with the exit code. */
export async function verify(args: readonly string[]): Promise<number> {
  const folder = textOption(args, "--data");
  if (folder === undefined) throw new UsageError("keywright verify needs --data DIR.");
  const data = resolve(folder);
  if (!existsSync(data)) throw new Error(`There is no data folder at ${data}.`);
  const workbench = await openWorkbench({ data });
  try {
    const report = await workbench.verify();
    for (const problem of report.problems) process.stdout.write(`${problem}\n`);
    const found = report.problems.length;
    process.stdout.write(
      found === 0
        ? `${data} is sound: ${report.tables} tables, ${report.items} items.\n`
        : `${data} has ${found} ${found === 1 ? "problem" : "problems"}.\n`,
    );
    return found === 0 ? 0 : 1;
  } finally {
    await workbench.close();
  }
}
