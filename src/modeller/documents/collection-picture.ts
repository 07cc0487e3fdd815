import { printable } from "../../base/printable.ts";
import { escapeXml, pictureWidth, px, style } from "../../capacity/picture-style.ts";
import type { Collection, CollectionRow } from "./collection-rows.ts";

const edge = 20;
const cellsLeft = 300;
const columns = 5;
const cellWidth = (pictureWidth - edge - cellsLeft) / columns;
const cellsMax = 2 * columns;
const headHeight = 92;
const bandHeight = 38;
const lineHeight = 42;
const gap = 14;
const moreHeight = 30;

const light = ".band{fill:#dfe9f4}.row{fill:#f6f8fb}.rule{stroke:#c9d3df}.kind{fill:#8a4b08}";
const dark = ".band{fill:#22344a}.row{fill:#181e26}.rule{stroke:#34404e}.kind{fill:#e0a63c}";

export interface CollectionPicture {
  readonly title: string;
  /** The names of the key attributes. */
  readonly partition: string;
  readonly sort: string | undefined;
  readonly collections: readonly Collection[];
  /** Kinds of items that there was no room for. */
  readonly hidden: number;
}

/** Items as they lie in a table or index: a band for each partition key, below it a row for each item. */
export function collectionPicture(picture: CollectionPicture): string {
  const { title, partition, sort, collections, hidden } = picture;
  const parts: string[] = [];
  let top = headHeight;
  for (const collection of collections) {
    const { svg, bottom } = collectionSvg(collection, partition, top);
    parts.push(svg);
    top = bottom + gap;
  }
  const height = top + edge - gap;
  const told = `Sample data. A band is a partition key (${partition}); a row is an item${sort === undefined ? "" : `, in the order of ${sort}`}.${hidden === 0 ? "" : ` ${hidden} more kinds of items are not shown.`}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${pictureWidth} ${px(height)}" role="img" aria-labelledby="title desc">
<title id="title">${xml(title)}</title>
<desc id="desc">${xml(told)}</desc>
<style>${style}.small{font-size:11px}.value{font-size:13px}.rule{stroke-width:1}${light}@media (prefers-color-scheme:dark){${dark}}</style>
<rect class="back" width="100%" height="100%"/>
<text class="title" x="${edge}" y="40">${xml(fitted(title, 900, 31))}</text>
<text class="soft wide" x="${edge}" y="72">${xml(fitted(told, 960, 14))}</text>
<text class="soft narrow" x="${edge}" y="76">${xml(fitted(told, 960, 25))}</text>
${parts.join("\n")}
</svg>
`;
}

function collectionSvg(
  { key, rows, more }: Collection,
  partition: string,
  top: number,
): { readonly svg: string; readonly bottom: number } {
  const width = pictureWidth - 2 * edge;
  const head = `${partition} = ${key}`;
  const texts = (shown: string, size: number, y: number): string =>
    `<text class="${shown}" font-weight="650" x="${edge + 10}" y="${px(top + y)}">${xml(fitted(head, width - 20, size))}</text>`;
  const parts = [
    `<g><title>${xml(head)}</title><rect class="band" x="${edge}" y="${px(top)}" width="${width}" height="${bandHeight}"/>${texts("wide", 14, 24)}${texts("narrow", 25, 28)}</g>`,
  ];
  let y = top + bandHeight;
  for (const row of rows) {
    const { svg, height } = rowSvg(row, y);
    parts.push(svg);
    y += height;
  }
  if (more > 0) {
    const text = `and ${more} more under this key`;
    parts.push(
      `<text class="soft" x="${edge + 10}" y="${px(y + 20)}">${xml(fitted(text, width - 20, 25))}</text>`,
    );
    y += moreHeight;
  }
  return { svg: parts.join("\n"), bottom: y };
}

function rowSvg(
  { kind, sort, cells }: CollectionRow,
  top: number,
): { readonly svg: string; readonly height: number } {
  const shown = cells.length > cellsMax ? cells.slice(0, cellsMax - 1) : cells;
  const hidden = cells.length - shown.length;
  const slots = shown.length + (hidden > 0 ? 1 : 0);
  const height = lineHeight * Math.max(1, Math.ceil(slots / columns)) + 6;
  const width = pictureWidth - 2 * edge;
  const [x, middle] = [edge + 10, top + height / 2];
  const name = sort === "" ? kind : sort;
  const label = sort === "" ? "" : kind;
  const parts = [
    `<rect class="row" x="${edge}" y="${px(top)}" width="${width}" height="${px(height)}"/>`,
    `<path class="rule" d="M${edge} ${px(top)}H${pictureWidth - edge}"/>`,
    `<g><title>${xml(`${kind}: ${sort}`)}</title>`,
    `<text class="wide${label === "" ? " kind" : ""}" x="${x}" y="${px(top + 20)}">${xml(fitted(name, cellsLeft - x - 10, 14))}</text>`,
    `<text class="wide kind small" x="${x}" y="${px(top + 37)}">${xml(fitted(label, cellsLeft - x - 10, 11))}</text>`,
    `<text class="narrow${label === "" ? " kind" : ""}" x="${x}" y="${px(middle + 9)}">${xml(fitted(name, 600, 25))}</text>`,
    `<text class="narrow kind end" x="${pictureWidth - edge - 10}" y="${px(middle + 9)}">${xml(fitted(label, 310, 25))}</text></g>`,
  ];
  for (const [i, { name: attribute, value }] of shown.entries()) {
    const left = cellsLeft + (i % columns) * cellWidth;
    const y = top + 2 + Math.floor(i / columns) * lineHeight;
    parts.push(
      `<g class="wide"><title>${xml(clip(`${attribute}: ${value}`))}</title>`,
      `<text class="soft small" x="${px(left)}" y="${px(y + 17)}">${xml(fitted(attribute, cellWidth - 10, 11))}</text>`,
      `<text class="value" x="${px(left)}" y="${px(y + 34)}">${xml(fitted(value, cellWidth - 10, 13))}</text></g>`,
    );
  }
  if (hidden > 0) {
    const left = cellsLeft + (columns - 1) * cellWidth;
    const y = top + 2 + lineHeight;
    parts.push(
      `<text class="soft value wide" x="${px(left)}" y="${px(y + 34)}">and ${hidden} more</text>`,
    );
  }
  return { svg: parts.join(""), height };
}

const xml = (text: string): string => escapeXml(printable(text));

/** A hint is read whole, but no hint is a book. */
function clip(text: string): string {
  const signs = [...text];
  return signs.length <= 300 ? text : `${signs.slice(0, 299).join("")}…`;
}

/** As much of a text as fits; letters are taken to be rather wide, for nobody knows the reader's fonts. */
export function fitted(text: string, width: number, size: number): string {
  const signs = [...printable(text)];
  let used = 0;
  for (const [i, sign] of signs.entries()) {
    used += widthOf(sign) * size;
    if (used > width) return `${signs.slice(0, Math.max(0, i - 1)).join("")}…`;
  }
  return signs.join("");
}

function widthOf(sign: string): number {
  const point = sign.codePointAt(0) ?? 0;
  if (point > 0x2e80) return 1.05;
  if (/[mwMW@%]/.test(sign)) return 0.9;
  if (/[A-Z0-9#_{}<>=+]/.test(sign)) return 0.68;
  return /[ijlt.,:;'|!()[\] -]/.test(sign) ? 0.4 : 0.62;
}
