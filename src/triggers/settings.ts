import { existsSync, statSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import { type FilterPattern, parseFilter } from "./filter-pattern.ts";
import type { LanePolicy } from "./lane.ts";
import * as limits from "./limits.ts";
import type { OptionValues } from "./option-values.ts";
import { parseSchedule, type ScheduleExpression } from "./schedule-expression.ts";

/** A function: where it is and how it is run. */
export interface FunctionSettings {
  /** Its module, as an absolute path. */
  readonly file: string;
  readonly exportName: string;
  readonly name: string;
  readonly timeoutMs: number;
  readonly memoryMegabytes: number;
  readonly concurrency: number;
  /** Only tables of these are meant, or any. */
  readonly region: string | undefined;
  readonly accessKey: string | undefined;
}

export interface TriggerSettings extends FunctionSettings {
  readonly table: string;
  readonly policy: LanePolicy;
  readonly start: "TRIM_HORIZON" | "LATEST";
  readonly parallel: number;
  readonly reportItemFailures: boolean;
  /** An absolute path. */
  readonly onFailure: string | undefined;
  /** Of which a record must match one; none: all match. */
  readonly filters: readonly FilterPattern[];
}

export interface ScheduleSettings extends FunctionSettings {
  readonly expression: ScheduleExpression;
  /** JSON with Scheduler's keywords in it; undefined: the event that it makes up. */
  readonly input: string | undefined;
  readonly atStart: boolean;
}

export const tableNamePattern = /^[a-zA-Z0-9_.-]{3,255}$/;

/** Checks the options of a trigger; paths are relative to `folder`. */
export function triggerSettings(values: OptionValues, folder: string): TriggerSettings {
  const table = values.text("table");
  if (table === undefined || !tableNamePattern.test(table)) {
    throw values.wrong(`'${table ?? ""}' is no name of a table`);
  }
  const onFailure = values.text("on-failure");
  const settings: TriggerSettings = {
    ...functionSettings(values, folder),
    table,
    policy: lanePolicy(values),
    start: values.choice("start", ["TRIM_HORIZON", "LATEST"]) ?? "TRIM_HORIZON",
    parallel: values.integer("parallel", 1, limits.parallelMax) ?? 1,
    reportItemFailures: values.flag("report-item-failures"),
    onFailure: onFailure === undefined ? undefined : resolve(folder, onFailure),
    filters: filterPatterns(values),
  };
  values.complete();
  return settings;
}

function lanePolicy(values: OptionValues): LanePolicy {
  const { batchSizeMax, windowSecondsMax, retriesMax } = limits;
  const { recordAgeSecondsMin, recordAgeSecondsMax, retentionSeconds } = limits;
  const retries = values.integer("retries", 0, retriesMax, [-1]) ?? -1;
  const maxAge = values.integer("max-age", recordAgeSecondsMin, recordAgeSecondsMax, [-1]) ?? -1;
  const ageSeconds = maxAge === -1 ? retentionSeconds : Math.min(maxAge, retentionSeconds);
  return {
    batchSize: values.integer("batch-size", 1, batchSizeMax) ?? limits.batchSizeDefault,
    windowMs: (values.integer("window", 0, windowSecondsMax) ?? 0) * 1_000,
    bisect: values.flag("bisect"),
    retries: retries === -1 ? undefined : retries,
    maxAgeMs: ageSeconds * 1_000,
  };
}

function filterPatterns(values: OptionValues): readonly FilterPattern[] {
  const patterns = values.all("filter").flat();
  if (patterns.length > limits.filtersMax) {
    throw values.wrong(`there are ${patterns.length} filters; up to ${limits.filtersMax} can be`);
  }
  return values.checked(() => patterns.map(parseFilter));
}

/** Checks the options of a schedule. */
export function scheduleSettings(values: OptionValues, folder: string): ScheduleSettings {
  const schedule = values.text("schedule");
  if (schedule === undefined) throw values.wrong("a schedule says when, such as rate(5 minutes)");
  const settings: ScheduleSettings = {
    ...functionSettings(values, folder),
    expression: values.checked(() => parseSchedule(schedule)),
    input: inputOf(values),
    atStart: values.flag("at-start"),
  };
  values.complete();
  return settings;
}

/** Text is JSON already. */
function inputOf(values: OptionValues): string | undefined {
  const input = values.one("input");
  if (input === undefined) return undefined;
  if (typeof input !== "string") return JSON.stringify(input);
  try {
    JSON.parse(input);
    return input;
  } catch {
    throw values.wrong("input takes JSON");
  }
}

function functionSettings(values: OptionValues, folder: string): FunctionSettings {
  const file = moduleFile(values, folder);
  const { timeoutSecondsMax, memoryMegabytesMin, memoryMegabytesMax, concurrencyMax } = limits;
  const timeout = values.integer("timeout", 1, timeoutSecondsMax) ?? limits.timeoutSecondsDefault;
  const memory = values.integer("memory", memoryMegabytesMin, memoryMegabytesMax);
  return {
    file,
    exportName: values.text("export") ?? "handler",
    name: functionName(values, file),
    timeoutMs: timeout * 1_000,
    memoryMegabytes: memory ?? limits.memoryMegabytesDefault,
    concurrency: values.integer("concurrency", 1, concurrencyMax) ?? limits.concurrencyDefault,
    region: values.text("region"),
    accessKey: values.text("access-key"),
  };
}

function moduleFile(values: OptionValues, folder: string): string {
  const handler = values.text("handler");
  if (handler === undefined) throw values.wrong("a module with the function is missing");
  const file = resolve(folder, handler);
  if (!existsSync(file) || !statSync(file).isFile()) throw values.wrong(`there is no file ${file}`);
  if (!/\.[cm]?[jt]s$/.test(file)) {
    throw values.wrong(`${handler} is no module; write .mjs, .js, .cjs or .ts`);
  }
  if (/ts$/.test(file) && !runsTypeScript()) {
    throw values.wrong(
      `Node ${process.versions.node} runs no TypeScript; use Node 22.18 or newer, or a .mjs file`,
    );
  }
  return file;
}

function runsTypeScript(): boolean {
  return Boolean((process.features as { readonly typescript?: unknown }).typescript);
}

const functionNamePattern = /^[a-zA-Z0-9_-]{1,64}$/;

function functionName(values: OptionValues, file: string): string {
  const given = values.text("name");
  if (given !== undefined && !functionNamePattern.test(given)) {
    throw values.wrong(`name takes up to 64 letters, digits, - and _, not '${given}'`);
  }
  return (
    given ??
    basename(file, extname(file))
      .replaceAll(/[^a-zA-Z0-9_-]/g, "-")
      .slice(0, 64)
  );
}
