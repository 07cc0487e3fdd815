import { type Complaint, complaintsText } from "../document/complaint.ts";
import { pathText } from "../document/path.ts";
import type { Model } from "../model/model.ts";
import { openQuestions } from "../model/open-questions.ts";
import { parseModel } from "../model/parse.ts";

/** What a model document states, or what is wrong in it. */
export interface ModelCheck {
  readonly file: string;
  readonly complaints: readonly Complaint[];
  /** Nothing if there are complaints. */
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
  readonly openQuestions: readonly {
    readonly path: string;
    readonly line: number | undefined;
    readonly column: number | undefined;
    readonly question: string;
  }[];
}

/** Reads a model document and tells what it states. `file` is its name, for complaints. */
export function checkModel(text: string, file: string): ModelCheck {
  const { model, complaints } = parseModel(text, file);
  return { file, complaints, summary: model && summaryOf(model) };
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
    openQuestions: openQuestions(model).map(({ path, question }) => {
      const place = model.place(path);
      return { path: pathText(path), line: place?.line, column: place?.column, question };
    }),
  };
}

function assumedIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Object.hasOwn(value, "assumed") ? 1 : 0;
  return Object.values(value).reduce<number>((sum, one) => sum + assumedIn(one), own);
}

/** The same in words. */
export function modelCheckText({ file, complaints, summary }: ModelCheck): string {
  if (summary === undefined) return `${complaintsText(complaints)}\n`;
  const { patterns, tables, openQuestions: questions } = summary;
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
  if (questions.length === 0) lines.push("No open questions.");
  else lines.push(`${counted(questions.length, "open question")}:`);
  for (const { line, column, question } of questions) {
    lines.push(`  ${file}:${line}:${column}: ${question}`);
  }
  return `${lines.join("\n")}\n`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
