import type { Path } from "../../document/path.ts";

/** One place in which two documents differ. */
export interface Difference {
  readonly path: Path;
  readonly how: "added" | "removed" | "changed";
  readonly old: unknown;
  readonly new: unknown;
}

/** Everything that differs, as deep as names go; lists are looked at as a whole, those of parts one by one. */
export function differencesOf(old: unknown, next: unknown, path: Path = []): readonly Difference[] {
  if (isRecord(old) && isRecord(next)) {
    const names = [...new Set([...Object.keys(old), ...Object.keys(next)])];
    return names.flatMap((name): readonly Difference[] => {
      const [was, is] = [own(old, name), own(next, name)];
      const at = [...path, name];
      if (was === undefined) return [{ path: at, how: "added", old: was, new: is }];
      if (is === undefined) return [{ path: at, how: "removed", old: was, new: is }];
      return differencesOf(was, is, at);
    });
  }
  if (sameText(old) === sameText(next)) return [];
  if (isParts(old) && isParts(next)) return inLists(old, next, path);
  return [{ path, how: "changed", old, new: next }];
}

type Plain = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A list of records, such as relations: the order of those says nothing. */
function isParts(value: unknown): value is readonly Plain[] {
  return Array.isArray(value) && value.every(isRecord);
}

function inLists(old: readonly Plain[], next: readonly Plain[], path: Path): readonly Difference[] {
  const [before, after] = [old.map(sameText), next.map(sameText)];
  const removed = old.flatMap((one, i): readonly Difference[] =>
    after.includes(before[i] as string)
      ? []
      : [{ path: [...path, i], how: "removed", old: one, new: undefined }],
  );
  const added = next.flatMap((one, i): readonly Difference[] =>
    before.includes(after[i] as string)
      ? []
      : [{ path: [...path, i], how: "added", old: undefined, new: one }],
  );
  return [...removed, ...added];
}

function own(record: Plain, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** The order of names in a record says nothing. */
function sameText(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    isRecord(one)
      ? Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1))
      : (one as undefined),
  );
}
