import { compareLanes, type Lane } from "./history.ts";
import {
  clipped,
  escapeXml,
  heatSteps,
  plotLeft,
  plotRight,
  plotWidth,
  px,
} from "./picture-style.ts";
import { type Direction, partitionUnitsMax } from "./throughput.ts";

const lanesMax = 60;
const lanesHeight = 220;
const laneHeightMin = 4;
const laneHeightMax = 30;
/** What was throttled takes up to this share of a lane's height, in so many steps. */
const throttledShare = 0.6;
const throttledSteps = 4;
/** From this heat on a partition is worth a caption, and from this height it has room for one. */
const captionHeat = 5;
const captionHeight = 16;
const captionHeightNarrow = 28;
/** The width of a sign, roughly, on a narrow screen. */
const captionSign = 14;

/** The partitions as bands: a partition is as high as the parts that it was split into. */
export class LaneLayout {
  readonly height: number;
  /** So many partitions are not drawn. */
  readonly hidden: number;
  readonly #steps: number;
  readonly #laneHeight: number;
  readonly #rows = new Map<number, { first: number; last: number }>();
  readonly #lanes: readonly Lane[];
  readonly #direction: Direction;

  constructor(lanes: readonly Lane[], steps: number, direction: Direction) {
    this.#steps = steps;
    this.#direction = direction;
    const parents = new Set(lanes.map(({ parent }) => parent));
    const leaves = lanes.filter(({ id }) => !parents.has(id));
    const drawn = [...leaves]
      .sort((a, b) => weightOf(b, direction) - weightOf(a, direction))
      .slice(0, lanesMax)
      .sort(compareLanes);
    this.hidden = leaves.length - drawn.length;
    const byId = new Map(lanes.map((lane) => [lane.id, lane]));
    for (const [row, leaf] of drawn.entries()) {
      for (let lane: Lane | undefined = leaf; lane !== undefined; ) {
        const known = this.#rows.get(lane.id);
        this.#rows.set(lane.id, { first: known?.first ?? row, last: row });
        lane = lane.parent === undefined ? undefined : byId.get(lane.parent);
      }
    }
    this.#lanes = lanes.filter(({ id }) => this.#rows.has(id));
    const fitting = lanesHeight / Math.max(1, drawn.length);
    this.#laneHeight = Math.min(laneHeightMax, Math.max(laneHeightMin, fitting));
    this.height = this.#laneHeight * drawn.length;
  }

  /** Captions by partition, such as the key that makes it hot. */
  draw(top: number, captions: ReadonlyMap<number, string>): string {
    const hottest = this.#lanes.reduce<Lane | undefined>(
      (best, lane) =>
        lane.to === this.#steps &&
        (best === undefined || weightOf(lane, this.#direction) > weightOf(best, this.#direction))
          ? lane
          : best,
      undefined,
    );
    const bands = this.#lanes.map((lane) => this.#band(lane, top));
    const splits = this.#lanes.map((lane) => this.#split(lane, top));
    const labels = this.#lanes.map((lane) => this.#label(lane, top, lane === hottest));
    const words = this.#lanes.map((lane) => this.#caption(lane, top, captions.get(lane.id)));
    return [...bands, ...splits, ...labels, ...words].join("");
  }

  #place(lane: Lane, top: number): { readonly y: number; readonly height: number } {
    const { first, last } = this.#rows.get(lane.id) as { first: number; last: number };
    const gap = this.#laneHeight > 8 ? 2 : this.#laneHeight > 5 ? 1 : 0;
    const height = (last - first + 1) * this.#laneHeight - gap;
    return { y: top + first * this.#laneHeight, height };
  }

  #x(step: number): number {
    return plotLeft + (plotWidth * step) / this.#steps;
  }

  /** Neighbouring steps that look the same are one rectangle. */
  #band(lane: Lane, top: number): string {
    const { y, height } = this.#place(lane, top);
    const looks = lane[this.#direction].consumed.map((_, i) => lookOf(lane, this.#direction, i));
    const parts: string[] = [];
    for (let from = 0; from < looks.length; ) {
      const look = looks[from] as Look;
      let to = from + 1;
      while (
        to < looks.length &&
        looks[to]?.heat === look.heat &&
        looks[to]?.refused === look.refused
      ) {
        to += 1;
      }
      const [x, width] = [
        this.#x(lane.from + from),
        this.#x(lane.from + to) - this.#x(lane.from + from),
      ];
      parts.push(rect(`h${look.heat}`, x, y, width, height));
      if (look.refused > 0) {
        const high = Math.max(2, (height * throttledShare * look.refused) / throttledSteps);
        parts.push(rect("throttled", x, y + height - high, width, high));
      }
      from = to;
    }
    return parts.join("");
  }

  #split(lane: Lane, top: number): string {
    const wasSplit = this.#lanes.some(({ parent }) => parent === lane.id);
    if (!wasSplit || lane.to >= this.#steps) return "";
    const { y, height } = this.#place(lane, top);
    const x = this.#x(lane.to);
    return `<path class="split" d="M${px(x)} ${px(y - 1)}v${px(height + 2)}"/><path class="mark" d="M${px(x - 6)} ${px(y - 8)}h12l-6 8z"/>`;
  }

  /** Where the partition becomes hot, if there is room. */
  #caption(lane: Lane, top: number, text: string | undefined): string {
    const { y, height } = this.#place(lane, top);
    const looks = lane[this.#direction].consumed.map((_, i) => lookOf(lane, this.#direction, i));
    const hot = looks.findIndex(({ heat }) => heat >= captionHeat);
    if (text === undefined || hot < 0 || height < captionHeight) return "";
    const x = this.#x(lane.from + hot);
    const room = Math.floor((plotRight - x) / captionSign);
    if (room < 12) return "";
    const shown = height < captionHeightNarrow ? " wide" : "";
    return `<text class="halo${shown}" x="${px(x + 8)}" y="${px(y + Math.min(24, height / 2 + 5))}">${escapeXml(clipped(text, room))}</text>`;
  }

  #label(lane: Lane, top: number, isHottest: boolean): string {
    if (lane.to !== this.#steps || this.#lanes.some(({ parent }) => parent === lane.id)) return "";
    const { y, height } = this.#place(lane, top);
    if (!isHottest && this.#laneHeight < 13) return "";
    const kind = isHottest ? "" : "soft wide";
    return `<text class="num end ${kind}" x="${plotLeft - 8}" y="${px(y + height / 2 + 5)}">${lane.id}</text>`;
  }
}

interface Look {
  readonly heat: number;
  readonly refused: number;
}

function lookOf(lane: Lane, direction: Direction, step: number): Look {
  const { consumed, throttled } = lane[direction];
  const [used, refused] = [consumed[step] ?? 0, throttled[step] ?? 0];
  const heat = (used / partitionUnitsMax[direction]) * (heatSteps - 1);
  return {
    heat: used === 0 ? 0 : Math.max(1, Math.min(heatSteps - 1, Math.round(heat))),
    refused: refused === 0 ? 0 : Math.ceil((throttledSteps * refused) / (used + refused)),
  };
}

function weightOf(lane: Lane, direction: Direction): number {
  const { consumed, throttled } = lane[direction];
  const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
  return sum(consumed) + sum(throttled);
}

function rect(kind: string, x: number, y: number, width: number, height: number): string {
  return `<rect class="${kind}" x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}"/>`;
}
