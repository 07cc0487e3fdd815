import { transformSync } from "esbuild";
import { complaintsText } from "../../src/document/complaint.ts";
import { pathText } from "../../src/document/path.ts";
import { Source } from "../../src/document/source.ts";
import type { ModelDocument } from "../../src/model/model-document.ts";
import { printModel } from "../../src/model/print.ts";
import type { Pattern } from "../../src/model/requirements.ts";
import { dataModelFile, documentFiles } from "../../src/modeller/documents/documents.ts";
import { heatOf } from "../../src/modeller/heat/heat.ts";
import type { PatternProof } from "../../src/modeller/proof/prove.ts";
import { verdictText } from "../../src/modeller/proof/verdict-text.ts";
import { runHeat } from "../../src/workbench/heat-simulation.ts";
import { checkModel, modelCheckText } from "../../src/workbench/model-check.ts";
import { costModel, modelCostOutput } from "../../src/workbench/model-cost.ts";
import {
  designModel,
  type ModelDesign,
  modelDesignOutput,
} from "../../src/workbench/model-design.ts";
import { generateFiles } from "../../src/workbench/model-generate.ts";
import { heatDefaults } from "../../src/workbench/model-heat.ts";
import { lintModel, modelLintOutput } from "../../src/workbench/model-lint.ts";
import { parsedModel } from "../../src/workbench/model-parse.ts";
import { modelProofOutput, proveText } from "../../src/workbench/model-prove.ts";
import { drawOptions, needsDesign, withNames } from "./design-options.ts";
import { addTables, countMutants, type MutantTable } from "./mutant-table.ts";
import { namesIn, normalise, stackTop } from "./signature.ts";

/** Runs a model through what the commands do, in this process, and says what is not as it should be. */

export const kinds = [
  "crash",
  "wrong",
  "contradiction",
  "unprovable",
  "undecided",
  "refused",
] as const;
export type FindingKind = (typeof kinds)[number];

export const commandNames = [
  "check",
  "design",
  "lint",
  "cost",
  "prove",
  "docs",
  "generate",
] as const;
export type Command = (typeof commandNames)[number];

export interface Finding {
  /**
   * `crash`: an exception. `wrong`: the proof found a wrong answer. `contradiction`: two commands disagree about a
   * design that was just made. `unprovable`: the design leaves a pattern unplanned. `undecided`: mutants that survived without
   * a reason. `refused`: the command says why not.
   */
  readonly kind: FindingKind;
  readonly command: Command;
  /** The same for failures that differ only in names and numbers. */
  readonly signature: string;
  readonly message: string;
}

export interface Outcome {
  /** The gravest kind of finding, or `clean`. */
  readonly kind: FindingKind | "clean";
  readonly findings: readonly Finding[];
  readonly milliseconds: Readonly<Partial<Record<Command, number>>>;
  /** The document with its design, if there is one. */
  readonly designed: string | undefined;
  /** What became of the mutants of all proofs, by operator. */
  readonly mutants: MutantTable;
}

/** A design that was just made. */
type MadeDesign = Pick<ModelDesign, "text" | "designed" | "model"> & Partial<ModelDesign>;

/** The moment that proofs are of, as on the command line. */
const now = Date.UTC(2026, 0, 15, 12);
/** Design proves with seed 1. Another seed tries the same design with other data. */
const otherSeed = 2;
const file = "model.yaml";
/** A short peak exercises the simulation as well as the two minutes of `keywright docs`, in a tenth of the time. */
const peakSeconds = 10;
const output = { colour: false, dryRun: false, version: "0" };

export interface RunOptions {
  /** Draws the options of `keywright design`; without it there are none. */
  readonly optionsSeed?: number | undefined;
  /** Tries the mutants that have a reason, too: a reason is wrong if one of them is killed. */
  readonly doubtReasons?: boolean | undefined;
  /** Only these commands, and those that they need; all unless said. */
  readonly commands?: ReadonlySet<Command> | undefined;
  /** Stops after the command that has this finding. */
  readonly until?: string;
}

export async function runModel(
  document: ModelDocument,
  options: RunOptions = {},
): Promise<Outcome> {
  return new Run(document, options).run();
}

