import { logKey } from "../storage/log-keys.ts";
import type { Store, Write } from "../storage/store.ts";
import type { Catalog } from "./catalog.ts";
import { markOf, releaseHistory } from "./history.ts";
import { forgetJob, recordJob } from "./job-steps.ts";
import type { ClearJob } from "./jobs.ts";
import { historyMarkLog } from "./layout.ts";

/** The table whose history a job holds. */
export interface HeldHistory {
  readonly namespace: string;
  readonly table: string;
  readonly tableId: number;
}

/** Keeps a table's history for a reader that is no job of the engine, until it says that it is done. */
export interface HoldJob extends HeldHistory {
  readonly kind: "hold";
  /** By then its reader is done, or was ended by force. */
  readonly until: number;
}

/**
 * Ends a job that held a table's history, in one commit with the hold. If the history has to go with it, the
 * job becomes that of clearing it: it is answered.
 */
export async function endHold(
  store: Store,
  catalog: Catalog,
  jobId: number,
  { namespace, table: name, tableId }: HeldHistory,
): Promise<ClearJob | undefined> {
  const mark = await markOf(store, jobId);
  const unmark: Write[] =
    mark === undefined ? [] : [{ kind: "delete", key: logKey(historyMarkLog(jobId), mark) }];
  return catalog.change(namespace, name, (found) => {
    const released = found?.id === tableId ? releaseHistory(found, jobId) : undefined;
    const dropped = released?.dropped;
    const clear: ClearJob | undefined =
      dropped === undefined ? undefined : { kind: "clear", ids: [], historyId: dropped };
    return {
      table: released === undefined ? found : released.table,
      writes: [...unmark, clear === undefined ? forgetJob(jobId) : recordJob(jobId, clear)],
      result: clear,
    };
  });
}
