import { emptyRecord } from "../base/record.ts";

/** A copy as a document would have it: records without a prototype, members that are not there left out. */
export function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== "object" || value === null) return value;
  const record = emptyRecord<unknown>();
  for (const [name, one] of Object.entries(value)) {
    if (one !== undefined) record[name] = plainValue(one);
  }
  return record;
}