class Run {
  private readonly text: string;
  private readonly commands: ReadonlySet<Command> | undefined;
  private readonly until: string | undefined;
  private readonly document: ModelDocument;
  private readonly optionsSeed: number | undefined;
  private readonly doubtReasons: boolean;
  private readonly names: string[];
  private readonly findings: Finding[] = [];
  private readonly milliseconds: Partial<Record<Command, number>> = {};
  private designed: string | undefined;
  /** What check and lint found in the requirements: a design is not to blame for it. */
  private readonly before = { check: new Set<string>(), lint: new Set<string>() };
  private mutants: MutantTable = {};

  constructor(
    document: ModelDocument,
    { commands, until, optionsSeed, doubtReasons = false }: RunOptions,
  ) {
    this.document = document;
    this.text = printModel(document);
    this.commands = commands;
    this.until = until;
    this.optionsSeed = optionsSeed;
    this.doubtReasons = doubtReasons;
    this.names = [...namesIn(document)];
  }

  async run(): Promise<Outcome> {
    await this.step("check", () => this.checkRequirements());
    const design =
      this.findings.length === 0
        ? await this.step("design", () => this.design(), "needed")
        : undefined;
    if (design?.text !== undefined) {
      const { text } = design;
      this.designed = text;
      this.addNames(design);
      await this.step("check", () => this.checkDesign(text));
      await this.step("lint", () => this.lint(text));
      await this.step("cost", () => this.cost(design, text));
      await this.step("prove", () => this.prove(design, text));
      await this.step("docs", () => this.docs(design, text));
      await this.step("generate", () => this.generate(text));
    }
    const { findings, milliseconds, designed, mutants } = this;
    const kind = kinds.find((one) => findings.some((finding) => finding.kind === one)) ?? "clean";
    return { kind, findings, milliseconds, designed, mutants };
  }

  /** Runs one command, measures it, and records an exception as a crash. */
  private async step<T>(
    command: Command,
    run: () => Promise<T> | T,
    need?: "needed",
  ): Promise<T | undefined> {
    if (need === undefined && this.commands?.has(command) === false) return undefined;
    if (this.findings.some(({ signature }) => signature === this.until)) return undefined;
    const start = performance.now();
    try {
      return await run();
    } catch (error) {
      this.addCrash(command, error);
      return undefined;
    } finally {
      const spent = performance.now() - start;
      this.milliseconds[command] = (this.milliseconds[command] ?? 0) + spent;
    }
  }

  private addCrash(command: Command, thrown: unknown, about = ""): void {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const what = normalise(error.message, this.names);
    const signature = `${about}${error.name}: ${what} @ ${stackTop(error.stack)}`;
    this.add("crash", command, error.stack ?? error.message, signature);
  }

  private add(kind: FindingKind, command: Command, message: string, about?: string): void {
    const signature = `${kind} ${command}: ${about ?? normalise(message, this.names)}`;
    if (this.findings.some((one) => one.signature === signature)) return;
    this.findings.push({ kind, command, signature, message });
  }

  private checkRequirements(): void {
    const check = checkModel(this.text, file);
    if (check.complaints.length > 0) this.add("refused", "check", complaintsText(check.complaints));
    modelCheckText(check, { width: 100, colour: false });
    for (const { id, points } of check.checks ?? []) {
      for (const { kind, path } of points) {
        if (kind === "wrong") this.before.check.add(`${id} ${path}`);
      }
    }
    const linted = lintModel(this.text, file);
    modelLintOutput(linted, "text", output);
    for (const { rule, path, severity } of linted.result?.findings ?? []) {
      if (severity === "error") this.before.lint.add(`${rule} ${pathText(path)}`);
    }
  }

  private async design(): Promise<ModelDesign> {
    const design = await this.designWithOptions();
    modelDesignOutput(design, "text");
    modelDesignOutput(design, "json");
    for (const sentence of design.refused) this.add("refused", "design", sentence);
    if (design.complaints.length > 0) {
      const sentences = complaintsText(design.complaints);
      this.add("contradiction", "design", `the reader refuses the design: ${sentences}`);
    }
    this.addNames(design);
    this.addProofs(design, design.checks?.proofs ?? []);
    return design;
  }

