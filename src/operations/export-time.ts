import { recoveryNotEnabled } from "../api/errors/backups.ts";
import * as errors from "../api/errors/transfers.ts";
import { incrementalExportHoursMax, incrementalExportMinutesMin } from "../api/limits.ts";
import type { ExportTableToPointInTimeRequest } from "../api/requests/transfers.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { earliestOf, latestOf } from "../engine/histories.ts";
import type { ExportTime } from "../transfers/transfer-records.ts";

/** What goes together, whatever the table. */
export function checkExportType(request: ExportTableToPointInTimeRequest): void {
  const { ExportType: type, IncrementalExportSpecification: incremental } = request;
  if (incremental !== undefined) {
    if (type === undefined) throw errors.incrementalTypeExpected();
    if (type === "FULL_EXPORT") throw errors.incrementalNotExpected();
    if (incremental.ExportFromTime === undefined) throw errors.exportFromTimeMissing();
  } else if (type === "INCREMENTAL_EXPORT") throw errors.incrementalExpected();
}

/** The time that is asked for, if the table's past reaches so far. */
export function exportTimeOf(
  request: ExportTableToPointInTimeRequest,
  table: TableDescriptor,
  now: number,
  lagMs: number,
): ExportTime {
  const { IncrementalExportSpecification: incremental, ExportTime: at } = request;
  if (incremental?.ExportFromTime === undefined) return fullTime(at, table, now, lagMs);
  const from = incremental.ExportFromTime * 1_000;
  // Periods are told in whole seconds.
  const to = (incremental.ExportToTime ?? Math.floor(now / 1_000)) * 1_000;
  checkPeriod(table, from, to, now);
  const recovery = table.history?.recovery;
  if (recovery === undefined) throw recoveryNotEnabled(table.name);
  // A second in which it was enabled counts as kept.
  if (from < earliestOf(recovery, now) - 999) throw errors.exportTimeNotKept();
  return {
    kind: "incremental",
    from,
    to,
    view: incremental.ExportViewType ?? "NEW_AND_OLD_IMAGES",
  };
}

function fullTime(
  at: number | undefined,
  table: TableDescriptor,
  now: number,
  lagMs: number,
): ExportTime {
  const recovery = table.history?.recovery;
  if (recovery === undefined) throw recoveryNotEnabled(table.name);
  if (at === undefined) return { kind: "full", at: now };
  const time = at * 1_000;
  if (time > now || time < table.createdAt - 999) throw errors.exportTimeInvalid();
  const latest = latestOf(recovery, now, lagMs);
  if (time < earliestOf(recovery, now) - 999 || time > latest) throw errors.exportTimeNotKept();
  return { kind: "full", at: time };
}

/** In the service's order: where the period begins, where it ends, how long it is. */
function checkPeriod(table: TableDescriptor, from: number, to: number, now: number): void {
  if (from < table.createdAt - 999) throw errors.fromBeforeTable(from);
  if (to > now) throw errors.toInFuture(to);
  if (from > to) throw errors.fromAfterTo();
  if (to - from < incrementalExportMinutesMin * 60_000) {
    throw errors.periodTooShort(incrementalExportMinutesMin);
  }
  if (to - from > incrementalExportHoursMax * 3_600_000) {
    throw errors.periodTooLong(incrementalExportHoursMax);
  }
}
