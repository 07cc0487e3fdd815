import type { ReadRequest } from "../plans/plan.ts";
import type { StoredRecord } from "../records/record.ts";
import type { Scope } from "./scope.ts";

/** How the kinds of items in a range are told apart. */
export interface KindTests {
  /** In the order in which they are asked. */
  readonly records: readonly StoredRecord[];
  /** The list of the functions that ask. */
  readonly list: string;
  /** Whether an item is of a kind that is wanted. */
  readonly keep: (item: string) => string;
}

/** The kinds in the range of a request, the surest first; nothing if there is only one. */
export function kindTests(scope: Scope, request: ReadRequest): KindTests | undefined {
  const all = [request.record, ...request.together, ...request.beside];
  if (all.length === 1) return undefined;
  const records = all.toSorted((a, b) => literals(b) - literals(a));
  const list = `[${records.map((record) => scope.useItem(scope.names.is(record))).join(", ")}]`;
  const wanted = [request.record, ...request.together].map((record) => records.indexOf(record));
  return {
    records,
    list,
    keep: (item) => {
      const place = `${scope.use("kindAt")}(${item}, ${list})`;
      return request.beside.length === 0
        ? `${place} >= 0`
        : `[${wanted.toSorted((a, b) => a - b).join(", ")}].includes(${place})`;
    },
  };
}

/** How much of its key is fixed text: the more, the surer that a fitting key is meant. */
function literals({ key }: StoredRecord): number {
  return key
    .flatMap(({ text }) => text.segments)
    .reduce((sum, segment) => sum + (segment.kind === "text" ? segment.text.length : 0), 0);
}
