import { niceStep } from "../../capacity/picture-axes.ts";
import { clipped, escapeXml, pictureWidth, px, style } from "../../capacity/picture-style.ts";
import type { CostReport, PartCost, PatternCost } from "./report.ts";
import { partName } from "./text.ts";
import { money } from "./words.ts";

const left = 330;
/** Room for the sum behind the longest bar, also in the large letters of a narrow screen. */
const right = pictureWidth - 150;
const rowHeight = 30;
const barHeight = 18;
const headHeight = 96;
const panelHead = 44;
const axisHeight = 42;
const rowsMax = 40;

const kinds = ["reads", "writes", "storage", "other"] as const;
type Kind = (typeof kinds)[number];

/** Four colours that differ in lightness too. */
const light: Readonly<Record<Kind, string>> = {
  reads: "#4a8cc4",
  writes: "#b5651d",
  storage: "#5c6774",
  other: "#9b7fc0",
};
const dark: Readonly<Record<Kind, string>> = {
  reads: "#66afdf",
  writes: "#e0a63c",
  storage: "#9aa6b4",
  other: "#b9a0dd",
};

const rules = (scheme: Readonly<Record<Kind, string>>): string =>
  kinds.map((kind) => `.${kind}{fill:${scheme[kind]}}`).join("");

interface Row {
  readonly name: string;
  readonly parts: readonly (readonly [Kind, number])[];
  readonly total: number;
  readonly peak: number;
}

/** What a month costs by table and by pattern, as SVG. */
export function costPicture(report: CostReport): string {
  const tables = report.parts.map(partRow);
  const patterns = report.patterns.map(patternRow);
  const first = panel("By table and index", tables, headHeight);
  const second = panel("By pattern: throughput", patterns, first.bottom);
  const title = `${report.model}: ${money(report.total.average)} a month`;
  const verdict = `${report.region}, ${report.month.hours} hours; ${money(report.total.peak)} if the peak lasted all month`;
  const height = second.bottom + 44;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${pictureWidth} ${px(height)}" role="img" aria-labelledby="title desc">
<title id="title">${escapeXml(title)}</title>
<desc id="desc">${escapeXml(verdict)}</desc>
<style>${style}${rules(light)}@media (prefers-color-scheme:dark){${rules(dark)}}</style>
<rect class="back" width="100%" height="100%"/>
<text class="title" x="20" y="40">${escapeXml(clipped(title, 58))}</text>
<text class="soft" x="20" y="72">${escapeXml(clipped(verdict, 76))}</text>
${first.svg}
${second.svg}
${legend(second.bottom + 18)}
</svg>
`;
}

function partRow(part: PartCost): Row {
  return {
    name: partName(part),
    parts: kinds.map((kind) => [kind, part[kind]]),
    total: part.dollars.average,
    peak: part.dollars.peak,
  };
}

/** What a pattern pays for reads and for writes, as it uses units. */
function patternRow({ id, name, dollars, readDollars }: PatternCost): Row {
  return {
    name: id === undefined ? name : `${id}  ${name}`,
    parts: [
      ["reads", readDollars],
      ["writes", dollars.average - readDollars],
    ],
    total: dollars.average,
    peak: dollars.peak,
  };
}

function panel(
  title: string,
  all: readonly Row[],
  top: number,
): { readonly svg: string; readonly bottom: number } {
  if (all.length === 0) return { svg: "", bottom: top };
  const rows = all.toSorted((a, b) => b.total - a.total).slice(0, rowsMax);
  const hidden = all.length - rows.length;
  const most = Math.max(...rows.map(({ total }) => total), 0.01);
  const step = niceStep(most, 5);
  const end = Math.ceil(most / step - 1e-9) * step;
  const scale = (right - left) / end;
  const from = top + panelHead;
  const bottom = from + rows.length * rowHeight;
  const grid: string[] = [];
  for (let i = 0; i * step <= end + 1e-9; i += 1) {
    const x = left + i * step * scale;
    grid.push(
      `<path class="grid" d="M${px(x)} ${px(from - 6)}V${px(bottom)}"/>`,
      `<text class="soft num mid${i % 2 === 0 ? "" : " wide"}" x="${px(x)}" y="${px(bottom + 22)}">${escapeXml(dollarTick(i * step, step))}</text>`,
    );
  }
  const bars = rows.map((row, i) => bar(row, from + i * rowHeight, scale));
  const more = hidden === 0 ? "" : ` (the largest ${rows.length} of ${all.length})`;
  return {
    svg: `<text class="head" x="20" y="${px(top + 24)}">${escapeXml(title + more)}</text>
${grid.join("")}
${bars.join("\n")}`,
    bottom: bottom + axisHeight,
  };
}

function bar({ name, parts, total, peak }: Row, top: number, scale: number): string {
  const y = top + (rowHeight - barHeight) / 2;
  let x = left;
  const shapes = parts.flatMap(([kind, dollars]) => {
    const width = Math.max(0, dollars) * scale;
    const shape = `<rect class="${kind}" x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${barHeight}"/>`;
    x += width;
    return width < 0.05 ? [] : [shape];
  });
  const label = (shown: "wide" | "narrow", max: number): string =>
    `<text class="end ${shown}" x="${left - 10}" y="${px(y + 14)}">${escapeXml(clipped(name, max))}</text>`;
  const told = `${name}: ${money(total)} a month, ${money(peak)} at the peak`;
  return `<g><title>${escapeXml(told)}</title>${label("wide", 40)}${label("narrow", 22)}${shapes.join("")}<text class="num" x="${px(x + 8)}" y="${px(y + 14)}">${escapeXml(money(total))}</text></g>`;
}

function dollarTick(value: number, step: number): string {
  const digits = step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
  return `$${value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

function legend(y: number): string {
  return kinds
    .map((kind, i) => {
      const x = 20 + i * 150;
      return `<rect class="${kind}" x="${x}" y="${px(y - 12)}" width="14" height="14"/><text class="soft" x="${x + 22}" y="${px(y)}">${kind}</text>`;
    })
    .join("");
}
