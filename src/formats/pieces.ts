import { isUtf8 } from "node:buffer";
import { recordBytesMax, UnreadableError } from "./unreadable.ts";

/** What has come of a file and is not read yet. */
export class Pieces {
  #bytes: Buffer = Buffer.alloc(0);
  /** Where in the file it begins. */
  #offset = 0;

  get bytes(): Buffer {
    return this.#bytes;
  }

  get offset(): number {
    return this.#offset;
  }

  add(piece: Uint8Array): void {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
  }

  /** So many bytes are read. What is left must be the beginning of one record. */
  drop(count: number): void {
    this.#bytes = this.#bytes.subarray(count);
    this.#offset += count;
    if (this.#bytes.length > recordBytesMax) {
      throw new UnreadableError(
        `The record at byte ${this.#offset} does not end within ${recordBytesMax} bytes.`,
      );
    }
  }
}

/** Bytes as text, unless they are none. */
export function textOf(bytes: Buffer, offset: number): string {
  if (!isUtf8(bytes)) throw new UnreadableError(`The record at byte ${offset} is not UTF-8.`);
  return bytes.toString("utf8");
}
