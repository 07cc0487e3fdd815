import { printable } from "../../base/printable.ts";

/** TypeScript as text. Whatever a model says ends up inside a literal or a comment, and never outside. */

/** A text as a literal. */
export function literal(text: string): string {
  return `"${escaped(text).replaceAll('"', '\\"')}"`;
}

/** A text between the backticks of a template. */
export function templateText(text: string): string {
  return escaped(text).replaceAll("`", "\\`").replaceAll("${", "\\${");
}

/** Backslashes, and all that is not seen or that turns the line round. */
function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (one) => {
    const code = one.codePointAt(0) ?? 0;
    return one === "\n"
      ? "\\n"
      : code > 0xffff
        ? `\\u{${code.toString(16)}}`
        : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** A constant of the document as a literal. */
export function constantCode(value: string | number | boolean): string {
  return typeof value === "string" ? literal(value) : String(value);
}

const lineMax = 88;
const plainName = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** The name of a member where a type is declared. */
export function memberName(name: string): string {
  return plainName.test(name) ? name : literal(name);
}

/** The name of a property in an object that is made: `__proto__` would be no property unless it is computed. */
export function propertyName(name: string): string {
  return name === "__proto__" ? '["__proto__"]' : memberName(name);
}

/** Whether code names a variable: no text, no member and no property of an object has to do with it. */
export function hasVariable(code: string, name: string): boolean {
  const plain = code.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  return new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)${name}(?![\\w$]|:)`).test(plain);
}

/** A member of something. */
export function memberOf(object: string, name: string): string {
  return plainName.test(name) ? `${object}.${name}` : `${object}[${literal(name)}]`;
}

/** A property, in the short form where the value has its name. */
export function property(name: string, value: string): string {
  const isShort = name === value && plainName.test(name) && !/^(true|false|null)$/.test(name);
  return isShort ? name : `${propertyName(name)}: ${value}`;
}

/** An object, on one line if it is short. */
export function objectCode(properties: readonly string[]): string {
  return listCode("{", properties, "}", " ");
}

/** The type of an object. */
export function typeCode(members: readonly string[]): string {
  const line = `{ ${members.join("; ")} }`;
  if (line.length <= lineMax) return line;
  return `{\n${members.map((member) => `${indented(member)};\n`).join("")}}`;
}

export function arrayCode(elements: readonly string[]): string {
  return listCode("[", elements, "]", "");
}

/** A call. What is long goes onto lines of its own; a list or an object at the end is laid out where it is. */
export function callCode(name: string, ...values: readonly string[]): string {
  return callWithin(lineMax, name, ...values);
}

/** The same where something else is on the line already. */
export function callWithin(room: number, name: string, ...values: readonly string[]): string {
  const line = `${name}(${values.join(", ")})`;
  if (fits(line, room)) return line;
  const last = values.at(-1) ?? "";
  const before = values.slice(0, -1);
  const head = `${name}(${before.map((one) => `${one}, `).join("")}`;
  if (fits(head, room)) {
    if (/^[[{]/.test(last)) return `${head}${last.includes("\n") ? last : broken(last)})`;
    const arrow = /^(\([\w, ]*\) =>)\s(.*)$/s.exec(last);
    if (arrow !== null) return `${head}${brokenArrow(arrow[1] ?? "", arrow[2] ?? "", last)}`;
  }
  return `${name}(\n${values.map((one) => `${indented(one)},\n`).join("")})`;
}

/** A function at the end of a call that has no room on the line. */
function brokenArrow(head: string, body: string, whole: string): string {
  if (body.startsWith("({")) {
    return `${head} (${body.includes("\n") ? body.slice(1, -1) : broken(body.slice(1, -1))}))`;
  }
  return whole.includes("=>\n") ? `${whole},\n)` : `${head}\n${indented(body)},\n)`;
}

function fits(line: string, room = lineMax): boolean {
  return !line.includes("\n") && line.length <= room;
}

function listCode(open: string, parts: readonly string[], close: string, gap: string): string {
  if (parts.length === 0) return open + close;
  const line = `${open}${gap}${parts.join(", ")}${gap}${close}`;
  if (fits(line)) return line;
  const [only = ""] = parts;
  if (parts.length === 1 && open === "[" && only.startsWith("{")) return open + only + close;
  return `${open}\n${parts.map((part) => `${indented(part)},\n`).join("")}${close}`;
}

/** A list or an object on one line, with a line for each part. */
function broken(line: string): string {
  const parts: string[] = [];
  let depth = 0;
  let quote = "";
  let start = 1;
  for (let at = 1; at < line.length - 1; at += 1) {
    const here = line[at] as string;
    if (here === "\\") at += 1;
    else if (quote !== "") quote = here === quote ? "" : quote;
    else if (here === '"' || here === "`") quote = here;
    else if ("([{".includes(here)) depth += 1;
    else if (")]}".includes(here)) depth -= 1;
    else if (here === "," && depth === 0) {
      parts.push(line.slice(start, at).trim());
      start = at + 1;
    }
  }
  parts.push(line.slice(start, -1).trim());
  const lines = parts.map((part) => `${indented(part)},\n`).join("");
  return `${line[0]}\n${lines}${line.at(-1)}`;
}

