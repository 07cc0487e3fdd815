import { tableOfBackupsNotFound } from "../api/errors/backups.ts";
import { isGone } from "../engine/catalog.ts";
import { type TableDescriptor, tableStatus } from "../engine/descriptor.ts";
import { earliestOf, latestOf } from "../engine/histories.ts";
import type { Context } from "./operation.ts";
import { seconds } from "./table-description.ts";

/** For these operations a table that is being made is not there yet. */
export function tableWithBackups(
  { database: { clock } }: Context,
  name: string,
  table: TableDescriptor | undefined,
): TableDescriptor {
  const now = clock.now();
  if (table === undefined || isGone(table, now) || tableStatus(table, now) === "CREATING") {
    throw tableOfBackupsNotFound(name);
  }
  return table;
}

export function continuousBackups({ database }: Context, { history }: TableDescriptor): object {
  return {
    ContinuousBackupsDescription: {
      // Every table has them, whether or not it can be restored to points in time.
      ContinuousBackupsStatus: "ENABLED",
      PointInTimeRecoveryDescription: recovery(),
    },
  };

  function recovery(): object {
    const kept = history?.recovery;
    if (kept === undefined) return { PointInTimeRecoveryStatus: "DISABLED" };
    const now = database.clock.now();
    return {
      PointInTimeRecoveryStatus: "ENABLED",
      RecoveryPeriodInDays: kept.days,
      EarliestRestorableDateTime: seconds(earliestOf(kept, now)),
      LatestRestorableDateTime: seconds(latestOf(kept, now, database.recoveryLagMs)),
    };
  }
}
