import { fromDigits, inDigits } from "./digits.ts";
import { ValueError } from "./numbers.ts";
import { type IdOptions, type IdShape, idMaker, newId } from "./rising-ids.ts";

/** Ids of 27 characters that sort by the second they were made in. */

const base62Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ksuidLength = 27;
const ksuidRandomBits = 128n;
const ksuidRandomMax = (1n << ksuidRandomBits) - 1n;
/** They count seconds from here, in seconds since 1970. */
const ksuidEpoch = 1_400_000_000;
const ksuidSecondsMax = 2 ** 32 - 1;

const ksuidShape: IdShape = { randomBytes: 16, unit: 1_000, write: ksuidOf };

/** A new id. */
export function ksuid(options: IdOptions = {}): string {
  return newId(ksuidShape, options);
}

/** Makes ids one after the other; monotonic unless told otherwise. */
export function ksuidMaker(options: IdOptions = {}): () => string {
  return idMaker(ksuidShape, options);
}

function ksuidOf(time: number, random: bigint): string {
  const seconds = Math.floor(time / 1_000) - ksuidEpoch;
  if (!(seconds >= 0 && seconds <= ksuidSecondsMax)) {
    throw new ValueError(`${time} is no time of a KSUID`);
  }
  return inDigits((BigInt(seconds) << ksuidRandomBits) | random, base62Digits, ksuidLength);
}

/** When an id was made, in milliseconds, to the second; nothing if it is no KSUID. */
export function ksuidTime(id: string): number | undefined {
  const number = fromDigits(id, base62Digits, ksuidLength);
  if (number === undefined) return undefined;
  const seconds = Number(number >> ksuidRandomBits);
  return seconds <= ksuidSecondsMax ? (seconds + ksuidEpoch) * 1_000 : undefined;
}

/** The least and the greatest id of a span of time, both seconds included: the bounds of a query. */
export function ksuidBounds(
  from: number,
  to: number,
): { readonly from: string; readonly to: string } {
  return { from: ksuidOf(from, 0n), to: ksuidOf(to, ksuidRandomMax) };
}
