/** How a page looks: words of a door, which knows the terminal. */
export interface Look {
  /** The widest line. */
  readonly width: number;
  readonly heading: (text: string) => string;
  readonly code: (text: string) => string;
}

export const plainLook = (width: number): Look => ({
  width,
  heading: (text) => text,
  code: (text) => text,
});

/** Breaks a text at spaces. What is between backticks stays whole if it fits on a line at all. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.match(/`[^`]*`\S*|\S+/g) ?? []) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** How wide the columns of a table may be: what they need, the widest giving way first. */
export function columnWidths(
  rows: readonly (readonly string[])[],
  total: number,
): readonly number[] {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(...rows.map((row) => row[i]?.length ?? 0)),
  );
  let over = widths.reduce((sum, width) => sum + width, 0) + 2 * (columns - 1) - total;
  while (over > 0) {
    const widest = Math.max(...widths);
    if (widest <= minColumn) break;
    widths[widths.indexOf(widest)] = widest - 1;
    over -= 1;
  }
  return widths;
}

const minColumn = 10;