/** A function of one expression. */
export function arrowCode(parameters: string, body: string): string {
  const inner = body.startsWith("{") ? `(${body})` : body;
  const line = `(${parameters}) => ${inner}`;
  return fits(line) || inner.startsWith("({") ? line : `(${parameters}) =>\n${indented(inner)}`;
}

/** One of two values. */
export function choiceCode(test: string, yes: string, no: string): string {
  const line = `${test} ? ${yes} : ${no}`;
  if (fits(line)) return line;
  const part = (code: string): string => indented(indented(code)).trimStart();
  return `${test}\n  ? ${part(yes)}\n  : ${part(no)}`;
}

/** The statement that gives a variable its value. */
export function constCode(name: string, value: string): string {
  const [first = ""] = value.split("\n");
  const isChoice = /\n {2}[?:] /.test(value);
  const line = `const ${name} = ${first}`;
  return line.length > 96 || isChoice
    ? `const ${name} =\n${indented(value)};`
    : `const ${name} = ${value};`;
}

/** Every line two places to the right. Templates have no line breaks in them, so nothing changes in texts. */
export function indented(code: string): string {
  return code
    .split("\n")
    .map((line) => (line === "" ? line : `  ${line}`))
    .join("\n");
}

/** A function that is exported. */
export function functionCode(
  name: string,
  values: readonly string[],
  type: string,
  statements: readonly string[],
): string {
  const line = `export function ${name}(${values.join(", ")}): ${type} {`;
  const head =
    line.length <= 100 && !line.includes("\n")
      ? line
      : `export function ${name}(\n${values.map((one) => `  ${one},\n`).join("")}): ${type} {`;
  return `${head}\n${statements.map((one) => `${indented(one)}\n`).join("")}}\n`;
}

/** A text that begins and ends as a sentence does. */
export function sentence(text: string): string {
  const plain = text.trim();
  if (plain === "") return "";
  const whole = plain.slice(0, 1).toUpperCase() + plain.slice(1);
  return /[.!?:]$/.test(whole) ? whole : `${whole}.`;
}

/** A union of literals. */
export function unionType(types: readonly string[]): string {
  return types.length === 0 ? "never" : [...new Set(types)].join(" | ");
}

const commentWidth = 96;

/** A comment before a declaration; nothing in it ends it, or is a tag of it. */
export function docComment(...paragraphs: readonly string[]): string {
  const kept = paragraphs.map(plainText).filter((text) => text !== "");
  if (kept.length === 0) return "";
  const [only = ""] = kept;
  if (kept.length === 1 && only.length <= commentWidth) return `/** ${only} */\n`;
  const lines = kept.flatMap((text, i) => [...(i === 0 ? [] : [""]), ...wrapped(text)]);
  return `/**\n${lines.map((line) => (line === "" ? " *\n" : ` * ${line}\n`)).join("")} */\n`;
}

/** One line of text that can stand in a comment. */
export function plainText(text: string): string {
  return printable(text.replaceAll(/\s+/g, " "))
    .trim()
    .replaceAll("*/", "* /")
    .replaceAll(/(^|\s)@/g, "$1(at) ");
}

function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > commentWidth) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** What a file takes from others. */
export class Imports {
  readonly #names = new Map<string, Map<string, boolean>>();

  /** A function, class or constant. */
  value(name: string, from: string): string {
    this.#of(from).set(name, false);
    return name;
  }

  type(name: string, from: string): string {
    const names = this.#of(from);
    if (!names.has(name)) names.set(name, true);
    return name;
  }

  #of(from: string): Map<string, boolean> {
    const names = this.#names.get(from) ?? new Map<string, boolean>();
    this.#names.set(from, names);
    return names;
  }

  /** The lines at the top of the file. */
  text(): string {
    const lines = [...this.#names]
      .toSorted(([a], [b]) => (rank(a) === rank(b) ? (a < b ? -1 : 1) : rank(a) - rank(b)))
      .map(([from, names]) => importLine(from, names));
    return lines.length === 0 ? "" : `${lines.join("\n")}\n\n`;
  }
}

/** Packages first, then what is further away. */
function rank(from: string): number {
  return from.startsWith("../") ? 1 : from.startsWith("./") ? 2 : 0;
}

function importLine(from: string, names: ReadonlyMap<string, boolean>): string {
  const sorted = [...names].toSorted(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  const areTypes = sorted.every(([, isType]) => isType);
  const list = sorted.map(([name, isType]) => (isType && !areTypes ? `type ${name}` : name));
  const line = `import ${areTypes ? "type " : ""}{ ${list.join(", ")} } from "${from}";`;
  if (line.length <= 100) return line;
  const lines = list.map((name) => `  ${name},\n`).join("");
  return `import ${areTypes ? "type " : ""}{\n${lines}} from "${from}";`;
}
