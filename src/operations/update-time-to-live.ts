import { tableNotFound } from "../api/errors/table.ts";
import * as errors from "../api/errors/time-to-live.ts";
import { timeToLiveChangeMinutes } from "../api/limits.ts";
import {
  type UpdateTimeToLiveRequest,
  updateTimeToLiveShape,
} from "../api/requests/time-to-live.ts";
import { isGone } from "../engine/catalog.ts";
import { type TableDescriptor, tableStatus } from "../engine/descriptor.ts";
import { jobWrite } from "../engine/jobs.ts";
import { timeToLiveChange } from "../engine/table-changes.ts";
import type { Operation } from "./operation.ts";
import { tableNameOf } from "./table-name.ts";

export const updateTimeToLive: Operation<UpdateTimeToLiveRequest> = {
  name: "UpdateTimeToLive",
  shape: updateTimeToLiveShape,
  async run(context, request) {
    const { database, namespace } = context;
    const { catalog, clock, jobs } = database;
    const name = tableNameOf(context, request.TableName);
    const { Enabled: enabled, AttributeName: attribute } = request.TimeToLiveSpecification;
    // Most requests that are refused are refused here, before ids are taken for them.
    check(await database.describe(namespace, name), request, clock.now());
    const jobId = await catalog.takeIds(2);
    const queueId = jobId + 1;
    const change = catalog.change(namespace, name, (table) => {
      const now = clock.now();
      if (table === undefined || isGone(table, now)) throw tableNotFound(name);
      check(table, request, now);
      // The service takes the request, and the table goes all the same.
      if (tableStatus(table, now) === "DELETING") return { table, result: undefined };
      const wanted = enabled ? { attribute, queueId } : undefined;
      const { table: after, jobs: made } = timeToLiveChange(table, wanted, now);
      const [job] = made;
      return { table: after, writes: made.map((each) => jobWrite(jobId, each)), result: job };
    });
    const job = await jobs.recorded(jobId, change);
    if (job !== undefined) jobs.start(jobId, job);
    return { TimeToLiveSpecification: { Enabled: enabled, AttributeName: attribute } };
  },
};

/** What is asked for comes first, then how soon after the last time. */
function check(
  table: TableDescriptor,
  {
    TimeToLiveSpecification: { Enabled: enabled, AttributeName: attribute },
  }: UpdateTimeToLiveRequest,
  now: number,
): void {
  if (tableStatus(table, now) === "CREATING") throw errors.timeToLiveOfNewTable(table.name);
  const { timeToLive, timeToLiveChangedAt: changedAt } = table;
  if (timeToLive === undefined) {
    if (!enabled) throw errors.timeToLiveAlreadyDisabled();
  } else {
    if (timeToLive.attribute !== attribute) {
      throw errors.timeToLiveOfOtherAttribute(timeToLive.attribute);
    }
    if (enabled) throw errors.timeToLiveAlreadyEnabled();
  }
  if (changedAt !== undefined && now < changedAt + timeToLiveChangeMinutes * 60_000) {
    throw errors.timeToLiveChangedTooSoon();
  }
}
