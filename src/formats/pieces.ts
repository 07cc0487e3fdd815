import { isUtf8 } from "node:buffer";
import { recordBytesMax, UnreadableError } from "./unreadable.ts";

/**
 * What has come of a file and is not read yet. What was looked at in vain is looked at again when it has
 * doubled, and not with every piece: a long record would be looked at from its beginning a thousand times.
 */
export class Pieces {
  #bytes: Buffer = Buffer.alloc(0);
  #more: Uint8Array[] = [];
  #length = 0;
  /** Where in the file it begins. */
  #offset = 0;
  #worthLooking = 0;

  get bytes(): Buffer {
    if (this.#more.length > 0) {
      this.#bytes = joined(this.#bytes, this.#more, this.#length);
      this.#more = [];
    }
    return this.#bytes;
  }

  get offset(): number {
    return this.#offset;
  }

  /** Whether it is worth looking at now. */
  add(piece: Uint8Array): boolean {
    this.#more.push(piece);
    this.#length += piece.length;
    return this.#length >= this.#worthLooking;
  }

  /** So many bytes are read. What is left must be the beginning of one record. */
  drop(count: number): void {
    this.#bytes = this.bytes.subarray(count);
    this.#length -= count;
    this.#offset += count;
    if (this.#length > recordBytesMax) {
      throw new UnreadableError(
        `The record at byte ${this.#offset} does not end within ${recordBytesMax} bytes.`,
      );
    }
    this.#worthLooking = worthLookingAt(this.#length);
  }
}

/** How much there must be of what is left, until it is looked at again. */
export function worthLookingAt(left: number): number {
  return Math.min(2 * left, recordBytesMax + 1);
}

function joined(first: Buffer, more: readonly Uint8Array[], length: number): Buffer {
  const [only] = more;
  if (first.length === 0 && more.length === 1 && only !== undefined) {
    return Buffer.from(only.buffer, only.byteOffset, only.byteLength);
  }
  return Buffer.concat([first, ...more], length);
}

/** Bytes as text, unless they are none. */
export function textOf(bytes: Buffer, offset: number): string {
  if (!isUtf8(bytes)) throw new UnreadableError(`The record at byte ${offset} is not UTF-8.`);
  return bytes.toString("utf8");
}
