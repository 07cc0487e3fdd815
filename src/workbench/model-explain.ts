import { type Complaint, complaintsText } from "../document/complaint.ts";
import { didYouMean } from "../document/nearest.ts";
import type { Model } from "../model/model.ts";
import { type Month, months } from "../modeller/cost/month.ts";
import { Explaining, type Explanation } from "../modeller/explain/explain.ts";
import { explainRequest, parseApiRequest } from "../modeller/explain/request.ts";
import { explanationsText, explanationText } from "../modeller/explain/text.ts";
import { parsedModel } from "./model-parse.ts";

/** How patterns of a model, or a request to its tables, are served. */
export interface ModelExplanation {
  readonly file: string;
  readonly complaints: readonly Complaint[];
  readonly explanations: readonly Explanation[];
  /** One was asked for, not all. */
  readonly single: boolean;
  /** Why there is nothing to say, in a sentence. */
  readonly why: string | undefined;
}

export interface ExplainModelOptions {
  /** A pattern's id; all if nothing is said. */
  readonly pattern?: string | undefined;
  /** A request as JSON, and the name of its file for complaints. */
  readonly request?: { readonly text: string; readonly file: string } | undefined;
  readonly region?: string | undefined;
  readonly month?: Month["name"] | undefined;
}

export function explainModel(
  text: string,
  file: string,
  { pattern, request, region, month = "730h" }: ExplainModelOptions = {},
): ModelExplanation {
  const { model, complaints } = parsedModel(text, file);
  const single = pattern !== undefined || request !== undefined;
  const nothing = { file, complaints, explanations: [], single };
  if (model === undefined) return { ...nothing, why: undefined };
  const explaining = Explaining.of(model, { region, month: months[month] });
  if (typeof explaining === "string") return { ...nothing, why: explaining };
  if (request !== undefined) {
    const parsed = parseApiRequest(request.text);
    if (typeof parsed === "string") return { ...nothing, why: `${request.file} ${parsed}.` };
    const found = explainRequest(explaining, parsed);
    if (typeof found === "string") return { ...nothing, why: `${request.file}: ${found}` };
    return { ...nothing, explanations: [found], why: undefined };
  }
  if (pattern === undefined) {
    const explanations = [...model.patterns.values()].map((one) => explaining.explain(one, false));
    const why = explanations.length === 0 ? "There are no patterns yet." : undefined;
    return { ...nothing, explanations, why };
  }
  const found = model.patterns.get(pattern);
  if (found === undefined) return { ...nothing, why: unknownPattern(model, pattern) };
  return { ...nothing, explanations: [explaining.explain(found, true)], why: undefined };
}

function unknownPattern({ patterns }: Model, given: string): string {
  return `There is no pattern '${given}'${didYouMean(given, patterns.keys()) || "."} There are ${[...patterns.keys()].join(", ")}.`;
}

export function modelExplainOutput(result: ModelExplanation, format: "text" | "json"): string {
  const { file, complaints, explanations, single, why } = result;
  if (format === "json") {
    const rest = why === undefined ? { explanations } : { why };
    return `${JSON.stringify({ file, complaints, ...rest })}\n`;
  }
  if (complaints.length > 0) return `${complaintsText(complaints)}\n`;
  if (why !== undefined) return `${why}\n`;
  return single ? explanations.map(explanationText).join("\n") : explanationsText(explanations);
}
