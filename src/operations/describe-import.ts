import { type DescribeImportRequest, describeImportShape } from "../api/requests/transfers.ts";
import { importDescription } from "./import-description.ts";
import type { Operation } from "./operation.ts";
import { findTransfer } from "./transfer-arn.ts";

export const describeImport: Operation<DescribeImportRequest> = {
  name: "DescribeImport",
  shape: describeImportShape,
  async run(context, { ImportArn }) {
    const record = await findTransfer(context, "import", ImportArn);
    return { ImportTableDescription: importDescription(context, record) };
  },
};
