import { recoveryDaysOfDisabled } from "../api/errors/backups.ts";
import { recoveryDaysMax } from "../api/limits.ts";
import {
  type UpdateContinuousBackupsRequest,
  updateContinuousBackupsShape,
} from "../api/requests/backups.ts";
import { continuousBackups, tableWithBackups } from "./continuous-backups.ts";
import type { Operation } from "./operation.ts";
import { tableNameOf } from "./table-name.ts";

export const updateContinuousBackups: Operation<UpdateContinuousBackupsRequest> = {
  name: "UpdateContinuousBackups",
  shape: updateContinuousBackupsShape,
  async run(context, request) {
    const { database, namespace } = context;
    const { PointInTimeRecoveryEnabled: enabled, RecoveryPeriodInDays: days } =
      request.PointInTimeRecoverySpecification;
    if (!enabled && days !== undefined) throw recoveryDaysOfDisabled();
    const name = tableNameOf(context, request.TableName);
    const check = tableWithBackups.bind(undefined, context, name);
    // Most requests that are refused are refused here, before ids are taken for them.
    check(await database.catalog.find(namespace, name));
    const wanted = enabled ? (days ?? recoveryDaysMax) : undefined;
    const table = await database.histories.setRecovery(namespace, name, wanted, check);
    return continuousBackups(context, table);
  },
};
