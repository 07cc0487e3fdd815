import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import { OptionValues } from "./option-values.ts";
import type { ScheduleOptions, TriggerOptions } from "./options.ts";
import { TriggerOptionsError } from "./options-error.ts";
import {
  type ScheduleSettings,
  scheduleSettings,
  type TriggerSettings,
  triggerSettings,
} from "./settings.ts";

export interface AllSettings {
  readonly triggers: readonly TriggerSettings[];
  readonly schedules: readonly ScheduleSettings[];
}

/**
 * Checks everything that shall be called: texts as on the command line, `Table=./module.mjs?option=value`
 * and `rate(1 minute)=./module.mjs?option=value`, files that hold more, or options of a program.
 */
export function readOptions(
  triggers: readonly (string | TriggerOptions)[],
  schedules: readonly (string | ScheduleOptions)[],
  folder = process.cwd(),
): AllSettings {
  const found = { triggers: [] as TriggerSettings[], schedules: [] as ScheduleSettings[] };
  const add = ({ triggers: more, schedules: others }: AllSettings): void => {
    found.triggers.push(...more);
    found.schedules.push(...others);
  };
  for (const trigger of triggers) {
    if (typeof trigger !== "string") {
      const values = valuesOf(`the trigger of ${trigger.table}`, kebab(trigger));
      found.triggers.push(triggerSettings(values, folder));
    } else add(isFile(trigger) ? readFile(trigger, folder) : triggerOf(trigger, folder));
  }
  for (const schedule of schedules) {
    if (typeof schedule !== "string") {
      const values = valuesOf(`the schedule ${schedule.schedule}`, kebab(schedule));
      found.schedules.push(scheduleSettings(values, folder));
    } else add(isFile(schedule) ? readFile(schedule, folder) : scheduleOf(schedule, folder));
  }
  checkNames(found.triggers);
  return found;
}

const isFile = (text: string): boolean => /^[^=]*\.(ya?ml|json)$/.test(text);

function triggerOf(text: string, folder: string): AllSettings {
  const subject = `trigger '${text}'`;
  const [, table, rest = ""] = /^([^=?]*)=(.*)$/s.exec(text) ?? [];
  if (table === undefined) {
    throw new TriggerOptionsError(`${subject}: write Table=./module.mjs or a file of triggers.`);
  }
  const values = textValues(subject, rest, ["table", table]);
  return { triggers: [triggerSettings(values, folder)], schedules: [] };
}

function scheduleOf(text: string, folder: string): AllSettings {
  const subject = `schedule '${text}'`;
  const [, schedule, rest = ""] = /^([a-z]*\([^)]*\))=(.*)$/s.exec(text) ?? [];
  if (schedule === undefined) {
    throw new TriggerOptionsError(
      `${subject}: write 'rate(5 minutes)=./module.mjs' or a file of schedules.`,
    );
  }
  const values = textValues(subject, rest, ["schedule", schedule]);
  return { triggers: [], schedules: [scheduleSettings(values, folder)] };
}

/** `./module.mjs?name=value&name`, where `&` and `%` in a value are written %26 and %25. */
function textValues(
  subject: string,
  rest: string,
  [what, value]: readonly [string, string],
): OptionValues {
  const mark = rest.indexOf("?");
  const values = new Map<string, unknown[]>([[what, [value]]]);
  values.set("handler", [mark === -1 ? rest : rest.slice(0, mark)]);
  for (const part of mark === -1 ? [] : rest.slice(mark + 1).split("&")) {
    const equals = part.indexOf("=");
    const name = equals === -1 ? part : part.slice(0, equals);
    if (name === "handler" || name === what) {
      throw new TriggerOptionsError(`${subject}: ${name} is given twice.`);
    }
    const text = decoded(subject, equals === -1 ? "" : part.slice(equals + 1));
    values.set(name, [...(values.get(name) ?? []), text]);
  }
  return new OptionValues(subject, values);
}

function decoded(subject: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TriggerOptionsError(`${subject}: write % as %25 in '${text}'.`);
  }
}

function valuesOf(subject: string, options: Readonly<Record<string, unknown>>): OptionValues {
  const values = new Map<string, readonly unknown[]>();
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) values.set(name, [value]);
  }
  return new OptionValues(subject, values);
}

/** Programs write `batchSize` for `batch-size`. */
function kebab(options: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      value,
    ]),
  );
}

/** A YAML or JSON file with `triggers` and `schedules`; its paths are relative to where it lies. */
function readFile(path: string, folder: string): AllSettings {
  const file = resolve(folder, path);
  const document = parseFile(path, file);
  const triggers = listOf(document, "triggers", path);
  const schedules = listOf(document, "schedules", path);
  if (triggers === undefined && schedules === undefined) {
    throw new TriggerOptionsError(`${path}: there is neither a list 'triggers' nor 'schedules'.`);
  }
  for (const name of Object.keys(document)) {
    if (name !== "triggers" && name !== "schedules") {
      throw new TriggerOptionsError(`${path}: '${name}' is neither 'triggers' nor 'schedules'.`);
    }
  }
  const beside = dirname(file);
  return {
    triggers: (triggers ?? []).map((entry, index) => {
      return triggerSettings(valuesOf(`${path}: trigger ${index + 1}`, entry), beside);
    }),
    schedules: (schedules ?? []).map((entry, index) => {
      return scheduleSettings(valuesOf(`${path}: schedule ${index + 1}`, entry), beside);
    }),
  };
}

function parseFile(path: string, file: string): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new TriggerOptionsError(`${path} cannot be read: ${code}.`);
  }
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const [problem] = document.errors;
  if (problem !== undefined) {
    const { line, col } = lineCounter.linePos(problem.pos[0]);
    throw new TriggerOptionsError(`${path}:${line}:${col}: ${problem.message}.`);
  }
  const value: unknown = document.toJS();
  if (!isRecord(value)) {
    throw new TriggerOptionsError(`${path}: there is neither a list 'triggers' nor 'schedules'.`);
  }
  return value;
}

function listOf(
  document: Readonly<Record<string, unknown>>,
  name: string,
  path: string,
): readonly Readonly<Record<string, unknown>>[] | undefined {
  const list = document[name];
  if (list === undefined) return undefined;
  if (!Array.isArray(list) || !list.every(isRecord)) {
    throw new TriggerOptionsError(`${path}: '${name}' is a list of objects.`);
  }
  return list;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Table and name say where a trigger has read to: no two can have the same. */
function checkNames(triggers: readonly TriggerSettings[]): void {
  const seen = new Set<string>();
  for (const { table, name } of triggers) {
    const id = `${table} ${name}`;
    if (seen.has(id)) {
      throw new TriggerOptionsError(
        `Two triggers of ${table} call a function named ${name}; give one of them another name.`,
      );
    }
    seen.add(id);
  }
}
