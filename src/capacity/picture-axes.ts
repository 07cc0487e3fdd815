import { plotLeft, plotRight, plotWidth, px } from "./picture-style.ts";

/** 1, 2 or 5 with zeros, so that there are at most so many of them up to a value. */
export function niceStep(value: number, steps: number): number {
  const rough = value / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((one) => one * power >= rough * (1 - 1e-9)) ?? 10;
  return factor * power;
}

export function units(value: number): string {
  if (value >= 1_000_000) return `${trim(value / 1_000_000)}M`;
  if (value >= 100_000) return `${trim(value / 1_000)}k`;
  return value >= 10
    ? Math.round(value).toLocaleString("en")
    : value.toLocaleString("en", { maximumFractionDigits: 1 });
}

function trim(value: number): string {
  return String(Math.round(value * 10) / 10);
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const timeSteps = [
  1,
  2,
  5,
  10,
  15,
  30,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  7 * day,
  14 * day,
];

/** Ticks along time below a plot. On a narrow screen every second one has a label. */
export function timeAxis(seconds: number, top: number, bottom: number): string {
  const step = timeSteps.find((one) => seconds / one <= 8) ?? Math.ceil(seconds / 8 / day) * day;
  const parts: string[] = [];
  for (let i = 0; i * step <= seconds; i += 1) {
    const x = plotLeft + (plotWidth * i * step) / seconds;
    const anchor = x > plotRight - 30 ? "end" : "mid";
    const shown = i % 2 === 0 ? "" : " wide";
    parts.push(
      `<path class="grid" d="M${px(x)} ${px(top)}V${px(bottom + 6)}"/>`,
      `<text class="soft num ${anchor}${shown}" x="${px(x)}" y="${px(bottom + 26)}">${timeText(i * step, step)}</text>`,
    );
  }
  return parts.join("");
}

function timeText(seconds: number, step: number): string {
  if (seconds === 0) return "0";
  if (step < minute) return `${seconds} s`;
  if (step < hour && seconds < 10 * hour) return `${seconds / minute} min`;
  if (step < day) return `${trim(seconds / hour)} h`;
  return `${trim(seconds / day)} d`;
}
