import type { Random } from "../random.ts";
import { Members } from "./json.ts";
import { attributeName, goodValue, oddValue } from "./values.ts";

/** The placeholders that the expressions of one request have used. */
export class Placeholders {
  readonly names = new Members();
  readonly values = new Members();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  name(): string {
    const placeholder = this.#fresh("#n");
    this.names.set(placeholder, attributeName(this.#random));
    return placeholder;
  }

  value(): string {
    const random = this.#random;
    const placeholder = this.#fresh(":v");
    this.values.set(placeholder, random.chance(0.97) ? goodValue(random, 2) : oddValue(random));
    return placeholder;
  }

  /** For what the table's keys are named. */
  named(attribute: string): string {
    const placeholder = this.#fresh("#k");
    this.names.set(placeholder, attribute);
    return placeholder;
  }

  valued(value: Members): string {
    const placeholder = this.#fresh(":k");
    this.values.set(placeholder, value);
    return placeholder;
  }

  #fresh(prefix: string): string {
    if (this.#random.chance(0.02)) return `${prefix}undefined`;
    return `${prefix}${this.#random.between(0, 9)}`;
  }
}

const bareNames = ["a", "b", "c", "n", "kind", "deep", "x1", "list", "set", "size", "abort"];

export class ExpressionMaker {
  readonly #random: Random;
  readonly #placeholders: Placeholders;

  constructor(random: Random, placeholders: Placeholders) {
    this.#random = random;
    this.#placeholders = placeholders;
  }

  path(): string {
    const random = this.#random;
    const name = () =>
      random.chance(0.4) ? this.#placeholders.name() : random.pick(bareNames.slice(0, 7));
    let path = name();
    while (random.chance(0.25)) {
      path += random.chance(0.5) ? `.${name()}` : `[${this.#index()}]`;
    }
    return path;
  }

  #index(): string {
    const random = this.#random;
    if (random.chance(0.9)) return String(random.between(0, 4));
    return random.pick(["2147483647", "2147483648", "00", "-1", "1.5", "1e3", "", "9".repeat(400)]);
  }

  operand(depth: number): string {
    const random = this.#random;
    return random.choose<string>([
      [5, () => this.path()],
      [6, () => this.#placeholders.value()],
      [1, () => `size(${this.path()})`],
      [depth > 3 ? 0 : 0.3, () => `(${this.operand(depth + 1)})`],
      [0.1, () => random.pick(bareNames)],
    ]);
  }

  condition(depth = 0): string {
    const random = this.#random;
    const deep = depth > 4 ? 0 : 1;
    const operand = () => this.operand(depth);
    return random.choose<string>([
      [5, () => `${operand()} ${random.pick(["=", "<>", "<", "<=", ">", ">="])} ${operand()}`],
      [1, () => `${operand()} BETWEEN ${operand()} AND ${operand()}`],
      [1, () => `${operand()} IN (${random.times(1 + random.few(120), operand).join(", ")})`],
      [2, () => `attribute_exists(${this.path()})`],
      [2, () => `attribute_not_exists(${this.path()})`],
      [1, () => `attribute_type(${this.path()}, ${this.#placeholders.value()})`],
      [1, () => `begins_with(${this.path()}, ${this.#placeholders.value()})`],
      [1, () => `contains(${this.path()}, ${operand()})`],
      [2 * deep, () => `${this.condition(depth + 1)} AND ${this.condition(depth + 1)}`],
      [2 * deep, () => `${this.condition(depth + 1)} OR ${this.condition(depth + 1)}`],
      [deep, () => `NOT ${this.condition(depth + 1)}`],
      [deep, () => `(${this.condition(depth + 1)})`],
    ]);
  }

  update(): string {
    const random = this.#random;
    const list = (make: () => string) => random.times(1 + random.few(5), make).join(", ");
    const sections = [
      () => `SET ${list(() => `${this.path()} = ${this.#setValue()}`)}`,
      () => `REMOVE ${list(() => this.path())}`,
      () => `ADD ${list(() => `${this.path()} ${this.#placeholders.value()}`)}`,
      () => `DELETE ${list(() => `${this.path()} ${this.#placeholders.value()}`)}`,
    ];
    return random.times(1 + random.few(3), () => random.pick(sections)()).join(" ");
  }

  #setValue(depth = 0): string {
    const random = this.#random;
    const inner = () => (depth > 2 ? this.operand(3) : this.#setValue(depth + 1));
    return random.choose<string>([
      [6, () => this.#placeholders.value()],
      [3, () => this.path()],
      [2, () => `${this.operand(3)} ${random.pick(["+", "-"])} ${this.operand(3)}`],
      [1, () => `if_not_exists(${this.path()}, ${inner()})`],
      [1, () => `list_append(${inner()}, ${inner()})`],
      [0.3, () => `(${inner()})`],
    ]);
  }

  projection(): string {
    return this.#random.times(1 + this.#random.few(6), () => this.path()).join(", ");
  }
}

const tokens =
  "( ) [ ] . , = <> < <= > >= + - * / AND OR NOT BETWEEN IN SET REMOVE ADD DELETE size( contains( " +
  "attribute_exists( if_not_exists( list_append( foo( #n0 :v0 # : a b 0 1 00 1.5 2147483648 'x' \" \\ " +
  "\u0000 \ud800 é \u{1d11e} -- ; `";
const tokenList = tokens.split(" ");

/** Breaks a text token by token, or replaces it by one that is extreme in some way. */
export function mutateExpression(random: Random, expression: string): string {
  if (random.chance(0.1)) return extreme(random);
  const parts = expression.match(/[#:]?\w+|\s+|[^\w\s]/gu) ?? [];
  for (let left = 1 + random.few(4); left > 0 && parts.length > 0; left -= 1) {
    const at = random.between(0, parts.length - 1);
    random.choose<unknown>([
      [3, () => parts.splice(at, 1)],
      [3, () => parts.splice(at, 0, ` ${random.pick(tokenList)} `)],
      [2, () => parts.splice(at, 1, random.pick(tokenList))],
      [1, () => parts.splice(at, 0, ...parts.slice(at, at + random.between(1, 12)))],
      [1, () => parts.splice(at)],
      [1, () => parts.reverse()],
    ]);
  }
  return parts.join("");
}

function extreme(random: Random): string {
  const count = random.pick([31, 32, 33, 299, 300, 301, 302]);
  return random.choose<string>([
    [1, () => "(".repeat(4_096)],
    [1, () => `${"(".repeat(2_040)}a = :v0${")".repeat(2_040)}`],
    [1, () => `${"NOT ".repeat(1_000)}a = :v0`],
    [1, () => "NOT ".repeat(1_024)],
    [1, () => `${"NOT ".repeat(count)}attribute_exists(a)`],
    [1, () => `SET a = ${"(".repeat(2_000)}:v0${")".repeat(2_000)}`],
    [1, () => `SET a = ${"if_not_exists(a, ".repeat(200)}:v0${")".repeat(200)}`],
    [1, () => `SET a = :v0${" + :v0".repeat(count)}`],
    [1, () => `SET ${"list_append(".repeat(340)}`],
    [1, () => `${"size(".repeat(800)}a`],
    [1, () => `${"size(".repeat(400)}a${")".repeat(400)} > :v0`],
    [1, () => random.times(count, () => "a = :v0").join(random.pick([" AND ", " OR "]))],
    [1, () => `a${".a".repeat(count)}`],
    [1, () => `a${"[0]".repeat(count)} = :v0`],
    [1, () => `a[${"9".repeat(4_000)}] = :v0`],
    [1, () => `a IN (${random.times(count, () => ":v0").join(",")})`],
    [1, () => `SET ${random.times(count, (at) => `a${at} = :v0`).join(", ")}`],
    [1, () => `REMOVE ${random.times(count, (at) => `a[${at}]`).join(", ")}`],
    [1, () => " ".repeat(random.pick([1, 4_096, 4_097]))],
    [1, () => "x".repeat(random.pick([4_096, 4_097, 70_000]))],
    [1, () => "é".repeat(random.pick([2_048, 2_049]))],
    [1, () => `#${"n".repeat(random.pick([254, 255, 300]))} = :v0`],
    [1, () => random.times(400, () => random.pick(tokenList)).join(" ")],
    [1, () => ""],
  ]);
}
