import { timeToLiveNotDescribed } from "../api/errors/time-to-live.ts";
import {
  type DescribeTimeToLiveRequest,
  describeTimeToLiveShape,
} from "../api/requests/time-to-live.ts";
import { tableStatus } from "../engine/descriptor.ts";
import type { Operation } from "./operation.ts";
import { tableNameOf } from "./table-name.ts";

export const describeTimeToLive: Operation<DescribeTimeToLiveRequest> = {
  name: "DescribeTimeToLive",
  shape: describeTimeToLiveShape,
  async run(context, request) {
    const { database, namespace } = context;
    const table = await database.describe(namespace, tableNameOf(context, request.TableName));
    const status = tableStatus(table, database.clock.now());
    if (status === "CREATING" || status === "DELETING") throw timeToLiveNotDescribed(status);
    const { timeToLive } = table;
    // What it was before it was disabled is not told.
    return {
      TimeToLiveDescription:
        timeToLive === undefined
          ? { TimeToLiveStatus: "DISABLED" }
          : { TimeToLiveStatus: "ENABLED", AttributeName: timeToLive.attribute },
    };
  },
};
