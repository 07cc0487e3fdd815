import { absent, anyOf, type Condition, greaterThan } from "./conditions.ts";
import { isNumberLike, numberText } from "./numbers.ts";
import { systemTime } from "./platform.ts";
import { type Attributes, ownOf } from "./values.ts";

/** Items that expire. The service deletes them some time later, days at worst, so readers leave them out. */

/** A moment as the attribute of time to live has it: whole seconds since 1970. */
export function ttlSeconds(time: number | Date): number {
  return Math.floor((typeof time === "number" ? time : time.getTime()) / 1_000);
}

/** The second when what is written now expires. */
export function expiresIn(milliseconds: number, now: number = systemTime()): number {
  return ttlSeconds(now + milliseconds);
}

/** A filter, or a condition: the item has not expired, or never does. */
export function notExpired(attribute: string, now: number = systemTime()): Condition {
  return anyOf(absent(attribute), greaterThan(attribute, ttlSeconds(now))) as Condition;
}

/** Whether an item that was read has expired; one without a number there never does. */
export function isExpired(
  item: Attributes,
  attribute: string,
  now: number = systemTime(),
): boolean {
  const value = ownOf(item, attribute);
  return isNumberLike(value) && Number(numberText(value)) <= ttlSeconds(now);
}
