import { type ListImportsRequest, listImportsShape } from "../api/requests/transfers.ts";
import { importSummary } from "./import-description.ts";
import type { Operation } from "./operation.ts";
import { tableArn } from "./table-name.ts";
import { transferPage } from "./transfer-list.ts";

export const listImports: Operation<ListImportsRequest> = {
  name: "ListImports",
  shape: listImportsShape,
  async run(context, { TableArn, PageSize: limit, NextToken: token }) {
    const { records, ...rest } = await transferPage(
      context,
      "import",
      { limit, token },
      // Imports are told of also when their table is gone.
      ({ table }) => TableArn === undefined || tableArn(context, table.name) === TableArn,
    );
    return { ImportSummaryList: records.map((record) => importSummary(context, record)), ...rest };
  },
};
