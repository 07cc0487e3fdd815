/** `KEYWRIGHT_LONG=1`: long histories from a seed of the moment, instead of short ones that never change. */
export const long = process.env.KEYWRIGHT_LONG === "1";

const firstSeed = Number(
  process.env.KEYWRIGHT_SEED ?? (long ? Date.now() % 1_000_000_000 : 20_261_116),
);

/** A seed that was asked for runs alone. */
export function seedsOf(count: number): number[] {
  const seeds = process.env.KEYWRIGHT_SEED === undefined ? count : 1;
  return Array.from({ length: seeds }, (_, i) => firstSeed + i);
}

export const stepsOf = (short: number, longer: number): number =>
  Number(process.env.KEYWRIGHT_STEPS ?? (long ? longer : short));

/** A history that fails is run again and again to shorten it, on a machine that may be busy. */
export const timeout = long ? 1_800_000 : 90_000;
