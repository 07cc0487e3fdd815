import type { Job } from "../attempt.ts";
import { Digest } from "./digest.ts";

/**
 * Raised whenever the program proves otherwise than before: other data, other mutants, other checks, other requests of
 * the same plan.
 */
export const proofVersion = 23;

/** Fingerprints of the patterns of one model. */
export class Fingerprints {
  private readonly digest = new Digest();

  /** A hash of all that the proof of a pattern depends on: its requests and those around it, the design, the data. */
  of({ facts, plan, near, focus, tables, seed, now }: Job): string {
    const { entities, relations, design } = facts.model;
    const touched = [...tables].map((name) => design?.tables.get(name));
    const records = facts.records.filter(({ table }) => tables.has(table.name));
    const names = new Set([
      ...records.map(({ entity }) => entity.name),
      ...[plan, ...near].flatMap(({ pattern }) =>
        [...pattern.actions, ...pattern.together, ...pattern.with].map(({ entity }) => entity),
      ),
    ]);
    const own = [...names].toSorted();
    return this.digest.of([
      proofVersion,
      seed,
      now,
      partsOf(plan),
      near.map(partsOf),
      touched,
      records,
      own.map((name) => entities.get(name)),
      own.map((name) => focus.state.get(name)),
      focus.groups,
      relations.filter(({ from, to }) => names.has(from) || names.has(to)),
      // Numbers that are kept in other tables' transactions belong to what is expected.
      [...(design?.tables.values() ?? [])].map(({ aggregates }) => aggregates),
    ]);
  }
}

function partsOf({ pattern, requests }: Job["plan"]): readonly unknown[] {
  const { id, actions, together, with: others, batch, consistency, transaction } = pattern;
  return [id, actions, together, others, batch, consistency, transaction, requests];
}
