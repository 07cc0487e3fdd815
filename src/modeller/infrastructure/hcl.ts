import { printable } from "../../base/printable.ts";

/** Terraform's language, as far as it is needed: blocks with arguments and blocks in them. */

/** An expression, as it is written. */
export class Expression {
  readonly code: string;
  constructor(code: string) {
    this.code = code;
  }
}

/** A function of a value, such as `jsonencode({ … })`. */
export class Call {
  readonly name: string;
  readonly argument: Value;
  constructor(name: string, argument: Value) {
    this.name = name;
    this.argument = argument;
  }
}

export type Value =
  | string
  | number
  | boolean
  | Expression
  | Call
  | readonly Value[]
  | ReadonlyMap<string, Value>;

export interface Block {
  readonly type: string;
  readonly labels: readonly string[];
  readonly comment?: string;
  readonly body: readonly Entry[];
}

export type Entry = Block | { readonly argument: string; readonly value: Value };

export function expression(code: string): Expression {
  return new Expression(code);
}

export function block(type: string, body: readonly Entry[], ...labels: readonly string[]): Block {
  return { type, labels, body };
}

/** Arguments in their order; those without a value are left out. */
export function args(values: Readonly<Record<string, Value | undefined>>): readonly Entry[] {
  return Object.entries(values).flatMap(([argument, value]) =>
    value === undefined ? [] : [{ argument, value }],
  );
}

/** A file: lines of comment, then blocks. */
export function hclFile(header: readonly string[], blocks: readonly Block[]): string {
  const comment = header.map((line) => `# ${printable(line)}`).join("\n");
  const parts = [comment, ...blocks.map((one) => printBlock(one, ""))];
  return `${parts.join("\n\n")}\n`;
}

/** A text that is nothing but itself: neither its end nor `${` nor `%{` in it mean anything. */
export function hclString(text: string): string {
  const escaped = text
    .toWellFormed()
    .replaceAll(/["\\\p{Cc}\p{Cf}\u2028\u2029]/gu, escapeOne)
    // Signs before an escaped brace are written by their number: only the last one is doubled.
    .replaceAll(/([$%]+)\{/g, (_, signs: string) => {
      const before = [...signs.slice(0, -1)].map((sign) => (sign === "$" ? "\\u0024" : "\\u0025"));
      return `${before.join("")}${signs.slice(-1).repeat(2)}{`;
    });
  return `"${escaped}"`;
}

function escapeOne(one: string): string {
  if (one === '"' || one === "\\") return `\\${one}`;
  if (one === "\n") return "\\n";
  const code = (one.codePointAt(0) ?? 0).toString(16);
  return code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
}

function printBlock({ type, labels, comment, body }: Block, indent: string): string {
  const head = [type, ...labels.map(hclString)].join(" ");
  const said = comment === undefined ? "" : `${indent}# ${printable(comment)}\n`;
  if (body.length === 0) return `${said}${indent}${head} {}`;
  return `${said}${indent}${head} {\n${printBody(body, `${indent}  `)}\n${indent}}`;
}

/** As `terraform fmt` has it: arguments that follow each other are aligned, blocks stand apart. */
function printBody(body: readonly Entry[], indent: string): string {
  const groups: string[] = [];
  let run: Named[] = [];
  const flush = (): void => {
    if (run.length > 0) groups.push(aligned(run, indent).join("\n"));
    run = [];
  };
  for (const entry of body) {
    if ("argument" in entry) {
      const text = printValue(entry.value, indent);
      // What takes several lines is not aligned with its neighbours, and stands apart.
      if (text.includes("\n")) {
        flush();
        groups.push(`${indent}${entry.argument} = ${text}`);
      } else run.push({ name: entry.argument, text });
    } else {
      flush();
      groups.push(printBlock(entry, indent));
    }
  }
  flush();
  return groups.join("\n\n");
}

interface Named {
  readonly name: string;
  readonly text: string;
}

/** Lines whose equals signs are below each other, as far as they follow each other. */
function aligned(entries: readonly Named[], indent: string): readonly string[] {
  const lines: string[] = [];
  let run: Named[] = [];
  const flush = (): void => {
    const width = Math.max(...run.map(({ name }) => name.length));
    lines.push(...run.map(({ name, text }) => `${indent}${name.padEnd(width)} = ${text}`));
    run = [];
  };
  for (const entry of entries) {
    if (entry.text.includes("\n")) {
      flush();
      lines.push(`${indent}${entry.name} = ${entry.text}`);
    } else run.push(entry);
  }
  flush();
  return lines;
}

/** The name of a member of an object: as it is, or in quotes. */
export function hclKey(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? key : hclString(key);
}

function printValue(value: Value, indent: string): string {
  if (value instanceof Expression) return value.code;
  if (value instanceof Call) return `${value.name}(${printValue(value.argument, indent)})`;
  if (typeof value === "string") return hclString(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const inner = `${indent}  `;
  if (value instanceof Map) {
    if (value.size === 0) return "{}";
    const lines = aligned(
      [...(value as ReadonlyMap<string, Value>)].map(([key, one]) => ({
        name: hclKey(key),
        text: printValue(one, inner),
      })),
      inner,
    );
    return `{\n${lines.join("\n")}\n${indent}}`;
  }
  const items = (value as readonly Value[]).map((one) => printValue(one, inner));
  const line = `[${items.join(", ")}]`;
  if (line.length <= 100 && !line.includes("\n")) return line;
  return `[\n${items.map((item) => `${inner}${item},`).join("\n")}\n${indent}]`;
}
