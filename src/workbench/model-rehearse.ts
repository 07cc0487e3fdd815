import { ServiceError } from "../api/errors/service-error.ts";
import { plain } from "../api/response-json.ts";
import { ManualClock } from "../base/clock.ts";
import type { Migration } from "../modeller/migration/migration.ts";
import {
  isWrong,
  type Rehearsal,
  type RehearsalOptions,
  rehearse,
} from "../modeller/migration/rehearsal/rehearse.ts";
import { rehearsalText } from "../modeller/migration/rehearsal/text.ts";
import type { Ground } from "../modeller/migration/rehearsal/world.ts";
import type { MigrationStep } from "../modeller/migration/step.ts";
import { openWorkbench } from "./workbench.ts";

export type { Rehearsal } from "../modeller/migration/rehearsal/rehearse.ts";

const caller = { account: "rehearsal", region: "us-east-1" };
const refusals: readonly string[] = [
  "ConditionalCheckFailedException",
  "TransactionCanceledException",
];
/** What a plan may say and the engine has. */
const known: ReadonlySet<string> = new Set([
  "CreateTable",
  "UpdateTable",
  "DeleteTable",
  "UpdateTimeToLive",
]);

export const usualRehearsalItems = 2_000;

/** Tables in memory, for one way there or back. */
async function openGround(now: number): Promise<Ground> {
  const clock = new ManualClock(now);
  const workbench = await openWorkbench({ clock, ttlDelay: false });
  return {
    execute: async (operation, request) =>
      plain(await workbench.execute(operation, request, caller)),
    isRefusal: (error) => error instanceof ServiceError && refusals.includes(error.type),
    can: (operation) => known.has(operation),
    settle: () => workbench.idle(),
    advance: (milliseconds) => clock.advance(milliseconds),
    close: () => workbench.close(),
  };
}

/** Carries a migration out on the engine, in memory, with sample data and under load. */
export function rehearseMigration(
  migration: Migration,
  options: Partial<RehearsalOptions> = {},
  steps: readonly MigrationStep[] = migration.steps,
): Promise<Rehearsal> {
  return rehearse(migration, steps, openGround, {
    items: usualRehearsalItems,
    seed: 1,
    // The same every time, so that a rehearsal can be repeated.
    now: Date.UTC(2026, 0, 15, 12),
    elapsed: () => performance.now(),
    ...options,
  });
}

export { isWrong, rehearsalText };
