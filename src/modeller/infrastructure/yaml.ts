import { printable } from "../../base/printable.ts";

/** What YAML and JSON can hold. */
export type Data =
  | string
  | number
  | boolean
  | readonly Data[]
  | { readonly [name: string]: Data | undefined };

/** What is said of members of a value, in comments before them: by the member, or by its name in another one. */
export type Notes = ReadonlyMap<string, string>;

/** Comments, then a value in lines. Texts that could be read as something else are quoted. */
export function yamlText(
  comments: readonly string[],
  value: Data,
  notes: ReadonlyMap<string, Notes> = new Map(),
): string {
  const head = comments.map((line) => `# ${printable(line)}\n`).join("");
  return `${head}${lines(value, "", notes).join("\n")}\n`;
}

/** `notes` are for the members of members, so they are handed down once. */
function lines(
  value: Data,
  indent: string,
  notes: ReadonlyMap<string, Notes> = new Map(),
  own: Notes = new Map(),
): readonly string[] {
  if (isList(value)) {
    return value.flatMap((one) => {
      if (isFlat(one)) return [`${indent}- ${flat(one)}`];
      const [first = "", ...rest] = lines(one, `${indent}  `);
      return [`${indent}- ${first.trimStart()}`, ...rest];
    });
  }
  if (typeof value !== "object") return [`${indent}${flat(value)}`];
  return Object.entries(value).flatMap(([name, one]) => {
    if (one === undefined) return [];
    const note = own.get(name);
    const said = note === undefined ? [] : [`${indent}# ${printable(note)}`];
    const short = isFlat(one) ? flat(one) : inLine(one);
    if (short !== undefined) return [...said, `${indent}${scalar(name)}: ${short}`];
    const below = lines(one, `${indent}  `, new Map(), notes.get(name));
    return [...said, `${indent}${scalar(name)}:`, ...below];
  });
}

const inLineMax = 80;

/** A short list of texts and numbers, in one line. */
function inLine(value: Data): string | undefined {
  if (!isList(value) || value.some((one) => typeof one === "object")) return undefined;
  // Colons mean something in such lists, to some readers.
  const parts = value.map((one) =>
    typeof one === "string" && one.includes(":") ? quoted(one) : flat(one),
  );
  const line = `[${parts.join(", ")}]`;
  return line.length <= inLineMax ? line : undefined;
}

function isList(value: Data): value is readonly Data[] {
  return Array.isArray(value);
}

function isFlat(value: Data): boolean {
  return typeof value !== "object" || Object.keys(value).length === 0;
}

function flat(value: Data): string {
  if (typeof value === "string") return scalar(value);
  if (typeof value === "object") return isList(value) ? "[]" : "{}";
  return String(value);
}

const words = /^(y|n|yes|no|on|off|true|false|null)$/i;

function scalar(text: string): string {
  if (/^[A-Za-z][A-Za-z0-9_]*(::[A-Za-z0-9]+)*$/.test(text) && !words.test(text)) return text;
  return quoted(text);
}

function quoted(text: string): string {
  const escaped = text.toWellFormed().replaceAll(/["\\\p{Cc}\p{Cf}\u2028\u2029]/gu, (one) => {
    if (one === '"' || one === "\\") return `\\${one}`;
    if (one === "\n") return "\\n";
    const code = (one.codePointAt(0) ?? 0).toString(16);
    return code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
  });
  return `"${escaped}"`;
}
