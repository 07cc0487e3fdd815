import { type Complaint, complaintsText } from "../document/complaint.ts";
import { didYouMean } from "../document/nearest.ts";
import type { AttributeValue } from "../item/attribute-value.ts";
import type { Model } from "../model/model.ts";
import { type Month, months } from "../modeller/cost/month.ts";
import { Explaining, type Explanation } from "../modeller/explain/explain.ts";
import { explainRequest, parseApiRequest } from "../modeller/explain/request.ts";
import { explanationsText, explanationText } from "../modeller/explain/text.ts";
import { parsedModel } from "./model-parse.ts";
import { planStatement, type StatementPlan, statementPlanText } from "./statement-plan.ts";

/** How patterns of a model, or a request to its tables, are served. */
export interface ModelExplanation {
  readonly file: string;
  readonly complaints: readonly Complaint[];
  readonly explanations: readonly Explanation[];
  /** One was asked for, not all. */
  readonly single: boolean;
  /** Why there is nothing to say, in a sentence. */
  readonly why: string | undefined;
  /** What the statement comes to, if one was given. */
  readonly plan?: StatementPlan;
}

export interface ExplainModelOptions {
  /** A pattern's id; all if nothing is said. */
  readonly pattern?: string | undefined;
  /** A request as JSON, and the name of its file for complaints. */
  readonly request?: { readonly text: string; readonly file: string } | undefined;
  /** A PartiQL statement and its parameters as JSON. */
  readonly statement?:
    | { readonly text: string; readonly parameters: string | undefined }
    | undefined;
  readonly region?: string | undefined;
  readonly month?: Month["name"] | undefined;
}

export function explainModel(
  text: string,
  file: string,
  { pattern, request, statement, region, month = "730h" }: ExplainModelOptions = {},
): ModelExplanation {
  const { model, complaints } = parsedModel(text, file);
  const single = pattern !== undefined || request !== undefined || statement !== undefined;
  const nothing = { file, complaints, explanations: [], single };
  if (model === undefined) return { ...nothing, why: undefined };
  const explaining = Explaining.of(model, { region, month: months[month] });
  if (typeof explaining === "string") return { ...nothing, why: explaining };
  if (statement !== undefined) return { ...nothing, ...explainedStatement(explaining, statement) };
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

/** The statement as requests, and those as far as the model knows what they touch. */
function explainedStatement(
  explaining: Explaining,
  { text, parameters }: NonNullable<ExplainModelOptions["statement"]>,
): Pick<ModelExplanation, "explanations" | "why" | "plan"> {
  const values = parsedParameters(parameters);
  if (typeof values === "string") return { explanations: [], why: values };
  const plan = planStatement(explaining.model, text, values);
  if (typeof plan === "string") return { explanations: [], why: plan };
  const explanations = plan.requests.flatMap((one) => {
    const found = explainRequest(explaining, one);
    return typeof found === "string" ? [] : [found];
  });
  return { plan, explanations, why: undefined };
}

function parsedParameters(text: string | undefined): readonly AttributeValue[] | string {
  if (text === undefined) return [];
  try {
    const value: unknown = JSON.parse(text);
    const isValue = (one: unknown): boolean => typeof one === "object" && one !== null;
    if (Array.isArray(value) && value.every(isValue)) return value;
  } catch {
    // What is no JSON is no list either.
  }
  return 'Parameters are a JSON list of values: [{"S":"a"},{"N":"1"}].';
}

function unknownPattern({ patterns }: Model, given: string): string {
  return `There is no pattern '${given}'${didYouMean(given, patterns.keys()) || "."} There are ${[...patterns.keys()].join(", ")}.`;
}

export function modelExplainOutput(result: ModelExplanation, format: "text" | "json"): string {
  const { file, complaints, explanations, single, why, plan } = result;
  if (format === "json") {
    const rest = why === undefined ? { explanations } : { why };
    return `${JSON.stringify({ file, complaints, plan, ...rest })}\n`;
  }
  if (complaints.length > 0) return `${complaintsText(complaints)}\n`;
  if (why !== undefined) return `${why}\n`;
  if (!single) return explanationsText(explanations);
  const told = plan === undefined ? [] : [statementPlanText(plan)];
  return [...told, ...explanations.map(explanationText)].join("\n");
}
