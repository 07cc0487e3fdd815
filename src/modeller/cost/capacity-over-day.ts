import type { PerSecond } from "./load.ts";

/** How provisioned capacity follows what is consumed. */
export interface Scaling {
  readonly min: number;
  readonly max: number;
  /** Consumed units for a hundred provisioned ones. */
  readonly target: number;
}

export const defaultTarget = 70;
/** What the console proposes. */
export const defaultMin = 5;

/**
 * What is consumed over a day, of which only the average and the peak are known: sorted from the
 * quietest moment (0) to the busiest (1) it rises as peak · u^k, with the k that gives the average.
 * With peak = average it is flat, with peak = 2 · average a straight line, beyond that ever more of
 * a spike. Nothing else is assumed of the shape.
 */
function steepness({ average, peak }: PerSecond): number {
  return average <= 0 ? 0 : Math.max(0, peak / average - 1);
}

/**
 * The mean of the capacity that target tracking provides: consumed / target, never below the
 * minimum, never above the maximum. Minutes of delay are left out.
 */
export function scaledCapacity(units: PerSecond, { min, max, target }: Scaling): number {
  const k = steepness(units);
  const top = (units.peak * 100) / target;
  if (k === 0 || top <= min) return Math.min(max, Math.max(min, top));
  const [from, to] = [shareBelow(min, top, k), shareBelow(Math.max(min, max), top, k)];
  const between = (top / (k + 1)) * (to ** (k + 1) - from ** (k + 1));
  return min * from + between + Math.max(min, max) * (1 - to);
}

/** The share of the day in which capacity is below `level`. */
function shareBelow(level: number, top: number, k: number): number {
  return level >= top ? 1 : (level / top) ** (1 / k);
}

/** The share of the day in which more is consumed than `capacity`. */
export function shareAbove(units: PerSecond, capacity: number): number {
  const k = steepness(units);
  if (units.peak <= capacity) return 0;
  return k === 0 ? 1 : 1 - shareBelow(capacity, units.peak, k);
}

/** The mean of what lies above `level` of the capacity that target tracking provides. */
export function scaledAbove(units: PerSecond, scaling: Scaling, level: number): number {
  if (level >= scaling.max) return 0;
  const min = Math.max(level, scaling.min);
  return scaledCapacity(units, { ...scaling, min }) - level;
}

/** As large as auto scaling needs to be to reach its target at the peak. */
export function scalingFor({ peak }: PerSecond): Scaling {
  const max = Math.max(1, Math.ceil((peak * 100) / defaultTarget));
  return { min: Math.min(defaultMin, max), max, target: defaultTarget };
}
