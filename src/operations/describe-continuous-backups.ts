import {
  type DescribeContinuousBackupsRequest,
  describeContinuousBackupsShape,
} from "../api/requests/backups.ts";
import { continuousBackups, tableWithBackups } from "./continuous-backups.ts";
import type { Operation } from "./operation.ts";
import { tableNameOf } from "./table-name.ts";

export const describeContinuousBackups: Operation<DescribeContinuousBackupsRequest> = {
  name: "DescribeContinuousBackups",
  shape: describeContinuousBackupsShape,
  async run(context, request) {
    const name = tableNameOf(context, request.TableName);
    const found = await context.database.catalog.find(context.namespace, name);
    return continuousBackups(context, tableWithBackups(context, name, found));
  },
};
