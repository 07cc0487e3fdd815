import { assert } from "../base/assert.ts";

/** As much as the tool itself takes, unless it is told to take more. */
const windowBytesMax = 128 * 1024 * 1024;
const blockBytesMax = 128 * 1024;

const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;

/** What cannot be Zstandard, or would need more memory than anybody has for it. */
export class NotZstd extends Error {}

/**
 * Cuts what was compressed with Zstandard into its blocks. Four bytes can stand for 128 KB, so whoever
 * decompresses a piece as large as files are read in gets gigabytes at once; of a block it is 128 KB at most.
 */
export class ZstdBlocks {
  #bytes: Buffer = Buffer.alloc(0);
  #next: "frame" | "block" | "checksum" = "frame";
  #hasChecksum = false;
  /** Of a frame that says nothing to us. */
  #skipped = 0;

  /** Headers and blocks, as far as they are there to their end. */
  *push(piece: Uint8Array): Generator<Uint8Array> {
    this.#bytes = Buffer.concat([this.#bytes, piece]);
    let at = 0;
    for (;;) {
      const length = this.#lengthOf(this.#bytes.subarray(at));
      if (length === undefined || at + length > this.#bytes.length) break;
      const part = this.#bytes.subarray(at, at + length);
      at += length;
      if (this.#skipped > 0) this.#skipped -= length;
      else {
        this.#step(part);
        yield part;
      }
    }
    this.#bytes = this.#bytes.subarray(at);
  }

  /** What is left: nothing, if all was there. */
  get rest(): Uint8Array {
    return this.#bytes;
  }

  /** How long the part is that begins there; undefined if too little of it is there to say. */
  #lengthOf(bytes: Buffer): number | undefined {
    if (this.#skipped > 0)
      return bytes.length === 0 ? undefined : Math.min(bytes.length, this.#skipped);
    switch (this.#next) {
      case "frame":
        return this.#headerLength(bytes);
      case "block": {
        if (bytes.length < 3) return undefined;
        const size = bytes.readUIntLE(0, 3) >> 3;
        if (size > blockBytesMax) throw new NotZstd("a block is too large");
        return 3 + (isRepeated(bytes) ? 1 : size);
      }
      case "checksum":
        return 4;
    }
  }

  #headerLength(bytes: Buffer): number | undefined {
    if (bytes.length < 4) return undefined;
    const magic = bytes.readUInt32LE(0);
    if ((magic & 0xfffffff0) >>> 0 === skippableMagic) {
      if (bytes.length < 8) return undefined;
      this.#skipped = 8 + bytes.readUInt32LE(4);
      return 8;
    }
    if (magic !== frameMagic) throw new NotZstd("it does not begin as a frame does");
    return bytes.length < 5 ? undefined : 5 + descriptorLength(bytes[4] as number);
  }

  /** What comes after a part. */
  #step(part: Buffer): void {
    switch (this.#next) {
      case "frame":
        if (windowOf(part) > windowBytesMax) throw new NotZstd("its window is too large");
        this.#hasChecksum = ((part[4] as number) & 4) !== 0;
        this.#next = "block";
        return;
      case "block":
        if (((part[0] as number) & 1) === 1) this.#next = this.#hasChecksum ? "checksum" : "frame";
        return;
      case "checksum":
        this.#next = "frame";
    }
  }
}

/** One byte stands for the whole block. */
const isRepeated = (block: Buffer): boolean => (((block[0] as number) >> 1) & 3) === 1;

const dictionaryBytes = [0, 1, 2, 4];

/** Of what follows the first byte of a frame's header. */
function descriptorLength(flags: number): number {
  const isSingle = (flags & 32) !== 0;
  return (isSingle ? 0 : 1) + (dictionaryBytes[flags & 3] as number) + sizeBytes(flags);
}

function sizeBytes(flags: number): number {
  const kind = flags >> 6;
  return kind === 0 ? (flags >> 5) & 1 : 1 << kind;
}

function windowOf(header: Buffer): number {
  const flags = header[4] as number;
  if ((flags & 32) === 0) {
    const descriptor = header[5] as number;
    const base = 2 ** (10 + (descriptor >> 3));
    return base + (base / 8) * (descriptor & 7);
  }
  const length = sizeBytes(flags);
  assert(header.length >= 5 + length, "the header is whole");
  const size = header.subarray(header.length - length);
  return length === 8 ? Number(size.readBigUInt64LE()) : size.readUIntLE(0, length);
}