  /** Proofs take longer than all the rest, so there are none if only other commands are asked for. */
  private async designWithOptions(): Promise<ModelDesign> {
    const { text, document, optionsSeed: seed } = this;
    const isChecked = this.commands?.has("prove") !== false;
    if (seed === undefined) return designModel(text, file, { now, isChecked });
    const options = drawOptions(seed, document);
    if (!needsDesign(options)) return designModel(text, file, { now, isChecked, ...options });
    const first = await designModel(text, file, { now, isChecked: false });
    if (first.text === undefined) return first;
    const named = withNames(options, seed, readDocument(first.text, file));
    return designModel(first.text, file, { now, isChecked, ...named });
  }

  /** The names that only the design has. */
  private addNames({ designed }: MadeDesign): void {
    const tables = Object.entries(designed?.design.tables ?? {});
    this.names.push(
      ...tables.flatMap(([name, { indexes = {} }]) => [name, ...Object.keys(indexes)]),
    );
  }

  /** What a proof found, whether design or prove ran it. */
  private addProofs({ model }: MadeDesign, proofs: readonly PatternProof[]): void {
    const command = "prove";
    for (const proof of proofs) {
      const pattern = model?.patterns.get(proof.pattern);
      this.mutants = addTables(this.mutants, countMutants(proof.mutants));
      const { verdict } = proof;
      const about = (what: string): string => `pattern ${proof.pattern}: ${what}`;
      if (verdict.kind === "not-provable") {
        if (verdict.isExcluded) continue;
        const reason = normalise(verdict.reason, this.names);
        const signature = `${kindOf(pattern)}: ${reason}`;
        this.add("unprovable", command, about(verdict.reason), signature);
      } else if (verdict.kind === "defect") {
        const { message, stack } = verdict.defect;
        const what = normalise(message, this.names);
        const signature = `${kindOf(pattern)}: ${what} @ ${stackTop(stack)}`;
        this.add("crash", command, about(stack ?? message), signature);
      } else if (verdict.kind === "wrong") {
        const { requests, what } = verdict.counterExample;
        const operations = [...new Set(requests.map(({ operation }) => operation))];
        const how = operations.join(", ") || "nothing";
        const signature = `${kindOf(pattern)} by ${how}: ${normalise(what, this.names)}`;
        this.add("wrong", command, about(what), signature);
      } else {
        for (const name of verdict.undecided) {
          const signature = `${kindOf(pattern)}: ${normalise(name, this.names)}`;
          this.add("undecided", command, about(name), signature);
        }
      }
    }
  }

  private checkDesign(text: string): void {
    const check = checkModel(text, file);
    modelCheckText(check, { width: 100, colour: false });
    for (const { id, verdict, points } of check.checks ?? []) {
      if (verdict !== "wrong") continue;
      for (const point of points.filter(({ kind }) => kind === "wrong")) {
        if (this.before.check.has(`${id} ${point.path}`)) continue;
        const what = normalise(point.text, this.names);
        this.add("contradiction", "check", `${id}: ${point.text}`, `${id}: ${what}`);
      }
    }
  }

  private lint(text: string): void {
    const linted = lintModel(text, file);
    modelLintOutput(linted, "text", output);
    modelLintOutput(linted, "sarif", output);
    for (const { rule, severity, message, path } of linted.result?.findings ?? []) {
      if (severity !== "error" || this.before.lint.has(`${rule} ${pathText(path)}`)) continue;
      this.add("contradiction", "lint", `${rule}: ${message}`, rule);
    }
  }

  private cost({ designed }: MadeDesign, text: string): void {
    const cost = costModel(text, file);
    modelCostOutput(cost, "text");
    modelCostOutput(cost, "json");
    const { report } = cost;
    if (report === undefined) {
      this.add("contradiction", "cost", `there is no bill: ${cost.why}`);
      return;
    }
    const [stated, billed] = [designed?.total ?? Number.NaN, report.total.average];
    if (!(Math.abs(stated - billed) < 0.01)) {
      this.add(
        "contradiction",
        "cost",
        `design states $${stated}, the bill is $${billed}`,
        "design states another price than the bill",
      );
    }
    for (const missing of report.missing) {
      this.add("contradiction", "cost", `the bill lacks: ${missing}`);
    }
  }

