/** How long a month is. Bills use 730 hours; many estimates count thirty days. */
export interface Month {
  readonly name: "730h" | "30d";
  readonly hours: number;
}

export const months: Readonly<Record<Month["name"], Month>> = {
  "730h": { name: "730h", hours: 730 },
  "30d": { name: "30d", hours: 720 },
};

export const secondsPerHour = 3_600;

export function secondsOf({ hours }: Month): number {
  return hours * secondsPerHour;
}

/** A year is twelve months of 730 hours; payments for a term are spread over its hours. */
export const hoursPerYear = 8_760;
