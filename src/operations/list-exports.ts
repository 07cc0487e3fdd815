import { type ListExportsRequest, listExportsShape } from "../api/requests/transfers.ts";
import { isGone } from "../engine/catalog.ts";
import { exportSummary } from "./export-description.ts";
import type { Context, Operation } from "./operation.ts";
import { tableArn } from "./table-name.ts";
import { transferPage } from "./transfer-list.ts";

export const listExports: Operation<ListExportsRequest> = {
  name: "ListExports",
  shape: listExportsShape,
  async run(context, { TableArn, MaxResults: limit, NextToken: token }) {
    const uuid = TableArn === undefined ? undefined : await uuidOf(context, TableArn);
    const { records, ...rest } = await transferPage(
      context,
      "export",
      { limit, token },
      // Those of a table are told of only as long as it is the same table.
      ({ tableUuid }) => TableArn === undefined || tableUuid === uuid,
    );
    return { ExportSummaries: records.map((record) => exportSummary(context, record)), ...rest };
  },
};

async function uuidOf(context: Context, arn: string): Promise<string | undefined> {
  const { database, namespace } = context;
  const name = arn.slice(arn.indexOf("/") + 1);
  if (arn !== tableArn(context, name)) return undefined;
  const table = await database.catalog.find(namespace, name);
  return table === undefined || isGone(table, database.clock.now()) ? undefined : table.uuid;
}
