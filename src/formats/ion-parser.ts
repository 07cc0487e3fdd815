import { emptyRecord } from "../base/record.ts";
import { UnreadableError } from "./unreadable.ts";

/** A value as DynamoDB JSON would have it, unchecked. */
type Raw =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly B: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  | { readonly L: readonly Raw[] }
  | { readonly M: Readonly<Record<string, Raw>> }
  | RawSet;

type RawSet =
  | { readonly SS: readonly string[] }
  | { readonly NS: readonly string[] }
  | { readonly BS: readonly string[] };

/** Deeper than any item may be: a text of a million brackets must not use up the stack. */
const depthMax = 100;

/** A struct of Ion text, with what its values are to DynamoDB. `offset` is where in the file it begins. */
export function parseIonStruct(text: string, offset: number): ReadonlyMap<string, Raw> {
  return new IonParser(text, offset).record();
}

/** No number that fits has more characters, whatever zeros it begins with. */
const integerLengthMax = 1000;

const blanks = /\s+/y;
const lineComment = /\/\/[^\n]*/y;
const identifier = /[A-Za-z_$][A-Za-z0-9_$]*/y;
const number = /[+-]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[dDeE][+-]?[0-9]+)?/y;
const otherInteger = /-?0(?:[xX][0-9A-Fa-f_]+|[bB][01_]+)/y;
const timestamp = /[0-9]{4}(?:-[0-9]{2}|T)/y;

class IonParser {
  readonly #text: string;
  readonly #offset: number;
  #at = 0;

  constructor(text: string, offset: number) {
    this.#text = text;
    this.#offset = offset;
  }

  /** struct := '{' (field ',')* field? '}' */
  record(): ReadonlyMap<string, Raw> {
    const fields = new Map<string, Raw>();
    this.#expect("{");
    this.#fields(1, (name, value) => fields.set(name, value));
    this.#space();
    if (this.#at < this.#text.length) this.#fail("there is something behind the struct");
    return fields;
  }

