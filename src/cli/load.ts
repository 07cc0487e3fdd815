import { accountOf, sharedCaller } from "../workbench/account.ts";
import { LoadError, LoadOptionError, readLoadSource } from "../workbench/load-source.ts";
import { type LoadedTable, loadTables } from "../workbench/load-tables.ts";
import type { Caller } from "../workbench/workbench.ts";
import { amountText, bytesText, rateText } from "./amounts.ts";
import { dataPlace } from "./data-place.ts";
import { barByTable } from "./export.ts";
import { choiceOption, flagOption, type RawOptions, textOption } from "./options.ts";
import { clearBar } from "./progress.ts";
import { UsageError } from "./usage-error.ts";

/** `keywright load`: makes tables of an export, or of a file of items; answers with the exit code. */
export async function runLoad(
  path: string,
  args: readonly string[],
  raw: RawOptions,
): Promise<number> {
  const place = dataPlace(args, false);
  if (place === undefined) throw new UsageError("keywright load needs --data DIR or --store URL.");
  const caller = callerOption(args, raw);
  const bar = barByTable("Loading");
  const began = performance.now();
  try {
    const source = await readLoadSource(path, {
      table: textOption(args, "--table"),
      key: textOption(args, "--key"),
      format: choiceOption(args, "--format", ["dynamodb-json", "ion", "csv"]),
    });
    const tables = await loadTables(place.options, source, {
      caller,
      defaultCaller: sharedCaller,
      replace: flagOption(raw, "replace", "--replace"),
      progress: (table, done, total) =>
        bar(table, done, total === undefined ? undefined : Math.max(done, total)),
    }).finally(clearBar);
    process.stdout.write(loadText(tables, place.name, performance.now() - began));
    return tables.every(({ errors, expected }) => errors === 0 && expected === undefined) ? 0 : 1;
  } catch (error) {
    if (error instanceof LoadOptionError) throw new UsageError(error.message);
    if (!(error instanceof LoadError)) throw error;
    process.stderr.write(`keywright: ${error.message}\n`);
    return 1;
  }
}

/** Whose the tables shall be, if that is said. */
function callerOption(args: readonly string[], raw: RawOptions): Caller | undefined {
  const shared = flagOption(raw, "shared", "--shared");
  const accessKey = textOption(args, "--access-key");
  const region = textOption(args, "--region");
  if (shared && (accessKey !== undefined || region !== undefined)) {
    throw new UsageError("--shared and --access-key or --region exclude each other.");
  }
  if (shared) return sharedCaller;
  if (accessKey === undefined && region === undefined) return undefined;
  if (accessKey === undefined || region === undefined) {
    throw new UsageError("--access-key and --region go together.");
  }
  return { account: accountOf(accessKey), region };
}

function loadText(tables: readonly LoadedTable[], name: string, milliseconds: number): string {
  const lines = tables.flatMap((table) => {
    const { errors, problems, expected } = table;
    const left = errors === 0 ? "" : `; ${amountText(errors, "item was", "items were")} left out`;
    const shown = problems.map((problem) => `  ${problem}`);
    const more = errors > problems.length ? [`  and ${errors - problems.length} more`] : [];
    const wrong = expected === undefined ? [] : [`  There should be ${expected} items.`];
    return [
      `${table.name}: ${amountText(table.items, "item", "items")}, ${bytesText(table.bytes)}${left}`,
      ...shown,
      ...more,
      ...wrong,
    ];
  });
  const items = tables.reduce((sum, table) => sum + table.items, 0);
  const what = `${amountText(tables.length, "table", "tables")} with ${amountText(items, "item", "items")}`;
  return `${[...lines, `${name} has ${what} more (${rateText(items, milliseconds)}).`].join("\n")}\n`;
}
