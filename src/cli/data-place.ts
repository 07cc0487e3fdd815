import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { WorkbenchOptions } from "../workbench/workbench.ts";
import { storeOption, textOption } from "./options.ts";
import { UsageError } from "./usage-error.ts";

/** Where data is that a command works on, and how to call it. */
export interface DataPlace {
  readonly name: string;
  readonly options: Pick<WorkbenchOptions, "data" | "store" | "durability">;
}

/** The place that --data or --store names; undefined if neither does. */
export function dataPlace(args: readonly string[], mustExist: boolean): DataPlace | undefined {
  const folder = textOption(args, "--data");
  const store = storeOption(args, "--store");
  if (store !== undefined) {
    if (folder !== undefined) {
      throw new UsageError("--store and --data exclude each other; give one of them.");
    }
    // The rest of the URL may hold a password.
    const { host, pathname } = new URL(store);
    return { name: `PostgreSQL at ${host}${pathname}`, options: { store } };
  }
  if (folder === undefined) return undefined;
  const data = resolve(folder);
  if (mustExist && !existsSync(data)) throw new Error(`There is no data folder at ${data}.`);
  return { name: data, options: { data } };
}
