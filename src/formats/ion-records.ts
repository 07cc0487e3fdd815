import { parseIonStruct } from "./ion-parser.ts";
import { Pieces, textOf } from "./pieces.ts";
import type { RecordReader } from "./record-reader.ts";
import { recordBytesMax, UnreadableError } from "./unreadable.ts";

const code = {
  newline: 10,
  doubleQuote: 34,
  singleQuote: 39,
  star: 42,
  comma: 44,
  slash: 47,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  openBrace: 123,
  closeBrace: 125,
};

/** What the byte that is looked at belongs to. */
type Within = "text" | "string" | "symbol" | "long" | "line" | "block" | "blob" | "clob";

const versionMarker = "$ion_1_0";
const binaryMarker = Buffer.from([0xe0, 0x01, 0x00, 0xea]);

/**
 * Structs of Ion text, `{Item:{…}}`, one after the other or as the elements of a list. This finds where each
 * begins and ends, byte by byte, so that no more than one has to be kept; what is in it is the parser's concern.
 */
export class IonRecordReader implements RecordReader {
  readonly #pieces = new Pieces();
  /** Up to where the bytes that are kept were looked at. */
  #looked = 0;
  #within: Within = "text";
  #depth = 0;
  #inList = false;
  /** Where the struct begins that is being looked at. */
  #start = 0;
  /** Characters between structs. */
  #between = "";

  *push(piece: Uint8Array): Generator<unknown> {
    if (this.#pieces.add(piece)) yield* this.#look(false);
  }

  *end(): Generator<unknown> {
    yield* this.#look(true);
    if (this.#depth > 0) {
      throw new UnreadableError(
        `The text ends within the record at byte ${this.#pieces.offset + this.#start}.`,
      );
    }
    this.#checkBetween(this.#pieces.offset + this.#pieces.bytes.length);
    if (this.#within === "block" || this.#within === "string" || this.#within === "long") {
      throw new UnreadableError("The text ends within a comment or string.");
    }
    if (this.#inList) throw new UnreadableError("The text ends within a list of records.");
  }

  *#look(last: boolean): Generator<unknown> {
    const { bytes, offset } = this.#pieces;
    if (offset === 0 && bytes.subarray(0, binaryMarker.length).equals(binaryMarker)) {
      throw new UnreadableError("This is binary Ion; only Ion text can be read.");
    }
    let done = 0;
    let at = this.#looked;
    // What is two or three bytes long is looked at when all of it is there.
    const until = last ? bytes.length : bytes.length - 2;
    for (; at < until; at += 1) {
      at += this.#step(bytes, at);
      if (this.#depth === -1) {
        this.#depth = 0;
        yield itemOf(bytes.subarray(this.#start, at + 1), offset + this.#start);
      }
      if (this.#depth === 0) done = at + 1;
    }
    const dropped = Math.min(done, bytes.length);
    this.#pieces.drop(dropped);
    this.#looked = at - dropped;
    this.#start -= dropped;
    if (this.#between.length > recordBytesMax) {
      throw new UnreadableError("There is no record where one should begin.");
    }
  }

  /** Takes the byte and answers how many more it has taken. A depth of -1: here ends a record. */
  #step(bytes: Buffer, at: number): number {
    const byte = bytes[at];
    const next = bytes[at + 1];
    switch (this.#within) {
      case "string":
      case "clob":
      case "symbol": {
        const end = this.#within === "symbol" ? code.singleQuote : code.doubleQuote;
        if (byte === code.backslash) return 1;
        if (byte === end) this.#within = this.#within === "clob" ? "blob" : "text";
        return 0;
      }
      case "long":
        if (byte === code.backslash) return 1;
        if (!isTripleQuote(bytes, at)) return 0;
        this.#within = "text";
        return 2;
      case "line":
        if (byte === code.newline) this.#within = "text";
        return 0;
      case "block":
        if (byte !== code.star || next !== code.slash) return 0;
        this.#within = "text";
        return 1;
      case "blob":
        if (byte === code.doubleQuote) this.#within = "clob";
        if (byte !== code.closeBrace || next !== code.closeBrace) return 0;
        this.#within = "text";
        return 1;
      case "text":
        return this.#text(bytes, at);
    }
  }

  #text(bytes: Buffer, at: number): number {
    const byte = bytes[at];
    const next = bytes[at + 1];
    if (byte === code.slash && next === code.slash) this.#within = "line";
    else if (byte === code.slash && next === code.star) {
      this.#within = "block";
      return 1;
    } else if (this.#depth > 0) return this.#inside(bytes, at);
    else if (byte === code.openBrace) {
      this.#checkBetween(this.#pieces.offset + at);
      this.#start = at;
      this.#depth = 1;
    } else if (byte === code.openBracket || byte === code.closeBracket) {
      this.#checkBetween(this.#pieces.offset + at);
      if (this.#inList === (byte === code.openBracket)) this.#misplaced(at);
      this.#inList = !this.#inList;
    } else if (byte === code.comma) {
      if (!this.#inList) this.#misplaced(at);
      this.#checkBetween(this.#pieces.offset + at);
    } else this.#between += String.fromCharCode(byte as number);
    return 0;
  }

  #inside(bytes: Buffer, at: number): number {
    switch (bytes[at]) {
      case code.doubleQuote:
        this.#within = "string";
        return 0;
      case code.singleQuote:
        this.#within = isTripleQuote(bytes, at) ? "long" : "symbol";
        return this.#within === "long" ? 2 : 0;
      case code.openBrace:
        if (bytes[at + 1] === code.openBrace) {
          this.#within = "blob";
          return 1;
        }
        this.#depth += 1;
        return 0;
      case code.openBracket:
        this.#depth += 1;
        return 0;
      case code.closeBrace:
      case code.closeBracket:
        this.#depth -= 1;
        if (this.#depth === 0) this.#depth = -1;
        return 0;
      default:
        return 0;
    }
  }

  #checkBetween(at: number): void {
    const words = this.#between.trim().split(/\s+/);
    this.#between = "";
    const other = words.find((word) => word !== "" && word !== versionMarker);
    if (other === undefined) return;
    throw new UnreadableError(`There is no record where one should begin, before byte ${at}.`);
  }

  #misplaced(at: number): never {
    throw new UnreadableError(
      `There is no record where one should begin, at byte ${this.#pieces.offset + at}.`,
    );
  }
}

function isTripleQuote(bytes: Buffer, at: number): boolean {
  return (
    bytes[at] === code.singleQuote &&
    bytes[at + 1] === code.singleQuote &&
    bytes[at + 2] === code.singleQuote
  );
}

function itemOf(bytes: Buffer, offset: number): unknown {
  const record = parseIonStruct(textOf(bytes, offset), offset);
  const item = record.get("Item");
  if (item !== undefined && "M" in item) return item.M;
  throw new UnreadableError(`The record at byte ${offset} has no Item.`);
}
