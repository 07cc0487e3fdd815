import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { openWorkbench, type WorkbenchOptions } from "../workbench/workbench.ts";
import { storeOption, textOption } from "./options.ts";
import { UsageError } from "./usage-error.ts";

/** `keywright verify`: compares indexes, counters and streams with what they are of; answers with the exit code. */
export async function verify(args: readonly string[]): Promise<number> {
  const { name, place } = placeToVerify(args);
  const workbench = await openWorkbench(place);
  try {
    const report = await workbench.verify();
    for (const problem of report.problems) process.stdout.write(`${problem}\n`);
    const found = report.problems.length;
    process.stdout.write(
      found === 0
        ? `${name} is sound: ${report.tables} tables, ${report.items} items, ${report.records} stream records.\n`
        : `${name} has ${found} ${found === 1 ? "problem" : "problems"}.\n`,
    );
    return found === 0 ? 0 : 1;
  } finally {
    await workbench.close();
  }
}

function placeToVerify(args: readonly string[]): {
  readonly name: string;
  readonly place: WorkbenchOptions;
} {
  const folder = textOption(args, "--data");
  const store = storeOption(args, "--store");
  if (store !== undefined) {
    if (folder !== undefined) {
      throw new UsageError("--store and --data exclude each other; give one of them.");
    }
    // The rest of the URL may hold a password.
    const { host, pathname } = new URL(store);
    // To look needs no flushes, and a server without them can be looked at too.
    const place = { store, durability: "relaxed", ttlDelay: false } as const;
    return { name: `PostgreSQL at ${host}${pathname}`, place };
  }
  if (folder === undefined) {
    throw new UsageError("keywright verify needs --data DIR or --store URL.");
  }
  const data = resolve(folder);
  if (!existsSync(data)) throw new Error(`There is no data folder at ${data}.`);
  // To look is no reason to delete what has expired.
  return { name: data, place: { data, ttlDelay: false } };
}
