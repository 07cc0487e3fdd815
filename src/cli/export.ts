import { resolve } from "node:path";
import { printable } from "../base/printable.ts";
import type { ExportedTable, TableSource } from "../workbench/export-tables.ts";
import { openWorkbench, type Workbench } from "../workbench/workbench.ts";
import { amountText, bytesText, rateText } from "./amounts.ts";
import { dataPlace } from "./data-place.ts";
import { choiceOption, flagOption, type RawOptions, textOption } from "./options.ts";
import { clearBar, progressBar } from "./progress.ts";
import { UsageError } from "./usage-error.ts";

/** `keywright export`: writes tables into a folder; answers with the exit code. */
export async function runExport(
  names: readonly string[],
  args: readonly string[],
  raw: RawOptions,
): Promise<number> {
  const all = flagOption(raw, "all", "--all");
  const to = textOption(args, "--to");
  if (to === undefined) throw new UsageError("keywright export needs --to DIR.");
  if (all === names.length > 0) {
    throw new UsageError(
      all
        ? "--all exports all tables; leave out their names."
        : "Name the tables to export, or give --all.",
    );
  }
  const options = {
    to: resolve(to),
    format: choiceOption(args, "--format", ["dynamodb-json", "ion", "csv"]) ?? "dynamodb-json",
    compression: choiceOption(args, "--compression", ["none", "gzip"]) ?? "gzip",
    replace: flagOption(raw, "replace", "--replace"),
  } as const;
  const place = dataPlace(args, true);
  const endpoint = textOption(args, "--endpoint");
  if ((place === undefined) === (endpoint === undefined)) {
    throw new UsageError(
      "keywright export needs one of --data DIR, --store URL and --endpoint URL.",
    );
  }
  const { ExportError, exportTables } = await import("../workbench/export-tables.ts");
  const began = performance.now();
  const work = async (sources: readonly TableSource[]): Promise<number> => {
    const progress = barByTable("Exporting");
    const tables = await exportTables(sources, { ...options, progress }).finally(clearBar);
    process.stdout.write(exportText(tables, options.to, performance.now() - began));
    return 0;
  };
  try {
    if (endpoint !== undefined) {
      const { endpointSources } = await import("./endpoint.ts");
      return await work(await endpointSources(endpoint, textOption(args, "--region"), names));
    }
    // To look is no reason to delete what has expired.
    const workbench = await openWorkbench({ ...place?.options, ttlDelay: false });
    try {
      return await work(await sourcesOf(workbench, names));
    } finally {
      await workbench.close();
    }
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    process.stderr.write(`keywright: ${error.message}\n`);
    return 1;
  }
}

/** All tables of that name, or all: each belongs to an account and Region. */
async function sourcesOf(
  workbench: Workbench,
  names: readonly string[],
): Promise<readonly TableSource[]> {
  await workbench.idle();
  const tables = await workbench.tables();
  const missing = names.find((name) => !tables.some((table) => table.name === name));
  if (missing !== undefined) throw new Error(`There is no table ${printable(missing)}.`);
  return tables
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .map(({ name, caller }) => ({
      name,
      execute: async (operation, body) => {
        const answer = (await workbench.execute(operation, body, caller)) as object;
        workbench.stepDone();
        return answer;
      },
    }));
}

/** A bar for the table that is at work. */
export function barByTable(what: string): (table: string, done: number, total?: number) => void {
  const bars = new Map<string, (done: number, total?: number) => void>();
  return (table, done, total) => {
    let bar = bars.get(table);
    if (bar === undefined) {
      bar = progressBar(`${what} ${printable(table)}`);
      bars.set(table, bar);
    }
    bar(done, total);
  };
}

function exportText(tables: readonly ExportedTable[], to: string, milliseconds: number): string {
  const lines = tables.map(
    ({ create, items, bytes, units }) =>
      `${create.TableName}: ${amountText(items, "item", "items")}, ${bytesText(bytes)}, ${amountText(units, "read unit", "read units")}`,
  );
  const items = tables.reduce((sum, table) => sum + table.items, 0);
  const what = `${amountText(tables.length, "table", "tables")} with ${amountText(items, "item", "items")}`;
  return `${[...lines, `${to} holds ${what} (${rateText(items, milliseconds)}).`].join("\n")}\n`;
}
