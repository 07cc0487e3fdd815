import { emptyRecord } from "../base/record.ts";
import type { KeyType } from "../item/attribute-value.ts";
import { CsvRows } from "./csv-rows.ts";
import type { RecordReader } from "./record-reader.ts";
import { UnreadableError } from "./unreadable.ts";

export interface CsvOptions {
  readonly delimiter?: string | undefined;
  /** The names of the columns; without them the first row has them. */
  readonly header?: readonly string[] | undefined;
  /** The types of columns that are keys; all others hold texts. */
  readonly types: ReadonlyMap<string, KeyType>;
}

/** Items of the rows of a CSV text. A cell without anything in it is no attribute. */
export class CsvRecordReader implements RecordReader {
  readonly #rows: CsvRows;
  readonly #types: ReadonlyMap<string, KeyType>;
  #header: readonly string[] | undefined;

  constructor({ delimiter = ",", header, types }: CsvOptions) {
    this.#rows = new CsvRows(delimiter);
    this.#types = types;
    if (header !== undefined) this.#header = this.#checked(header);
  }

  *push(piece: Uint8Array): Generator<unknown> {
    yield* this.#items(this.#rows.push(piece));
  }

  *end(): Generator<unknown> {
    yield* this.#items(this.#rows.end());
  }

  *#items(rows: Iterable<readonly string[]>): Generator<unknown> {
    for (const cells of rows) {
      if (this.#header === undefined) this.#header = this.#checked(cells);
      else yield this.#item(this.#header, cells);
    }
  }

  #checked(names: readonly string[]): readonly string[] {
    if (names.includes("")) throw new UnreadableError("A column of the header has no name.");
    const known = new Set<string>();
    for (const name of names) {
      if (known.has(name)) {
        throw new UnreadableError(`The header has the column ${JSON.stringify(name)} twice.`);
      }
      known.add(name);
    }
    return names;
  }

  #item(names: readonly string[], cells: readonly string[]): unknown {
    if (cells.length !== names.length) {
      throw new UnreadableError(
        `The row on line ${this.#rows.line} has ${cells.length} cells; there are ${names.length} columns.`,
      );
    }
    const item = emptyRecord<object>();
    names.forEach((name, place) => {
      const cell = cells[place] as string;
      if (cell !== "") item[name] = { [this.#types.get(name) ?? "S"]: cell };
    });
    return item;
  }
}
