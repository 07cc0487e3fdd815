/** Text inside an SVG: names are hostile. */
export function escapeXml(text: string): string {
  return (
    text
      // XML has no way to write these.
      .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\u{fffd}")
      .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  );
}

/** Shorter, if it is too long for its place. */
export function clipped(text: string, max: number): string {
  const signs = [...text];
  return signs.length <= max ? text : `${signs.slice(0, max - 1).join("")}…`;
}

export const pictureWidth = 1_000;
export const plotLeft = 96;
export const plotRight = pictureWidth - 20;
export const plotWidth = plotRight - plotLeft;
/** From idle to the ceiling. */
export const heatSteps = 10;

/** Numbers in paths need no more than this. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

const light = {
  back: "#ffffff",
  text: "#1b222b",
  soft: "#5c6774",
  grid: "#dde2e8",
  consumed: "#4a8cc4",
  throttled: "#d6453d",
  limit: "#1b222b",
  ceiling: "#8a5a00",
  split: "#1b222b",
  heat: "#f0f3f7 #deebf7 #c9dff1 #aed0e8 #8dbcdf #6aa5d3 #4a8cc4 #2f72b0 #1c5796 #0b3c74",
};

const dark: typeof light = {
  back: "#12161c",
  text: "#e8ecf1",
  soft: "#9aa6b4",
  grid: "#2b333d",
  consumed: "#4b96c8",
  throttled: "#f2685f",
  limit: "#e8ecf1",
  ceiling: "#e0a63c",
  split: "#f4f6f9",
  heat: "#1b222b #1f3044 #23405c #285276 #2f6692 #3a7dae #4b96c8 #66afdf #8cc9f0 #bfe3fb",
};

/** Colours follow the reader's scheme, letters grow on a narrow screen. */
export const style = `
svg{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
${colours(light)}
@media (prefers-color-scheme:dark){${colours(dark)}}
text{font-size:14px}
.title{font-size:20px;font-weight:650}.head{font-size:16px;font-weight:650}
.num{font-variant-numeric:tabular-nums}
.end{text-anchor:end}.mid{text-anchor:middle}
.grid{stroke-width:1}.limit{fill:none;stroke-width:2;stroke-dasharray:9 5}
.ceiling{fill:none;stroke-width:2;stroke-dasharray:2 4}.split{fill:none;stroke-width:2}
.narrow{display:none}
@media (max-width:600px){text{font-size:25px}.title{font-size:31px}.head{font-size:28px}
.wide{display:none}.narrow{display:inline}.limit,.ceiling,.split{stroke-width:4}}
`;

function colours(scheme: typeof light): string {
  const heat = scheme.heat.split(" ").map((colour, step) => `.h${step}{fill:${colour}}`);
  return [
    `.back{fill:${scheme.back}}text{fill:${scheme.text}}.soft{fill:${scheme.soft}}`,
    `.grid{stroke:${scheme.grid}}.consumed{fill:${scheme.consumed}}.throttled{fill:${scheme.throttled}}`,
    `.limit{stroke:${scheme.limit}}.ceiling{stroke:${scheme.ceiling}}.split{stroke:${scheme.split}}`,
    `.ceilingText{fill:${scheme.ceiling}}.mark{fill:${scheme.split}}`,
    `.halo{paint-order:stroke;stroke:${scheme.back};stroke-width:4px;stroke-linejoin:round}`,
    ...heat,
  ].join("");
}
