import { type AttributeValue, attribute, type Item } from "../item/attribute-value.ts";

/** A row of CSV text, with its line break. */
export const csvRow = (cells: readonly string[]): string => `${cells.map(cellText).join(",")}\n`;

const cellText = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** An item as a row: texts, numbers and binaries as they are, everything else as DynamoDB JSON. */
export function csvRowOf(item: Item, columns: readonly string[]): string {
  const cells = columns.map((name) => {
    const value = attribute(item, name);
    return value === undefined ? "" : plainText(value);
  });
  // A row of one empty cell would be no row.
  return csvRow(cells);
}

function plainText(value: AttributeValue): string {
  if ("S" in value) return value.S;
  if ("N" in value) return value.N;
  if ("B" in value) return value.B;
  return JSON.stringify(value);
}
