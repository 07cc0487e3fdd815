import type { PatternProof } from "./prove.ts";

/** What is not right with a pattern or with its proof; nothing if it is proved. */
export function findingOf({
  skipped,
  failure,
  mutants,
}: Pick<PatternProof, "skipped" | "failure" | "mutants">): string | undefined {
  if (skipped !== undefined) return undefined;
  if (failure !== undefined) return failure.what;
  const alive = mutants.filter(({ killed, reason }) => !killed && reason === undefined);
  if (alive.length > 0) return `not found out: ${alive.map(({ name }) => name).join("; ")}`;
  if (!mutants.some(({ killed }) => killed))
    return "nothing wrong was found out, so nothing is known";
  return undefined;
}
