import { worthLookingAt } from "./pieces.ts";
import { recordBytesMax, UnreadableError } from "./unreadable.ts";

/**
 * The rows of a CSV text that comes in pieces. Cells with delimiters, quotes or line breaks in them are quoted,
 * quotes within are doubled; a quote in any other place is a mistake. Empty lines are nothing.
 */
export class CsvRows {
  readonly #delimiter: string;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #rest = "";
  #worthLooking = 0;
  #line = 1;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** The line on which the row that was read last begins. */
  get line(): number {
    return this.#line;
  }

  *push(piece: Uint8Array): Generator<readonly string[]> {
    this.#rest += this.#decoded(piece);
    if (this.#rest.length < this.#worthLooking) return;
    yield* this.#rows(false);
    this.#worthLooking = worthLookingAt(this.#rest.length);
    if (this.#rest.length > recordBytesMax) {
      throw new UnreadableError(`The row on line ${this.#line} does not end.`);
    }
  }

  *end(): Generator<readonly string[]> {
    this.#rest += this.#decoded();
    yield* this.#rows(true);
  }

  #decoded(piece?: Uint8Array): string {
    try {
      return this.#decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw new UnreadableError(`The text is not UTF-8 on line ${this.#line} or soon after it.`);
    }
  }

  *#rows(last: boolean): Generator<readonly string[]> {
    let at = 0;
    for (;;) {
      const row = this.#row(at, last);
      if (row === undefined) break;
      if (row.cells.length > 1 || row.cells[0] !== "") yield row.cells;
      this.#line += row.lines;
      at = row.end;
      if (at >= this.#rest.length) break;
    }
    this.#rest = this.#rest.slice(at);
  }

  /** The row that begins there, if all of it is there. */
  #row(
    start: number,
    last: boolean,
  ): { readonly cells: string[]; readonly end: number; readonly lines: number } | undefined {
    const text = this.#rest;
    const cells: string[] = [];
    let lines = 1;
    let at = start;
    if (at >= text.length) return undefined;
    for (;;) {
      let cell: string;
      if (text[at] === '"') {
        const end = closingQuote(text, at + 1);
        // A quote at the end of a piece may be the first of two.
        if (end < 0 || (!last && end === text.length - 1)) {
          if (last) throw new UnreadableError(`A quoted cell on line ${this.#line} does not end.`);
          return undefined;
        }
        const inner = text.slice(at + 1, end);
        lines += inner.split("\n").length - 1;
        cell = inner.replaceAll('""', '"');
        at = end + 1;
      } else {
        const end = this.#cellEnd(at);
        cell = text.slice(at, end);
        if (cell.includes('"')) {
          throw new UnreadableError(
            `There is a quote within a cell on line ${this.#line}; such cells are quoted, with two quotes for each.`,
          );
        }
        at = end;
      }
      cells.push(cell);
      const next = text[at];
      if (next === this.#delimiter) {
        at += 1;
        continue;
      }
      if (next === undefined) return last ? { cells, end: at, lines } : undefined;
      if (next === "\n") return { cells, end: at + 1, lines };
      if (next === "\r" && text[at + 1] === "\n") return { cells, end: at + 2, lines };
      if (next === "\r" && at + 1 === text.length) {
        return last ? { cells, end: at + 1, lines } : undefined;
      }
      throw new UnreadableError(`There is something behind a quoted cell on line ${this.#line}.`);
    }
  }

  #cellEnd(from: number): number {
    const text = this.#rest;
    for (let at = from; at < text.length; at += 1) {
      const character = text[at];
      if (character === this.#delimiter || character === "\n") return at;
      if (character === "\r" && (at + 1 === text.length || text[at + 1] === "\n")) return at;
    }
    return text.length;
  }
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}
