import { bareRecord } from "./values.ts";

/** Names and values of a request's expressions. All names are placeholders, for any name may be reserved or strange. */

/** The members of a request that tell what placeholders stand for. */
export interface ExpressionMembers {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

/** An attribute, or a place inside one: `["address", "lines", 0]`. */
export type AttributePath = string | readonly (string | number)[];

export class Placeholders {
  readonly #names = new Map<string, string>();
  readonly #values: unknown[] = [];

  /** The placeholder of a name; the same one when the name comes again. */
  name(attribute: string): string {
    const known = this.#names.get(attribute) ?? `#n${this.#names.size}`;
    this.#names.set(attribute, known);
    return known;
  }

  /** A path with a placeholder for each name in it. A dot in a name is part of the name. */
  path(path: AttributePath): string {
    if (typeof path === "string") return this.name(path);
    let text = "";
    for (const step of path) {
      if (typeof step === "number") text += `[${step}]`;
      else text += (text === "" ? "" : ".") + this.name(step);
    }
    return text;
  }

  value(value: unknown): string {
    this.#values.push(value);
    return `:v${this.#values.length - 1}`;
  }

  /** Others with the same names and values, to which more can be added. */
  copy(): Placeholders {
    const other = new Placeholders();
    for (const name of this.#names.keys()) other.name(name);
    for (const value of this.#values) other.value(value);
    return other;
  }

  members(): ExpressionMembers {
    const names = bareRecord<string>();
    for (const [attribute, placeholder] of this.#names) names[placeholder] = attribute;
    const values = bareRecord<unknown>();
    for (const [at, value] of this.#values.entries()) values[`:v${at}`] = value;
    return {
      ...(this.#names.size > 0 && { ExpressionAttributeNames: names }),
      ...(this.#values.length > 0 && { ExpressionAttributeValues: values }),
    };
  }
}

/** What an update does, written down in the order of the calls. */
export class UpdateBuilder {
  readonly #placeholders: Placeholders;
  readonly #sets: string[] = [];
  readonly #removes: string[] = [];
  readonly #adds: string[] = [];
  readonly #deletes: string[] = [];

  constructor(placeholders: Placeholders = new Placeholders()) {
    this.#placeholders = placeholders;
  }

  get placeholders(): Placeholders {
    return this.#placeholders;
  }

  get isEmpty(): boolean {
    return this.text() === "";
  }

  set(path: AttributePath, value: unknown): this {
    this.#sets.push(`${this.#placeholders.path(path)} = ${this.#placeholders.value(value)}`);
    return this;
  }

  /** Sets what is not there yet: `createdAt` of an item that may be new. */
  setIfAbsent(path: AttributePath, value: unknown): this {
    const name = this.#placeholders.path(path);
    this.#sets.push(`${name} = if_not_exists(${name}, ${this.#placeholders.value(value)})`);
    return this;
  }

  /** Adds to a number, or members to a set; what is not there counts as zero, or as empty. */
  add(path: AttributePath, value: unknown): this {
    this.#adds.push(`${this.#placeholders.path(path)} ${this.#placeholders.value(value)}`);
    return this;
  }

  /** Adds to a number anywhere inside of an item; what is not there counts as zero. */
  raise(path: AttributePath, value: number | bigint): this {
    const name = this.#placeholders.path(path);
    const zero = this.#placeholders.value(0);
    const more = this.#placeholders.value(value);
    this.#sets.push(`${name} = if_not_exists(${name}, ${zero}) + ${more}`);
    return this;
  }

  /** Puts values at the end of a list, which need not be there yet. */
  append(path: AttributePath, values: readonly unknown[]): this {
    const name = this.#placeholders.path(path);
    const empty = this.#placeholders.value([]);
    const more = this.#placeholders.value(values);
    this.#sets.push(`${name} = list_append(if_not_exists(${name}, ${empty}), ${more})`);
    return this;
  }

  remove(path: AttributePath): this {
    this.#removes.push(this.#placeholders.path(path));
    return this;
  }

  /** Sets what there is a value for, and removes what there is none for. */
  assign(path: AttributePath, value: unknown): this {
    return value === undefined ? this.remove(path) : this.set(path, value);
  }

  /** Takes members out of a set. */
  delete(path: AttributePath, members: ReadonlySet<unknown>): this {
    this.#deletes.push(`${this.#placeholders.path(path)} ${this.#placeholders.value(members)}`);
    return this;
  }

  text(): string {
    const clause = (word: string, parts: readonly string[]): string[] =>
      parts.length === 0 ? [] : [`${word} ${parts.join(", ")}`];
    return [
      ...clause("SET", this.#sets),
      ...clause("REMOVE", this.#removes),
      ...clause("ADD", this.#adds),
      ...clause("DELETE", this.#deletes),
    ].join(" ");
  }
}

/** Changes by attribute. What is `undefined` in `set` is removed, so that an item can be saved as it is. */
export interface Changes {
  readonly set?: Readonly<Record<string, unknown>>;
  readonly setIfAbsent?: Readonly<Record<string, unknown>>;
  readonly add?: Readonly<Record<string, unknown>>;
  readonly append?: Readonly<Record<string, readonly unknown[]>>;
  readonly remove?: readonly string[];
  readonly delete?: Readonly<Record<string, ReadonlySet<unknown>>>;
}

/** Writes changes down; more can be added to the builder. */
export function updateOf(
  changes: Changes,
  placeholders: Placeholders = new Placeholders(),
): UpdateBuilder {
  const builder = new UpdateBuilder(placeholders);
  for (const [name, value] of Object.entries(changes.set ?? {})) {
    if (value === undefined) builder.remove(name);
    else builder.set(name, value);
  }
  for (const [name, value] of Object.entries(changes.setIfAbsent ?? {})) {
    builder.setIfAbsent(name, value);
  }
  for (const [name, value] of Object.entries(changes.add ?? {})) builder.add(name, value);
  for (const [name, values] of Object.entries(changes.append ?? {})) builder.append(name, values);
  for (const name of changes.remove ?? []) builder.remove(name);
  for (const [name, members] of Object.entries(changes.delete ?? {})) builder.delete(name, members);
  return builder;
}