  private async prove(design: MadeDesign, text: string): Promise<void> {
    const { doubtReasons } = this;
    const proof = await proveText(text, file, { now, seed: otherSeed, doubtReasons });
    modelProofOutput(proof, "text");
    modelProofOutput(proof, "json");
    const first = new Map(
      (design.checks?.proofs ?? []).map((one) => [one.pattern, one.verdict.kind]),
    );
    // Design and prove draw other data, but a pattern that one of them proves is not wrong for the other one.
    for (const { pattern, verdict } of proof.proofs ?? []) {
      const before = first.get(pattern);
      if (before === undefined || before === verdict.kind) continue;
      this.add(
        "contradiction",
        "prove",
        `design reports pattern ${pattern} as ${before}, prove as ${verdict.kind}`,
        `design reports a pattern as ${before}, prove as ${verdict.kind}`,
      );
    }
    this.addProofs(design, proof.proofs ?? []);
    this.addFalseReasons(design, [...(design.checks?.proofs ?? []), ...(proof.proofs ?? [])]);
  }

  /** A mutant that one proof calls equivalent, and that another one, or the same one in spite of its reason, has killed. */
  private addFalseReasons({ model }: MadeDesign, proofs: readonly PatternProof[]): void {
    const tried = proofs.flatMap(({ pattern, mutants }) =>
      mutants.map((mutant) => ({ pattern, ...mutant })),
    );
    const killed = new Set(
      tried.flatMap(({ pattern, name, killed }) => (killed ? [`${pattern} ${name}`] : [])),
    );
    for (const { pattern, name, reason } of tried) {
      if (reason === undefined || !killed.has(`${pattern} ${name}`)) continue;
      const kind = kindOf(model?.patterns.get(pattern));
      const about = normalise(`a mutant with the reason ${reason} was killed`, this.names);
      const message = `pattern ${pattern}: '${name}' was killed, but has the reason: ${reason}`;
      this.add("contradiction", "prove", message, `${kind}: ${about}`);
    }
  }

  /** What `keywright docs` writes, with the proofs of the design: it would prove again with the same seed. */
  private docs(design: MadeDesign, text: string): void {
    const { model } = parsedModel(text, file);
    if (model === undefined) return;
    const proofs = design.checks?.proofs;
    const simulated = runHeat(heatOf(model), { ...heatDefaults, seconds: peakSeconds });
    const files = documentFiles(model, { proofs, simulated });
    const page = files.find(({ path }) => path === dataModelFile)?.text ?? "";
    const verdicts = printedVerdicts(page);
    for (const proof of proofs ?? []) {
      const printed = verdicts.get(proof.pattern);
      const expected = verdictText(proof.verdict).split(/[:,]/)[0];
      if (printed === expected) continue;
      this.add(
        "contradiction",
        "docs",
        `docs prints pattern ${proof.pattern} as ${printed}, prove reports it as ${expected}`,
        `docs prints ${printed} where prove reports ${expected}`,
      );
    }
  }

  private generate(text: string): void {
    const { files, why } = generateFiles(text, file, "typescript");
    if (files === undefined) this.add("contradiction", "generate", `no files: ${why}`);
    for (const { path, text: code } of files ?? []) {
      if (!path.endsWith(".ts")) continue;
      const problem = syntaxProblem(code);
      if (problem !== undefined) {
        this.add("contradiction", "generate", `${path} is no TypeScript: ${problem}`);
      }
    }
  }
}

/** Which operation a pattern is, for signatures. */
function kindOf(pattern: Pattern | undefined): string {
  const actions = [...new Set(pattern?.actions.map(({ kind }) => kind))].toSorted().join("+");
  return pattern?.transaction ? `transaction of ${actions}` : actions;
}

/** The results in the table of proofs of the data model page, by pattern. */
function printedVerdicts(page: string): ReadonlyMap<string, string> {
  const section = page.split(/^### Proof$/m)[1]?.split(/^### /m)[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  return new Map(
    rows.flatMap((row) => {
      const [, id = "", , result = ""] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
      const verdict = /(proved|wrong|defect|not provable)/.exec(result)?.[1];
      return verdict === undefined ? [] : [[id.replaceAll("\\", ""), verdict] as const];
    }),
  );
}

function syntaxProblem(code: string): string | undefined {
  try {
    transformSync(code, { loader: "ts", logLevel: "silent" });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.split("\n")[1] : String(error);
  }
}

/** Reads a document from YAML. */
export function readDocument(text: string, name: string): ModelDocument {
  const { source, complaints } = Source.read(text, name);
  if (source === undefined) throw new Error(complaintsText(complaints));
  return source.value as ModelDocument;
}
