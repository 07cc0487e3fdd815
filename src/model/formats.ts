import type { AttributeType, FormatName } from "./document-requirements.ts";

export interface Format {
  /** The types that it can have, and the bytes of a value. */
  readonly bytes: Readonly<Partial<Record<AttributeType, number>>>;
  /** Whether values sort in the order of time, or in none that means anything. */
  readonly order: "time" | "none";
  /** The finest unit of time that can be cut off; nothing if it says no time. */
  readonly finest: TimeUnit | undefined;
}

export const timeUnits = ["minute", "hour", "day", "month", "year"] as const;
export type TimeUnit = (typeof timeUnits)[number];

/** A number has a byte, and one for every two digits. */
export function digitsBytes(digits: number): number {
  return 1 + Math.ceil(digits / 2);
}

export const formats: Readonly<Record<FormatName, Format>> = {
  "iso-date": { bytes: { S: 10 }, order: "time", finest: "day" },
  "iso-time": { bytes: { S: 24 }, order: "time", finest: "minute" },
  "epoch-seconds": { bytes: { N: digitsBytes(10) }, order: "time", finest: "minute" },
  "epoch-milliseconds": { bytes: { N: digitsBytes(13) }, order: "time", finest: "minute" },
  ulid: { bytes: { S: 26, B: 16 }, order: "time", finest: undefined },
  ksuid: { bytes: { S: 27, B: 20 }, order: "time", finest: undefined },
  uuid: { bytes: { S: 36, B: 16 }, order: "none", finest: undefined },
};

/** The length of a time that is cut off after a unit: `2026-11-16T09`. */
export const unitLength: Readonly<Record<TimeUnit, number>> = {
  minute: 16,
  hour: 13,
  day: 10,
  month: 7,
  year: 4,
};
