/** A table in Markdown with padded columns: readable in a terminal as it is. Numbers stand right. */
export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  leftColumns = 1,
): string {
  const widths = header.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]): string => {
    const padded = widths.map((width, column) => {
      const cell = cells[column] ?? "";
      return column < leftColumns ? cell.padEnd(width) : cell.padStart(width);
    });
    return `| ${padded.join(" | ")} |`;
  };
  const rule = widths.map((width, column) =>
    column < leftColumns ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [line(header), `| ${rule.join(" | ")} |`, ...rows.map(line)].join("\n");
}

/** Three significant digits, or all digits of a whole number; a dash for what is not known. */
export function figure(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString("en-GB");
  if (size >= 10) return value.toFixed(1);
  return value.toFixed(2);
}

export function times(value: number | undefined): string {
  return value === undefined ? "–" : `${figure(value)}×`;
}

const beginOf = (name: string): string => `<!-- ${name}:begin -->`;
const endOf = (name: string): string => `<!-- ${name}:end -->`;

/** Replaces what stands between the markers of that name. */
export function replaceSection(document: string, name: string, content: string): string {
  const begin = document.indexOf(beginOf(name));
  const end = document.indexOf(endOf(name));
  if (begin === -1 || end < begin) {
    throw new Error(`The document has no section ${beginOf(name)} … ${endOf(name)}`);
  }
  const head = document.slice(0, begin + beginOf(name).length);
  return `${head}\n\n${content.trim()}\n\n${document.slice(end)}`;
}
