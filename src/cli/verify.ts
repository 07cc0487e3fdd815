import { openWorkbench, type WorkbenchOptions } from "../workbench/workbench.ts";
import { dataPlace } from "./data-place.ts";
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
  const place = dataPlace(args, true);
  if (place === undefined) {
    throw new UsageError("keywright verify needs --data DIR or --store URL.");
  }
  const { name, options } = place;
  // To look is no reason to delete what has expired. It needs no flushes either, and a server without them can
  // be looked at too.
  const relaxed = options.store === undefined ? {} : { durability: "relaxed" as const };
  return { name, place: { ...options, ...relaxed, ttlDelay: false } };
}
