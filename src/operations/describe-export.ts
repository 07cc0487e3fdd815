import { type DescribeExportRequest, describeExportShape } from "../api/requests/transfers.ts";
import { exportDescription } from "./export-description.ts";
import type { Operation } from "./operation.ts";
import { findTransfer } from "./transfer-arn.ts";

export const describeExport: Operation<DescribeExportRequest> = {
  name: "DescribeExport",
  shape: describeExportShape,
  async run(context, { ExportArn }) {
    const record = await findTransfer(context, "export", ExportArn);
    return { ExportDescription: exportDescription(context, record) };
  },
};
