import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Case, type Headers, headersOf, requestBytes } from "./cases.ts";
import type { Sending } from "./http.ts";

/** A text, with the parts that repeat written once: `["(", 4096]`, or counted: `["v#", 100, "#"]`. */
export type Text = string | readonly Part[];
type Part = string | readonly [text: string, times: number, counter?: string];

/** A case that is kept: a request by its parts, or all bytes that are written, in Latin-1. */
export interface KeptCase {
  readonly name: string;
  /** What it must end in, as the oracle words it; without it, only the oracle's rules hold. */
  readonly expect?: string;
  readonly operation?: string;
  readonly body?: Text;
  readonly method?: string;
  readonly path?: Text;
  readonly version?: string;
  /** In place of the usual ones of the same name; null leaves one out. */
  readonly headers?: Readonly<Record<string, Text | null>>;
  readonly raw?: Text;
  readonly unfolds?: "yes" | "no" | "tooLarge";
  readonly sending?: Omit<Sending, "pieces">;
}

const folder = fileURLToPath(new URL("./corpus/", import.meta.url));

/** All kept cases by the file that keeps them. */
export function readCorpus(): [file: string, cases: KeptCase[]][] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .toSorted()
    .map((file) => [file, JSON.parse(readFileSync(folder + file, "utf8")) as KeptCase[]]);
}

/** Keeps a case that failed, to be replayed first from now on. */
export function keepFailure(
  name: string,
  { sending, operation, unfolds }: Case,
  why: string,
): string {
  const { pieces, ...rest } = sending;
  const kept: KeptCase = {
    name: why,
    ...(operation === undefined ? {} : { operation }),
    raw: shortened(Buffer.concat(pieces).toString("latin1")),
    ...(unfolds === undefined ? {} : { unfolds }),
    sending: rest,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}${name}.json`, `${JSON.stringify([kept], null, 2)}\n`);
  return `test/fuzz/corpus/${name}.json`;
}

function shortened(text: string): Text {
  const parts: (string | [string, number])[] = [];
  let from = 0;
  for (const run of text.matchAll(/(.)\1{63,}/gs)) {
    if (run.index > from) parts.push(text.slice(from, run.index));
    parts.push([run[1] as string, run[0].length]);
    from = run.index + run[0].length;
  }
  parts.push(text.slice(from));
  return parts.length === 1 ? text : parts;
}

export function spelledOut(text: Text): string {
  if (typeof text === "string") return text;
  return text.map(spelledOutPart).join("");
}

function spelledOutPart(part: Part): string {
  if (typeof part === "string") return part;
  const [text, times, counter] = part;
  if (counter === undefined) return text.repeat(times);
  return Array.from({ length: times }, (_, at) => text.replaceAll(counter, String(at))).join("");
}

export function caseOf(kept: KeptCase): Case {
  const { operation, unfolds, method, version } = kept;
  const common = { label: kept.name, ...(unfolds === undefined ? {} : { unfolds }) };
  if (kept.raw !== undefined) {
    const pieces = [Buffer.from(spelledOut(kept.raw), "latin1")];
    return {
      ...common,
      ...(operation === undefined ? {} : { operation }),
      sending: { fresh: true, ...kept.sending, pieces },
    };
  }
  const body = Buffer.from(spelledOut(kept.body ?? ""));
  const bytes = requestBytes(changedHeaders(operation ?? "Scan", kept.headers ?? {}), body, {
    ...(method === undefined ? {} : { method }),
    ...(version === undefined ? {} : { version }),
    ...(kept.path === undefined ? {} : { path: spelledOut(kept.path) }),
  });
  // With other headers than the usual ones the answer need not come from the operation.
  const plain = kept.headers === undefined && method === undefined && kept.path === undefined;
  return {
    ...common,
    ...(operation !== undefined && plain ? { operation, body } : {}),
    sending: { due: 1, bodiless: method === "HEAD", ...kept.sending, pieces: [bytes] },
  };
}

function changedHeaders(
  operation: string,
  changes: Readonly<Record<string, Text | null>>,
): Headers {
  const kept = headersOf(operation).filter(([name]) => !Object.hasOwn(changes, name));
  for (const [name, value] of Object.entries(changes)) {
    if (value !== null) kept.push([name, spelledOut(value)]);
  }
  return kept;
}
