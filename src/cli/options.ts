import { UsageError } from "./usage-error.ts";

/** The options of one command as the parser hands them over: untyped, named in camel case. */
export type RawOptions = Readonly<Record<string, unknown>>;

/**
 * The text given to an option. It is taken from the arguments themselves, because the parser makes
 * numbers of what looks like one and a folder may well be called `007`.
 */
export function textOption(args: readonly string[], flag: string): string | undefined {
  let found: string | undefined;
  for (const [index, argument] of args.entries()) {
    if (argument === "--") break;
    let value: string | undefined;
    if (argument === flag) value = args[index + 1];
    else if (argument.startsWith(`${flag}=`)) value = argument.slice(flag.length + 1);
    else continue;
    if (found !== undefined) throw new UsageError(`${flag} is given twice; give it once.`);
    if (value === undefined || value === "" || (argument === flag && value.startsWith("-"))) {
      throw new UsageError(`${flag} needs a value.`);
    }
    found = value;
  }
  return found;
}

/** All texts given to an option that may be given more than once. */
export function textOptions(args: readonly string[], flag: string): readonly string[] {
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  return own.flatMap((argument, index) => {
    const isFlag = argument === flag || argument.startsWith(`${flag}=`);
    if (!isFlag) return [];
    return textOption(argument === flag ? own.slice(index, index + 2) : [argument], flag) ?? [];
  });
}

export function choiceOption<T extends string>(
  args: readonly string[],
  flag: string,
  choices: readonly T[],
): T | undefined {
  const text = textOption(args, flag);
  if (text === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) {
    throw new UsageError(`${flag} takes ${choices.join(" or ")}, not '${text}'.`);
  }
  return choice;
}

export function portOption(args: readonly string[], flag: string): number | undefined {
  const text = textOption(args, flag);
  if (text === undefined) return undefined;
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) {
    throw new UsageError(`${flag} takes a number from 0 to 65535, not '${text}'.`);
  }
  return port;
}

export function positiveOption(args: readonly string[], flag: string): number | undefined {
  const text = textOption(args, flag);
  if (text === undefined) return undefined;
  const value = /^[0-9]*\.?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value > 0)) throw new UsageError(`${flag} takes a number above 0, not '${text}'.`);
  return value;
}

export function secondsOption(args: readonly string[], flag: string): number | undefined {
  return wholeOption(args, flag, "a whole number of seconds");
}

export function wholeOption(
  args: readonly string[],
  flag: string,
  what = "a whole number",
): number | undefined {
  const text = textOption(args, flag);
  if (text === undefined) return undefined;
  if (!/^[0-9]{1,9}$/.test(text)) throw new UsageError(`${flag} takes ${what}, not '${text}'.`);
  return Number(text);
}

/** A URL that may hold a password: complaints do not repeat it. */
export function storeOption(args: readonly string[], flag: string): string | undefined {
  const text = textOption(args, flag);
  if (text === undefined) return undefined;
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) {
    throw new UsageError(
      `${flag} takes a URL such as postgres://user:password@host:5432/database.`,
    );
  }
  return text;
}

export function flagOption(options: RawOptions, name: string, flag: string): boolean {
  const value = options[name];
  if (value === undefined || value === false) return false;
  if (value !== true) throw new UsageError(`${flag} takes no value.`);
  return true;
}
