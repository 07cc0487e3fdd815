/** A line and a column, both from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Where the value under a path of names and indices begins in a text that is valid JSON, or the text's end. */
export function placeOf(text: string, path: readonly (string | number)[]): Place {
  let at = skipSpace(text, 0);
  for (const step of path) {
    const inside = typeof step === "string" ? memberAt(text, at, step) : elementAt(text, at, step);
    if (inside === undefined) return lineAndColumn(text, text.length);
    at = inside;
  }
  return lineAndColumn(text, at);
}

/** The place behind the last character. */
export const endOf = (text: string): Place => lineAndColumn(text, text.length);

function lineAndColumn(text: string, at: number): Place {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function memberAt(text: string, object: number, wanted: string): number | undefined {
  let found: number | undefined;
  let at = skipSpace(text, object + 1);
  while (text[at] === '"') {
    const end = skipValue(text, at);
    const name: unknown = JSON.parse(text.slice(at, end));
    const value = skipSpace(text, skipSpace(text, end) + 1);
    // The last one counts, as it does for whoever reads the whole.
    if (name === wanted) found = value;
    at = next(text, value);
  }
  return found;
}

function elementAt(text: string, list: number, index: number): number | undefined {
  // What could have been written without a list is the only element of itself.
  if (text[list] !== "[") return list;
  let at = skipSpace(text, list + 1);
  for (let i = 0; i < index; i += 1) at = next(text, at);
  return at;
}

/** The beginning of what comes after a value and its comma. */
function next(text: string, value: number): number {
  const end = skipSpace(text, skipValue(text, value));
  return text[end] === "," ? skipSpace(text, end + 1) : end;
}

/** The end of a value, without a call for each level: texts may be nested as deeply as they are long. */
function skipValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const character = text[at];
    if (character === '"') at = skipString(text, at);
    else {
      if (character === "{" || character === "[") depth += 1;
      else if (character === "}" || character === "]") depth -= 1;
      at += 1;
    }
    if (depth === 0 && !isScalar(text[start])) return at;
  } while (at < text.length && (depth > 0 || !/[,\]}\s]/.test(text[at] ?? "")));
  return at;
}

const isScalar = (first: string | undefined): boolean => !/["[{]/.test(first ?? "");

function skipString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text[at] ?? "")) at += 1;
  return at;
}
