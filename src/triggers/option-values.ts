import { TriggerOptionsError } from "./options-error.ts";

/**
 * The options of one trigger or schedule by the names that the command line has for them. Values come
 * as text from there and as numbers, booleans and objects from files and programs.
 */
export class OptionValues {
  readonly #subject: string;
  readonly #values: ReadonlyMap<string, readonly unknown[]>;
  readonly #asked = new Set<string>();

  /** `subject` begins every complaint. */
  constructor(subject: string, values: ReadonlyMap<string, readonly unknown[]>) {
    this.#subject = subject;
    this.#values = values;
  }

  wrong(what: string): TriggerOptionsError {
    return new TriggerOptionsError(`${this.#subject}: ${what}.`);
  }

  all(name: string): readonly unknown[] {
    this.#asked.add(name);
    return this.#values.get(name) ?? [];
  }

  one(name: string): unknown {
    const values = this.all(name);
    if (values.length > 1) throw this.wrong(`${name} is given twice`);
    return values[0];
  }

  text(name: string): string | undefined {
    const value = this.one(name);
    if (value === undefined) return undefined;
    if (typeof value !== "string" || value === "") throw this.wrong(`${name} needs a text`);
    return value;
  }

  /** A whole number within bounds, or one of the exceptions. */
  integer(name: string, min: number, max: number, exceptions: readonly number[] = []) {
    const value = this.one(name);
    if (value === undefined) return undefined;
    const number =
      typeof value === "string" && /^-?[0-9]{1,9}$/.test(value) ? Number(value) : value;
    if (typeof number === "number" && Number.isInteger(number)) {
      if ((number >= min && number <= max) || exceptions.includes(number)) return number;
    }
    const also = exceptions.map((exception) => `, or ${exception}`).join("");
    throw this.wrong(
      `${name} takes a whole number from ${min} to ${max}${also}, not ${shown(value)}`,
    );
  }

  /** Present without a value, or true. */
  flag(name: string): boolean {
    const value = this.one(name);
    if (value === undefined || value === false || value === "false") return false;
    if (value === true || value === "true" || value === "") return true;
    throw this.wrong(`${name} is there or not, and takes no value`);
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.one(name);
    if (value === undefined) return undefined;
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) {
      throw this.wrong(`${name} takes ${choices.join(" or ")}, not ${shown(value)}`);
    }
    return choice;
  }

  /** Runs what may complain of an option, and says of which one. */
  checked<T>(check: () => T): T {
    try {
      return check();
    } catch (error) {
      if (error instanceof TriggerOptionsError) throw this.wrong(error.message);
      throw error;
    }
  }

  /** Everything that was given has been asked for. */
  complete(): void {
    for (const name of this.#values.keys()) {
      if (!this.#asked.has(name)) {
        const known = [...this.#asked].toSorted().join(", ");
        throw this.wrong(`there is no option '${name}'; there are ${known}`);
      }
    }
  }
}

function shown(value: unknown): string {
  return typeof value === "string" ? `'${value}'` : (JSON.stringify(value) ?? String(value));
}
