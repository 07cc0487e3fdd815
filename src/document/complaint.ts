import { printable } from "../base/printable.ts";

/** What is wrong in a file, for people and for programs. */
export interface Complaint {
  readonly file: string;
  /** Both count from 1; a document that was not read from a text has none. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The part that is wrong, as people write it; "" if the text itself cannot be read. */
  readonly path: string;
  readonly message: string;
}

const shownMax = 10;

export function complaintText({ file, line, column, path, message }: Complaint): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`;
  return printable(`${place}: ${path === "" ? message : `${path} ${message}`}`);
}

/** One line each, and how many more there are. */
export function complaintsText(complaints: readonly Complaint[], max = shownMax): string {
  const lines = complaints.slice(0, max).map(complaintText);
  const more = complaints.length - max;
  if (more > 0) lines.push(`… and ${more} more`);
  return lines.join("\n");
}
