/** The lines that differ between two texts: those of the one that went, those of the other that came. */
export interface Hunk {
  /** The first of them, counted from 1. */
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

export function hunkOf(before: string, after: string): Hunk {
  const [old, now] = [before.split(/\r?\n/), after.split(/\r?\n/)];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return {
    line: head + 1,
    removed: old.slice(head, old.length - tail),
    added: now.slice(head, now.length - tail),
  };
}
