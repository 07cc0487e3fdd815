import { type DescribeTableRequest, describeTableShape } from "../api/requests/describe-table.ts";
import type { Operation } from "./operation.ts";
import { tableDescription } from "./table-description.ts";
import { tableNameOf } from "./table-name.ts";

export const describeTable: Operation<DescribeTableRequest> = {
  name: "DescribeTable",
  shape: describeTableShape,
  async run(context, request) {
    const name = tableNameOf(context, request.TableName);
    const table = await context.database.describeAny(context.namespace, name);
    return { Table: await tableDescription(context, table) };
  },
};
