import { type Complaint, complaintsText } from "../document/complaint.ts";
import { costJson } from "../modeller/cost/json.ts";
import { type Month, months } from "../modeller/cost/month.ts";
import { costPicture } from "../modeller/cost/picture.ts";
import { type CostReport, costOf } from "../modeller/cost/report.ts";
import { costText } from "../modeller/cost/text.ts";
import { parsedModel } from "./model-parse.ts";

export { pricedRegions } from "../modeller/prices/book.ts";

export const monthNames = Object.keys(months) as readonly Month["name"][];

/** What a model costs in a month, or why that cannot be said. */
export interface ModelCost {
  readonly file: string;
  readonly complaints: readonly Complaint[];
  readonly report: CostReport | undefined;
  /** If there is neither a report nor a complaint. */
  readonly why: string | undefined;
}

export function costModel(
  text: string,
  file: string,
  { region, month = "730h" }: { readonly region?: string; readonly month?: Month["name"] } = {},
): ModelCost {
  const { model, complaints } = parsedModel(text, file);
  if (model === undefined) return { file, complaints, report: undefined, why: undefined };
  const found = costOf(model, { region, month: months[month] });
  return {
    file,
    complaints,
    report: found.report,
    why: found.report === undefined ? found.why : undefined,
  };
}

/** Everything that the document says is in the bill. */
export function isWhole({ report }: ModelCost): boolean {
  return report !== undefined && report.missing.length === 0;
}

export function modelCostOutput(cost: ModelCost, format: "text" | "json"): string {
  const { file, complaints, report, why } = cost;
  if (format === "json") {
    const rest = report === undefined ? { why } : costJson(report);
    return `${JSON.stringify({ file, complaints, ...rest })}\n`;
  }
  if (report !== undefined) return costText(report);
  return `${why ?? complaintsText(complaints)}\n`;
}

/** A chart of the bill, if there is one. */
export function modelCostPicture({ report }: ModelCost): string | undefined {
  return report && costPicture(report);
}
