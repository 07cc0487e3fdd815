import { bytesAsNumber, fromDigits, inDigits } from "./digits.ts";
import { ValueError } from "./numbers.ts";
import { type ByteSource, systemBytes, systemTime, type TimeSource } from "./platform.ts";

/** Ids of 26 characters that sort by the millisecond they were made in. */

const crockfordDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const ulidLength = 26;
const ulidRandomBits = 80n;
const ulidTimeMax = 2 ** 48 - 1;
const ulidRandomMax = (1n << ulidRandomBits) - 1n;

export interface IdOptions {
  readonly time?: TimeSource | undefined;
  readonly bytes?: ByteSource | undefined;
  /**
   * Ids of one maker rise also within the smallest unit of time and when the clock is set back: the last
   * one is counted up. Others can guess the next id then.
   */
  readonly monotonic?: boolean | undefined;
}

/** A new id. */
export function ulid({ time = systemTime, bytes = systemBytes }: IdOptions = {}): string {
  return ulidOf(time(), bytesAsNumber(bytes(10)));
}

/** Makes ids one after the other; monotonic unless told otherwise. */
export function ulidMaker(options: IdOptions = {}): () => string {
  const { time = systemTime, bytes = systemBytes, monotonic = true } = options;
  let lastTime = -1;
  let lastRandom = 0n;
  return () => {
    const now = Math.floor(time());
    if (monotonic && now <= lastTime) lastRandom += 1n;
    else {
      lastTime = now;
      lastRandom = bytesAsNumber(bytes(10));
    }
    if (lastRandom > ulidRandomMax) throw new ValueError("no ids are left in this millisecond");
    return ulidOf(lastTime, lastRandom);
  };
}

function ulidOf(time: number, random: bigint): string {
  const whole = Math.floor(time);
  if (!(whole >= 0 && whole <= ulidTimeMax)) throw new ValueError(`${time} is no time of a ULID`);
  return inDigits((BigInt(whole) << ulidRandomBits) | random, crockfordDigits, ulidLength);
}

/** When an id was made, in milliseconds; nothing if it is no ULID. */
export function ulidTime(id: string): number | undefined {
  const number = fromDigits(id, crockfordDigits, ulidLength);
  if (number === undefined) return undefined;
  const time = Number(number >> ulidRandomBits);
  return time <= ulidTimeMax ? time : undefined;
}

/** The least and the greatest id of a span of time, both ends included: the bounds of a query. */
export function ulidBounds(
  from: number,
  to: number,
): { readonly from: string; readonly to: string } {
  return { from: ulidOf(from, 0n), to: ulidOf(to, ulidRandomMax) };
}
