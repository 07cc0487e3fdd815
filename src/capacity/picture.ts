import type { ResourceHistory } from "./history.ts";
import { timeAxis } from "./picture-axes.ts";
import { chart, chartHeight } from "./picture-chart.ts";
import { LaneLayout } from "./picture-lanes.ts";
import {
  clipped,
  escapeXml,
  heatSteps,
  pictureWidth,
  plotLeft,
  plotRight,
  plotWidth,
  px,
  style,
} from "./picture-style.ts";
import { type Direction, directions } from "./throughput.ts";

export interface PictureOptions {
  readonly title: string;
  /** A line below the title. */
  readonly verdict: string;
  readonly table: string;
  readonly seconds: number;
  readonly steps: number;
  readonly resources: readonly ResourceHistory[];
  /** What is to be said about a partition, such as the key that makes it hot. */
  readonly caption?: (index: string | undefined, partition: number) => string | undefined;
}

const headHeight = 92;
const panelTitleHeight = 40;
const lanesGap = 34;
const axisHeight = 62;
const legendHeight = 112;

/** What a table, its indexes and their partitions did over time, as SVG. */
export function picture(options: PictureOptions): string {
  return pictures(options.title, options.verdict, [options]);
}

/** Several tables below each other, each with its own title. */
export function pictures(title: string, verdict: string, all: readonly PictureOptions[]): string {
  const parts: string[] = [];
  let height = 0;
  for (const options of all) {
    const part = partOf(options);
    parts.push(
      height === 0 ? part.svg : `<g transform="translate(0 ${px(height)})">\n${part.svg}\n</g>`,
    );
    height += part.height;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${pictureWidth} ${px(Math.max(1, height))}" role="img" aria-labelledby="title desc">
<title id="title">${escapeXml(title)}</title>
<desc id="desc">${escapeXml(verdict)}</desc>
<style>${style}</style>
<rect class="back" width="100%" height="100%"/>
${parts.join("\n")}
</svg>
`;
}

function partOf(options: PictureOptions): { readonly svg: string; readonly height: number } {
  const panels: string[] = [];
  let y = headHeight;
  for (const history of options.resources) {
    for (const direction of directions) {
      const { consumed, throttled } = history[direction];
      if (![...consumed, ...throttled].some((value) => value > 0)) continue;
      const made = panel(options, history, direction, y);
      panels.push(made.svg);
      y += made.height;
    }
  }
  const svg = `<text class="title" x="20" y="40">${escapeXml(clipped(options.title, 58))}</text>
<text class="soft" x="20" y="72">${escapeXml(clipped(options.verdict, 76))}</text>
${panels.join("\n")}
${legend(y + 8)}`;
  return { svg, height: y + legendHeight };
}

function panel(
  { table, seconds, steps, caption }: PictureOptions,
  history: ResourceHistory,
  direction: Direction,
  top: number,
): { readonly svg: string; readonly height: number } {
  const name = history.index === undefined ? table : `${table} · index ${history.index}`;
  const chartTop = top + panelTitleHeight;
  const lanesTop = chartTop + chartHeight + lanesGap;
  const lanes = new LaneLayout(history.lanes, steps, direction);
  const bottom = lanesTop + lanes.height;
  const captions = new Map(
    history.lanes.flatMap(({ id }) => {
      const text = caption?.(history.index, id);
      return text === undefined ? [] : [[id, text] as const];
    }),
  );
  const hidden = lanes.hidden > 0 ? ` (the busiest; ${lanes.hidden} more)` : "";
  const svg = [
    `<text class="head" x="20" y="${px(top + 22)}">${escapeXml(clipped(`${name}: ${direction} units per second`, 62))}</text>`,
    timeAxis(seconds, chartTop, bottom),
    chart(history, direction, chartTop),
    `<text class="soft" x="${plotLeft}" y="${px(lanesTop - 12)}">Partitions in the order of their keys${hidden}</text>`,
    lanes.draw(lanesTop, captions),
  ].join("\n");
  return { svg, height: bottom - top + axisHeight };
}

function legend(top: number): string {
  const swatch = (kind: string, x: number, y: number): string =>
    `<rect class="${kind}" x="${px(x)}" y="${px(y - 12)}" width="22" height="14"/>`;
  const line = (kind: string, x: number, y: number): string =>
    `<path class="${kind}" d="M${px(x)} ${px(y - 5)}h26"/>`;
  const split = (x: number, y: number): string =>
    `<path class="split" d="M${px(x + 11)} ${px(y - 12)}v15"/><path class="mark" d="M${px(x + 5)} ${px(y - 16)}h12l-6 8z"/>`;
  const say = (text: string, x: number, y: number): string =>
    `<text class="soft" x="${px(x)}" y="${px(y)}">${text}</text>`;
  const heat = (x: number, y: number): string =>
    Array.from(
      { length: heatSteps },
      (_, step) =>
        `<rect class="h${step}" x="${px(x + step * 15)}" y="${px(y - 12)}" width="15" height="14"/>`,
    ).join("");
  const wide = [
    [swatch("consumed", plotLeft, top + 22), say("consumed", plotLeft + 30, top + 22)],
    [swatch("throttled", plotLeft + 120, top + 22), say("throttled", plotLeft + 150, top + 22)],
    [
      line("limit", plotLeft + 236, top + 22),
      say("limit of the table or index", plotLeft + 270, top + 22),
    ],
    [
      line("ceiling", plotLeft + 460, top + 22),
      say("what one partition can do", plotLeft + 494, top + 22),
    ],
    [split(plotLeft + 680, top + 22), say("split", plotLeft + 706, top + 22)],
    [say("partition idle", plotLeft, top + 56), heat(plotLeft + 94, top + 56)],
    [say("at its ceiling", plotLeft + 252, top + 56)],
    [say("its lower edge: throttled", plotLeft + 494, top + 56)],
    [swatch("throttled", plotLeft + 464, top + 56)],
  ].flat();
  const middle = plotLeft + plotWidth / 2;
  const narrow = [
    [swatch("consumed", 20, top + 20), say("consumed", 52, top + 20)],
    [swatch("throttled", 200, top + 20), say("throttled", 232, top + 20)],
    [split(370, top + 20), say("split", 400, top + 20)],
    [line("limit", middle - 20, top + 20), say("limit of table or index", middle + 16, top + 20)],
    [
      say("partition idle", 20, top + 64),
      heat(190, top + 64),
      say("at its ceiling", 350, top + 64),
    ],
    [line("ceiling", middle - 20, top + 64), say("one partition's limit", middle + 16, top + 64)],
  ].flat();
  return `<g class="wide">${wide.join("")}</g><g class="narrow">${narrow.join("")}</g><path class="grid" d="M20 ${px(top - 14)}H${plotRight}"/>`;
}
