/** Columns for a terminal: names to the left, numbers to the right. */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  names: number,
): readonly string[] {
  const all = [head, ...rows];
  const widths = head.map((_, i) => Math.max(...all.map((row) => width(row[i] ?? ""))));
  return all.map((row) =>
    row
      .map((cell, i) => {
        const room = " ".repeat(Math.max(0, (widths[i] ?? 0) - width(cell)));
        return i < names ? cell + room : room + cell;
      })
      .join("  ")
      .trimEnd(),
  );
}

/** Signs, not code units: a name may have any. */
function width(text: string): number {
  return [...text].length;
}
