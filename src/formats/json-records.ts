import { Pieces, textOf } from "./pieces.ts";
import type { RecordReader } from "./record-reader.ts";
import { UnreadableError } from "./unreadable.ts";

const newline = 10;
const quote = 34;
const backslash = 92;
const openBrace = 123;
const closeBrace = 125;
const openBracket = 91;
const closeBracket = 93;

/** Beyond this, a line is taken apart before its end is known. */
const longLine = 1024 * 1024;

/** Deeper than any item may be. To make objects of a million brackets takes seconds. */
const depthMax = 1000;
const deepTextBytes = 32 * 1024;

/**
 * Lines of `{"Item":{…}}`. The service also takes several of them on one line; empty lines are nothing to it.
 */
export class JsonRecordReader implements RecordReader {
  readonly #pieces = new Pieces();
  #line = 1;

  *push(piece: Uint8Array): Generator<unknown> {
    if (!this.#pieces.add(piece)) return;
    const { bytes, offset } = this.#pieces;
    let at = 0;
    for (;;) {
      for (; bytes[at] === newline; at += 1) this.#line += 1;
      const end = bytes.indexOf(newline, at);
      if (end < 0) break;
      yield* this.#recordsOf(bytes.subarray(at, end), offset + at);
      at = end;
    }
    if (bytes.length - at > longLine) {
      const whole = wholeObjects(bytes.subarray(at));
      if (whole > 0) yield* this.#recordsOf(bytes.subarray(at, at + whole), offset + at);
      at += whole;
    }
    this.#pieces.drop(at);
  }

  *end(): Generator<unknown> {
    const { bytes, offset } = this.#pieces;
    if (bytes.length > 0) yield* this.#recordsOf(bytes, offset);
  }

  *#recordsOf(bytes: Buffer, offset: number): Generator<unknown> {
    const text = textOf(bytes, offset);
    if (isBlank(text)) return;
    if (bytes.length > deepTextBytes && isDeep(bytes)) {
      throw new UnreadableError(`Line ${this.#line} is nested too deep.`);
    }
    const only = parsed(text);
    if (!(only instanceof SyntaxError)) {
      yield this.#itemOf(only);
      return;
    }
    let at = 0;
    while (at < bytes.length) {
      const length = wholeObject(bytes.subarray(at));
      const one = bytes.subarray(at, length === 0 ? bytes.length : at + length).toString("utf8");
      if (length === 0 && isBlank(one)) return;
      const value = parsed(one);
      if (value instanceof SyntaxError) {
        throw new UnreadableError(`Line ${this.#line} is not JSON: ${value.message}.`);
      }
      yield this.#itemOf(value);
      at += length;
    }
  }

  #itemOf(value: unknown): unknown {
    if (typeof value === "object" && value !== null && Object.hasOwn(value, "Item")) {
      const { Item: item } = value as { Item: unknown };
      if (typeof item === "object" && item !== null && !Array.isArray(item)) return item;
    }
    throw new UnreadableError(`Line ${this.#line} has no Item.`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

const isBlank = (text: string): boolean => text.trim() === "";

/** How many bytes the objects take that are there to their last brace. */
function wholeObjects(bytes: Buffer): number {
  let at = 0;
  for (;;) {
    const length = wholeObject(bytes.subarray(at));
    if (length === 0) return at;
    at += length;
  }
}

/** How many bytes the first object takes, with what is before it; 0 if its end is not there. */
function wholeObject(bytes: Buffer): number {
  return follow(bytes, (depth, opens) => depth <= 0 && !opens);
}

function isDeep(bytes: Buffer): boolean {
  return follow(bytes, (depth) => depth > depthMax) > 0;
}

/** Goes from bracket to bracket until one is what is looked for; how many bytes that took, 0 if none is. */
function follow(bytes: Buffer, isIt: (depth: number, opens: boolean) => boolean): number {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inString) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (isIt(depth, true)) return at + 1;
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (isIt(depth, false)) return at + 1;
    }
  }
  return 0;
}
