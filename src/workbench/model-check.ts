import { printable } from "../base/printable.ts";
import { type Complaint, complaintsText } from "../document/complaint.ts";
import type { Model } from "../model/model.ts";
import { openQuestions } from "../model/open-questions.ts";
import { at, type CheckReport, type Located, reportOf } from "../modeller/check/report.ts";
import { checklistText, fitText, questionsText } from "../modeller/check/text.ts";
import { counted } from "../modeller/lint/words.ts";
import { parsedModel } from "./model-parse.ts";

/** What a model document states and how it stands, or what is wrong in it. */
export interface ModelCheck extends Partial<CheckReport> {
  readonly file: string;
  readonly complaints: readonly Complaint[];
  /** Nothing if there are complaints; neither are there checks then. */
  readonly summary: ModelSummary | undefined;
}

export interface ModelSummary {
  readonly name: string;
  readonly entities: number;
  readonly attributes: number;
  readonly relations: number;
  readonly patterns: { readonly reads: number; readonly writes: number };
  readonly workflows: number;
  readonly tables: readonly {
    readonly name: string;
    readonly entities: readonly string[];
    readonly indexes: readonly string[];
  }[];
  /** Numbers that the document says are assumed. */
  readonly assumed: number;
  readonly openQuestions: readonly (Located & { readonly question: string })[];
}

/** Reads a model document, goes through the checklist and says whether DynamoDB fits. */
export function checkModel(text: string, file: string): ModelCheck {
  const { model, complaints } = parsedModel(text, file);
  if (model === undefined) return { file, complaints, summary: undefined };
  return { file, complaints, summary: summaryOf(model), ...reportOf(model) };
}

/** Whether nothing is open and nothing is wrong. */
export function isSound({ summary, checks = [] }: ModelCheck): boolean {
  return (
    summary?.openQuestions.length === 0 &&
    checks.every(({ verdict }) => verdict === "fine" || verdict === "not-applicable")
  );
}

function summaryOf(model: Model): ModelSummary {
  const patterns = [...model.patterns.values()];
  const reads = patterns.filter(({ kind }) => kind === "read").length;
  const entities = [...model.entities.values()];
  return {
    name: model.name,
    entities: entities.length,
    attributes: entities.reduce((sum, { attributes }) => sum + attributes.size, 0),
    relations: model.relations.length,
    patterns: { reads, writes: patterns.length - reads },
    workflows: model.workflows.size,
    tables: [...(model.design?.tables.values() ?? [])].map((table) => ({
      name: table.name,
      entities: [...table.placements.keys()],
      indexes: [...table.indexes.keys()],
    })),
    assumed: assumedIn(model.document),
    openQuestions: openQuestions(model).map(({ path, question }) => at(model, { path, question })),
  };
}

function assumedIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Object.hasOwn(value, "assumed") ? 1 : 0;
  return Object.values(value).reduce<number>((sum, one) => sum + assumedIn(one), own);
}

export interface CheckLook {
  /** The widest line. */
  readonly width: number;
  /** Escape sequences for a terminal. */
  readonly colour: boolean;
}

/** The same in words. */
export function modelCheckText(check: ModelCheck, { width, colour }: CheckLook): string {
  const { file, complaints, summary, checks, fit } = check;
  if (summary === undefined || checks === undefined || fit === undefined) {
    return `${complaintsText(complaints)}\n`;
  }
  const options = { file, width, colour };
  const report = { checks, fit };
  return [
    summaryText(summary),
    checklistText(report, options),
    fitText(report, options),
    questionsText(report, options),
  ].join("\n");
}

function summaryText(summary: ModelSummary): string {
  const { patterns, tables } = summary;
  const lines = [
    `${summary.name} states ${counted(summary.entities, "entity", "entities")} with ${counted(summary.attributes, "attribute")}, ${counted(summary.relations, "relation")},`,
    `${counted(patterns.reads + patterns.writes, "pattern")} (${patterns.reads} read, ${patterns.writes} write), ${counted(summary.workflows, "workflow")}, ${counted(tables.length, "table")}.`,
  ];
  for (const { name, entities, indexes } of tables) {
    const what = entities.length === 0 ? "look-up items" : entities.join(", ");
    lines.push(
      `  ${name}: ${what}${indexes.length === 0 ? "" : `; indexes ${indexes.join(", ")}`}`,
    );
  }
  if (summary.assumed > 0) lines.push(`${counted(summary.assumed, "number")} assumed.`);
  return lines.map((line) => `${printable(line)}\n`).join("");
}
