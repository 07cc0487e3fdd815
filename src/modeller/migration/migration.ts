import type { Model } from "../../model/model.ts";
import { changesOf } from "./changes.ts";
import { usualRate } from "./costs.ts";
import { type Compared, lossesOf } from "./losses.ts";
import { movesOf } from "./moves.ts";
import { Naming, type Rename } from "./naming.ts";
import { stepsOf } from "./plan.ts";
import { questionsOf } from "./questions.ts";
import type { Change, MigrationFinding, MigrationStep, NewName } from "./step.ts";
import { targetOf } from "./target.ts";

export interface MigrationOptions {
  readonly renames?: readonly Rename[];
  /** Ids of findings that are meant so. */
  readonly accepted?: readonly string[];
  /** Write units for each second of jobs. */
  readonly rate?: number;
}

/** The way from one model to another. */
export interface Migration extends Compared {
  readonly changes: readonly Change[];
  readonly findings: readonly MigrationFinding[];
  readonly newNames: readonly NewName[];
  /** Nothing is done while a loss is not accepted, but the steps can be looked at. */
  readonly steps: readonly MigrationStep[];
}

export function migrationOf(old: Model, next: Model, options: MigrationOptions = {}): Migration {
  const { renames, accepted = [], rate = usualRate } = options;
  const naming = new Naming(renames);
  const { model: target, newNames } = targetOf(old, next, naming);
  const moves = movesOf(old, target, naming);
  const compared: Compared = { old, next, target, naming, moves };
  const changes = changesOf({ old, next, naming, newNames, moves });
  const findings = [...lossesOf(compared), ...questionsOf(compared)].map((one) => ({
    ...one,
    accepted: accepted.includes(one.id),
  }));
  const costs = { rate, region: next.overview.region };
  const steps = changes.length === 0 ? [] : stepsOf({ compared, changes, findings, costs });
  return { ...compared, changes, findings, newNames, steps };
}

/** Whether something would be lost that nobody has accepted. */
export function isRefused({ findings }: Pick<Migration, "findings">): boolean {
  return findings.some(({ severity, accepted }) => severity === "error" && !accepted);
}
