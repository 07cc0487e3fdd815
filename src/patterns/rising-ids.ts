import { bytesAsNumber } from "./digits.ts";
import { ValueError } from "./numbers.ts";
import { type ByteSource, systemBytes, systemTime, type TimeSource } from "./platform.ts";

/** What ids with time in them have in common: a time in some unit, then random bits. */

export interface IdOptions {
  readonly time?: TimeSource | undefined;
  readonly bytes?: ByteSource | undefined;
  /**
   * Ids of one maker rise also within the smallest unit of time and when the clock is set back: the last
   * one is counted up. Others can guess the next id then.
   */
  readonly monotonic?: boolean | undefined;
}

export interface IdShape {
  readonly randomBytes: number;
  /** Milliseconds in the unit that ids count. */
  readonly unit: number;
  /** The text for a time in milliseconds and the random bits. */
  readonly write: (time: number, random: bigint) => string;
}

export function newId(shape: IdShape, options: IdOptions): string {
  return idMaker(shape, options)();
}

/** Makes ids one after the other; monotonic unless told otherwise. */
export function idMaker(shape: IdShape, options: IdOptions): () => string {
  const { time = systemTime, bytes = systemBytes, monotonic = true } = options;
  const { randomBytes, unit, write } = shape;
  let last = Number.NEGATIVE_INFINITY;
  let random = 0n;
  return () => {
    const now = Math.floor(time() / unit);
    if (monotonic && now <= last) random += 1n;
    else {
      last = now;
      random = bytesAsNumber(bytes(randomBytes));
    }
    if (random >> BigInt(randomBytes * 8) !== 0n) {
      throw new ValueError(`no ids are left in these ${unit} ms`);
    }
    return write(last * unit, random);
  };
}
