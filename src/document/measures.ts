const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const unitBytes: Readonly<Record<string, number>> = { B: 1, KB: 1_024, MB: 1_024 ** 2 };

/** What a schema says of a text with a unit. */
export const durationPattern = "^\\d+(\\.\\d+)?(ms|s|m|h|d)$";
export const sizePattern = "^\\d+(\\.\\d+)? ?(B|KB|MB)$";

/** Seconds, or a number with its unit; checked before. */
export function durationMs(value: number | string): number {
  return typeof value === "number" ? value * 1_000 : measure(value, unitMs);
}

export function sizeBytes(value: number | string): number {
  return Math.ceil(typeof value === "number" ? value : measure(value, unitBytes));
}

function measure(text: string, units: Readonly<Record<string, number>>): number {
  const [, number = "", unit = ""] = /^([\d.]+) ?([A-Za-z]+)$/.exec(text) ?? [];
  return Number(number) * (units[unit] ?? Number.NaN);
}
