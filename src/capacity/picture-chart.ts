import type { ResourceHistory } from "./history.ts";
import { niceStep, units } from "./picture-axes.ts";
import { plotLeft, plotRight, plotWidth, px } from "./picture-style.ts";
import { type Direction, partitionUnitsMax } from "./throughput.ts";

export const chartHeight = 170;
/** A limit this far above what was asked is not worth the room. */
const limitReach = 1.6;

const limitNames = {
  provisioned: "provisioned",
  maximum: "on-demand maximum",
  "on-demand": "on-demand capacity",
} as const;

/** Consumed and throttled units over time, with the limits that they met. */
export function chart(history: ResourceHistory, direction: Direction, top: number): string {
  const { consumed, throttled, limit } = history[direction];
  const asked = consumed.map((value, i) => value + (throttled[i] ?? 0));
  const askedMax = Math.max(1, ...asked);
  const highestLimit = Math.max(...limit);
  const ceiling = partitionUnitsMax[direction];
  const drawn = [highestLimit, ceiling].filter((value) => value <= askedMax * limitReach);
  const step = niceStep(Math.max(askedMax, ...drawn) * 1.04, 4);
  const max = Math.ceil((Math.max(askedMax, ...drawn) * 1.04) / step) * step;
  const y = (value: number): number => top + chartHeight * (1 - Math.min(value, max) / max);
  const parts: string[] = [];
  for (let value = 0; value <= max + step / 2; value += step) {
    parts.push(
      `<path class="grid" d="M${plotLeft} ${px(y(value))}H${plotRight}"/>`,
      `<text class="soft num end" x="${plotLeft - 8}" y="${px(y(value) + 5)}">${units(value)}</text>`,
    );
  }
  const zero = consumed.map(() => 0);
  parts.push(area("consumed", consumed, zero, y), area("throttled", asked, consumed, y));
  const limitY = y(limit.at(-1) ?? 0);
  const ceilingIsDrawn = ceiling <= max;
  if (highestLimit <= max) {
    parts.push(`<path class="limit" d="${stairs(limit, y)}"/>`);
    parts.push(label("", limitNames[history.limitKind], limit.at(-1) ?? 0, plotRight - 6, limitY));
  }
  if (ceilingIsDrawn && Math.abs(y(ceiling) - limitY) > 1) {
    parts.push(`<path class="ceiling" d="M${plotLeft} ${px(y(ceiling))}H${plotRight}"/>`);
    parts.push(label("ceilingText", "one partition", ceiling, plotLeft + 6, y(ceiling)));
  }
  if (highestLimit > max) {
    const text = `${limitNames[history.limitKind]}: ${units(highestLimit)} per second, above`;
    parts.push(`<text class="soft end" x="${plotRight - 6}" y="${px(top + 16)}">${text}</text>`);
  }
  return parts.join("");
}

function label(kind: string, name: string, value: number, x: number, y: number): string {
  const anchor = x > plotLeft + plotWidth / 2 ? "end" : "";
  return `<text class="halo ${kind} ${anchor}" x="${px(x)}" y="${px(y - 7)}">${name} ${units(value)}</text>`;
}

type Scale = (value: number) => number;

/** The area between two stepped lines. */
function area(kind: string, upper: readonly number[], lower: readonly number[], y: Scale): string {
  if (upper.every((value, i) => value === lower[i])) return "";
  const back = stairs([...lower].reverse(), y, true).replace(/^M/, "L");
  return `<path class="${kind}" d="${stairs(upper, y)}${back}Z"/>`;
}

/** A line that holds each value for its step; to the left if backwards. */
function stairs(values: readonly number[], y: Scale, backwards = false): string {
  const x = (step: number): string => {
    const share = step / values.length;
    return px(plotLeft + plotWidth * (backwards ? 1 - share : share));
  };
  let path = `M${x(0)} ${px(y(values[0] ?? 0))}`;
  let last = values[0] ?? 0;
  for (const [i, value] of values.entries()) {
    if (value === last) continue;
    path += `H${x(i)}V${px(y(value))}`;
    last = value;
  }
  return `${path}H${x(values.length)}`;
}