  /** (name ':' value ',')* '}' */
  #fields(depth: number, take: (name: string, value: Raw) => void): void {
    for (;;) {
      this.#space();
      if (this.#take("}")) return;
      const name = this.#fieldName();
      this.#space();
      this.#expect(":");
      take(name, this.#value(depth));
      this.#space();
      if (this.#take(",")) continue;
      this.#expect("}");
      return;
    }
  }

  #fieldName(): string {
    if (this.#text[this.#at] === '"') return this.#string();
    if (this.#text.startsWith("'''", this.#at)) return this.#longString();
    if (this.#text[this.#at] === "'") return this.#quotedSymbol();
    return this.#match(identifier) ?? this.#fail("a field has no name");
  }

  /** value := (annotation '::')* (scalar | list | struct | blob) */
  #value(depth: number): Raw {
    if (depth > depthMax) this.#fail("it is nested too deep");
    const sets: string[] = [];
    for (;;) {
      this.#space();
      const annotation = this.#annotation();
      if (annotation === undefined) break;
      if (annotation.startsWith("$dynamodb_")) sets.push(annotation);
    }
    const value = this.#plainValue(depth);
    return sets.reduceRight<Raw>((inner, annotation) => this.#asSet(annotation, inner), value);
  }

  #plainValue(depth: number): Raw {
    const character = this.#text[this.#at];
    if (character === '"') return { S: this.#string() };
    if (this.#text.startsWith("'''", this.#at)) return { S: this.#longString() };
    if (character === "'") this.#fail("a symbol is not a value of DynamoDB");
    if (this.#text.startsWith("{{", this.#at)) return { B: this.#blob() };
    if (this.#take("{")) {
      const map = emptyRecord<Raw>();
      this.#fields(depth + 1, (name, value) => {
        map[name] = value;
      });
      return { M: map };
    }
    if (this.#take("[")) return { L: this.#list(depth + 1) };
    if (character === "(") this.#fail("an s-expression is not a value of DynamoDB");
    return this.#number() ?? this.#word();
  }

  /** An annotation and its two colons, if that is what comes next. */
  #annotation(): string | undefined {
    const start = this.#at;
    const quoted = this.#text[start] === "'" && !this.#text.startsWith("'''", start);
    const name = quoted ? this.#quotedSymbol() : this.#match(identifier);
    if (name !== undefined) {
      this.#space();
      if (this.#text.startsWith("::", this.#at)) {
        this.#at += 2;
        return name;
      }
    }
    this.#at = start;
    return undefined;
  }

  #list(depth: number): readonly Raw[] {
    const elements: Raw[] = [];
    for (;;) {
      this.#space();
      if (this.#take("]")) return elements;
      elements.push(this.#value(depth));
      this.#space();
      if (this.#take(",")) continue;
      this.#expect("]");
      return elements;
    }
  }

  #asSet(annotation: string, value: Raw): RawSet {
    const list = "L" in value ? value.L : this.#fail(`${annotation} is not on a list`);
    switch (annotation) {
      case "$dynamodb_SS":
        return { SS: list.map((one) => ("S" in one ? one.S : this.#member(annotation))) };
      case "$dynamodb_NS":
        return { NS: list.map((one) => ("N" in one ? one.N : this.#member(annotation))) };
      case "$dynamodb_BS":
        return { BS: list.map((one) => ("B" in one ? one.B : this.#member(annotation))) };
      default:
        return this.#fail(`${annotation} is not known`);
    }
  }

  #member(annotation: string): never {
    return this.#fail(`a member of the set ${annotation} has another type`);
  }

  #number(): Raw | undefined {
    const integer = this.#match(otherInteger);
    if (integer !== undefined) {
      if (integer.length > integerLengthMax) this.#fail("a number is too long");
      const digits = integer.replaceAll("_", "");
      const magnitude = BigInt(digits.startsWith("-") ? digits.slice(1) : digits);
      return { N: String(digits.startsWith("-") ? -magnitude : magnitude) };
    }
    timestamp.lastIndex = this.#at;
    if (timestamp.test(this.#text)) this.#fail("a timestamp is not a value of DynamoDB");
    const text = this.#match(number);
    return text === undefined ? undefined : { N: text.replaceAll("_", "").replace(/d/i, "e") };
  }

  /** null, null.string, true, false; not nan and not symbols. */
  #word(): Raw {
    const word = this.#match(identifier);
    switch (word) {
      case "null":
        if (this.#take(".")) this.#match(identifier);
        return { NULL: true };
      case "true":
      case "false":
        return { BOOL: word === "true" };
      case undefined:
        return this.#fail("there is no value");
      default:
        return this.#fail(`'${word.slice(0, 50)}' is not a value of DynamoDB`);
    }
  }

  #blob(): string {
    const end = this.#text.indexOf("}}", this.#at);
    const base64 = this.#text.slice(this.#at + 2, end < 0 ? undefined : end).replaceAll(/\s/g, "");
    if (end < 0) this.#fail("a blob does not end");
    if (/["']/.test(base64)) this.#fail("a clob is not a value of DynamoDB");
    this.#at = end + 2;
    return base64;
  }

  #string(): string {
    return this.#quoted('"');
  }

  #quotedSymbol(): string {
    return this.#quoted("'");
  }

  /** Long strings one after the other are one string. */
  #longString(): string {
    let text = "";
    while (this.#text.startsWith("'''", this.#at)) {
      text += this.#quoted("'''").replaceAll(/\r\n?/g, "\n");
      this.#space();
    }
    return text;
  }

  #quoted(mark: string): string {
    const { length } = mark;
    let from = this.#at + length;
    let text = "";
    for (let at = from; at < this.#text.length; at += 1) {
      if (this.#text[at] === "\\") {
        const [character, taken] = this.#escape(at);
        text += this.#text.slice(from, at) + character;
        at += taken - 1;
        from = at + 1;
      } else if (this.#text.startsWith(mark, at)) {
        this.#at = at + length;
        return text + this.#text.slice(from, at);
      } else if (length === 1 && this.#text[at] === "\n") break;
    }
    return this.#fail("a string does not end");
  }

  /** What an escape means and how many characters it takes. */
  #escape(at: number): readonly [string, number] {
    const letter = this.#text[at + 1] ?? "";
    const simple = escapes.get(letter);
    if (simple !== undefined) return [simple, 2];
    if (letter === "\r" && this.#text[at + 2] === "\n") return ["", 3];
    const digits = hexDigits.get(letter);
    const hex = this.#text.slice(at + 2, at + 2 + (digits ?? 0));
    if (digits !== undefined && hex.length === digits && /^[0-9A-Fa-f]+$/.test(hex)) {
      const point = Number.parseInt(hex, 16);
      if (point <= 0x10ffff) return [String.fromCodePoint(point), 2 + digits];
    }
    this.#at = at;
    return this.#fail(`\\${letter} is not an escape`);
  }

  /** Blanks and comments. In one pattern, repeated, they would take the room of a stack. */
  #space(): void {
    for (;;) {
      this.#match(blanks);
      if (this.#text[this.#at] !== "/") return;
      if (this.#text[this.#at + 1] === "*") {
        const end = this.#text.indexOf("*/", this.#at + 2);
        if (end < 0) return;
        this.#at = end + 2;
      } else if (this.#match(lineComment) === undefined) return;
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#take(character)) this.#fail(`'${character}' is missing`);
  }

  #fail(what: string): never {
    const before = Buffer.byteLength(this.#text.slice(0, this.#at));
    throw new UnreadableError(
      `The Ion text makes no sense at byte ${this.#offset + before}: ${what}.`,
    );
  }
}

const escapes = new Map([
  ["0", "\0"],
  ["a", "\x07"],
  ["b", "\b"],
  ["t", "\t"],
  ["n", "\n"],
  ["f", "\f"],
  ["r", "\r"],
  ["v", "\v"],
  ['"', '"'],
  ["'", "'"],
  ["?", "?"],
  ["\\", "\\"],
  ["/", "/"],
  ["\n", ""],
]);

const hexDigits = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);
