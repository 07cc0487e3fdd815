import { fromDigits, inDigits } from "./digits.ts";
import { ValueError } from "./numbers.ts";
import { type IdOptions, type IdShape, idMaker, newId } from "./rising-ids.ts";

/** Ids of 26 characters that sort by the millisecond they were made in. */

const crockfordDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const ulidLength = 26;
const ulidRandomBits = 80n;
const ulidTimeMax = 2 ** 48 - 1;
const ulidRandomMax = (1n << ulidRandomBits) - 1n;

const ulidShape: IdShape = { randomBytes: 10, unit: 1, write: ulidOf };

/** A new id. */
export function ulid(options: IdOptions = {}): string {
  return newId(ulidShape, options);
}

/** Makes ids one after the other; monotonic unless told otherwise. */
export function ulidMaker(options: IdOptions = {}): () => string {
  return idMaker(ulidShape, options);
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
