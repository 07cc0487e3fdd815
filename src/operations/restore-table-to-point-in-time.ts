import * as errors from "../api/errors/backups.ts";
import {
  type RestoreTableToPointInTimeRequest,
  restoreTableToPointInTimeShape,
} from "../api/requests/backups.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { earliestOf, latestOf } from "../engine/histories.ts";
import { tableWithBackups } from "./continuous-backups.ts";
import type { Context, Operation } from "./operation.ts";
import {
  checkTarget,
  refusedOverrides,
  refuseOverrides,
  restoreRequest,
} from "./restore-target.ts";
import { tableDescription } from "./table-description.ts";

export const restoreTableToPointInTime: Operation<RestoreTableToPointInTimeRequest> = {
  name: "RestoreTableToPointInTime",
  shape: restoreTableToPointInTimeShape,
  refused: refusedOverrides,
  async run(context, request) {
    const { database, namespace } = context;
    refuseOverrides("RestoreTableToPointInTime", request);
    const { TargetTableName: name } = request;
    const source = sourceOf(context, request);
    checkTime(request);
    const warm = request.GlobalSecondaryIndexOverride?.find(
      ({ WarmThroughput }) => WarmThroughput !== undefined,
    );
    if (warm !== undefined) throw errors.restoredIndexWarm(warm.IndexName);
    const found = tableWithBackups(context, source, await database.catalog.find(namespace, source));
    const at = timeOf(context, found, request);
    checkTarget(context, name, await database.catalog.find(namespace, name));
    const origin = { table: source, at };
    const wanted = await restoreRequest(context, name, found, origin, request);
    const check = (table: TableDescriptor | undefined) => {
      const current = tableWithBackups(context, source, table);
      // The time may have become too old meanwhile, or the table another one.
      timeOf(context, current, { RestoreDateTime: at / 1_000 });
      return { table: current, time: at };
    };
    const restored = await database.backups.restorePast(namespace, source, check, wanted);
    return { TableDescription: await tableDescription(context, restored, { status: "CREATING" }) };
  },
};

function sourceOf(context: Context, request: RestoreTableToPointInTimeRequest): string {
  const { SourceTableArn: arn, SourceTableName: name } = request;
  if (arn === undefined) {
    if (name === undefined) throw errors.restoreSourceMissing();
    return name;
  }
  if (name !== undefined) throw errors.restoreSourceTwice();
  if (!arn.startsWith("arn:")) throw errors.restoreSourceNoArn(arn);
  const [, partition, service, region, account, resource = "", ...more] = arn.split(":");
  const [kind, table = "", ...rest] = resource.split("/");
  const isTable = kind === "table" && table !== "" && rest.length === 0 && more.length === 0;
  if (partition !== "aws" || service !== "dynamodb" || !isTable) {
    throw errors.restoreSourceMalformed();
  }
  if (account !== context.account) throw errors.restoreSourceOfOtherAccount();
  if (region !== context.region) {
    if (request.SSESpecificationOverride === undefined) throw errors.restoreAcrossRegions();
    throw errors.tableOfBackupsNotFound(table);
  }
  return table;
}

type Moment = Pick<RestoreTableToPointInTimeRequest, "RestoreDateTime" | "UseLatestRestorableTime">;

function checkTime({ RestoreDateTime: time, UseLatestRestorableTime: latest = false }: Moment) {
  if (time === undefined && !latest) throw errors.restoreTimeMissing();
  if (time !== undefined && latest) throw errors.restoreTimeTwice();
}

/** Milliseconds, as far as the past of the table is kept. */
function timeOf(
  { database: { clock, recoveryLagMs } }: Context,
  { name, history }: TableDescriptor,
  { RestoreDateTime: time }: Moment,
): number {
  const recovery = history?.recovery;
  if (recovery === undefined) throw errors.recoveryNotEnabled(name);
  const now = clock.now();
  const earliest = earliestOf(recovery, now);
  const latest = latestOf(recovery, now, recoveryLagMs);
  if (time === undefined) return latest;
  const at = Math.round(time * 1_000);
  if (at < Math.floor(earliest) || at > latest) {
    throw errors.restoreTimeNotKept(at, earliest, latest);
  }
  return at;
}
