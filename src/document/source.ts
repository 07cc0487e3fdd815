import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type Scalar } from "yaml";
import type { Complaint } from "./complaint.ts";
import { type NodeComplaint, nameOf, nodeValue } from "./node-value.ts";
import { type Issue, type Path, pathText } from "./path.ts";

export interface Place {
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

/** Longer texts are refused before they are read. */
export const textLengthMax = 4_000_000;

/** A text in YAML (or JSON, which is YAML) and where everything is in it. */
export class Source {
  readonly name: string;
  /** As JSON knows values; records have no prototype. */
  readonly value: unknown;
  readonly #contents: Node | null;
  readonly #text: string;
  readonly #lines: LineCounter;

  private constructor(
    name: string,
    value: unknown,
    contents: Node | null,
    text: string,
    lines: LineCounter,
  ) {
    this.name = name;
    this.value = value;
    this.#contents = contents;
    this.#text = text;
    this.#lines = lines;
  }

  /** `name` is the file, for complaints. With complaints there is nothing to go on with. */
  static read(
    text: string,
    name: string,
  ): { readonly source: Source; readonly complaints: readonly [] } | Refused {
    const lines = new LineCounter();
    const refuse = (complaints: readonly NodeComplaint[]): Refused => ({
      source: undefined,
      complaints: complaints.map(({ offset, message }) => {
        const { line, col } = lines.linePos(offset);
        return { file: name, line: Math.max(1, line), column: Math.max(1, col), path: "", message };
      }),
    });
    if (text.length > textLengthMax) {
      return refuse([{ offset: 0, message: "the file is longer than 4 MB" }]);
    }
    const document = opens(text) > openMax ? undefined : parse(text, lines);
    if (document === undefined) {
      return refuse([{ offset: 0, message: "the file is nested too deeply" }]);
    }
    const errors = [...document.errors, ...document.warnings];
    if (errors.length > 0) {
      return refuse(
        errors.map(({ pos, code, message }) => ({
          offset: pos[0],
          message:
            code === "MULTIPLE_DOCS" ? "a second document begins here; keep one" : oneLine(message),
        })),
      );
    }
    const found: NodeComplaint[] = [];
    const contents = document.contents as Node | null;
    const value = nodeValue(contents, (one) => void found.push(one));
    if (found.length > 0) return refuse(found);
    return { source: new Source(name, value, contents, text, lines), complaints: [] };
  }

  /** Where the value at a path begins, or its name; the nearest thing around it if there is none. */
  place({ path, isName = false, within = 0 }: Omit<Issue, "message">): Place {
    const { line, col } = this.#lines.linePos(this.#offset(path, isName, within));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }

  complaint(issue: Issue): Complaint {
    const path = pathText(issue.path);
    return {
      file: this.name,
      ...this.place(issue),
      path: path === "" ? "the file" : path,
      message: issue.message,
    };
  }

  #offset(path: Path, isName: boolean, within: number): number {
    let node: unknown = this.#contents;
    let offset = this.#contents?.range?.[0] ?? 0;
    for (const [depth, step] of path.entries()) {
      const isLast = depth === path.length - 1;
      if (isMap(node)) {
        const pair = node.items.find((one) => nameOf(one) === String(step));
        if (pair === undefined) return offset;
        const keyOffset = (pair.key as Node).range?.[0] ?? offset;
        const valueOffset = (pair.value as Node | null)?.range?.[0];
        offset = isLast && !isName && typeof valueOffset === "number" ? valueOffset : keyOffset;
        node = pair.value;
      } else if (isSeq(node)) {
        node = node.items[Number(step)];
        if (node === undefined) return offset;
        offset = (node as Node | null)?.range?.[0] ?? offset;
      } else {
        return offset;
      }
    }
    return within > 0 && isScalar(node) ? this.#insideOf(node, within) : offset;
  }

  /** A text that is written on one line and without escapes can be pointed into. */
  #insideOf(node: Scalar, within: number): number {
    const [start = 0, end = start] = node.range ?? [];
    const quoted = node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE";
    const written = this.#text.slice(start, end);
    const plain = quoted ? written.slice(1, -1) : written;
    return plain === node.value ? start + (quoted ? 1 : 0) + within : start;
  }
}

interface Refused {
  readonly source: undefined;
  readonly complaints: readonly Complaint[];
}

/** The library's time grows with the square of open brackets; no text that is meant has so many. */
const openMax = 1_000;

/** How many brackets are open at most, whether they mean something there or not. */
function opens(text: string): number {
  let open = 0;
  let most = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open += bracket === "[" || bracket === "{" ? 1 : -1;
    if (open > most) most = open;
  }
  return most;
}

/** Nothing if the library runs out of stack, which only nesting by the thousand can bring about. */
function parse(text: string, lines: LineCounter) {
  try {
    // The library compares each name with all others of its map; nodeValue looks them up.
    return parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function oneLine(message: string): string {
  return message.replaceAll(/\s+/g, " ").trim();
}
