import type { Path } from "../../document/path.ts";
import { pathText } from "../../document/path.ts";
import type { Design, Table } from "../../model/design.ts";
import type { Model } from "../../model/model.ts";
import { type OpenQuestion, openQuestions } from "../../model/open-questions.ts";
import type { Entity, Pattern } from "../../model/requirements.ts";
import { Facts } from "../facts.ts";
import { type KeyLoad, keyLoadsOf } from "../heat/key-load.ts";
import { LintContext } from "../lint/lint-context.ts";
import { type ReadVerdict, readVerdictOf } from "../lint/read-verdict.ts";
import type { Plan, ReadRequest, WriteRequest } from "../plans/plan.ts";
import { plansOf } from "../plans/planner.ts";
import type { RunEstimate } from "../units/estimate.ts";
import { type Loads, loadsOf } from "../units/loads.ts";

/** What checks look at. What takes work is done when the first check asks for it, and once. */
export class CheckContext {
  readonly model: Model;
  readonly facts: Facts;
  #questions: readonly OpenQuestion[] | undefined;
  #plans: ReadonlyMap<string, Plan> | undefined;
  #loads: Loads | undefined;
  #keyLoads: readonly KeyLoad[] | undefined;
  #lint: LintContext | undefined;

  constructor(model: Model, facts: Facts = Facts.of(model)) {
    this.model = model;
    this.facts = facts;
  }

  get design(): Design | undefined {
    return this.model.design;
  }

  get tables(): readonly Table[] {
    return [...(this.model.design?.tables.values() ?? [])];
  }

  get entities(): readonly Entity[] {
    return [...this.model.entities.values()];
  }

  get patterns(): readonly Pattern[] {
    return [...this.model.patterns.values()];
  }

  /** What the document leaves open and nobody but the user can know. */
  questions(about: OpenQuestion["about"]): readonly OpenQuestion[] {
    this.#questions ??= openQuestions(this.model);
    return this.#questions.filter((one) => one.about === about);
  }

  /** Patterns that somebody wants, by whatever service. */
  get wanted(): readonly Pattern[] {
    return this.patterns.filter(({ status }) => status !== "declined");
  }

  /** Patterns that DynamoDB has to answer. */
  get served(): readonly Pattern[] {
    return this.wanted.filter(({ status }) => status !== "alternative");
  }

  get plans(): ReadonlyMap<string, Plan> {
    this.#plans ??= plansOf(this.facts);
    return this.#plans;
  }

  plan({ id }: Pattern): Plan {
    return this.plans.get(id) as Plan;
  }

  /** What all patterns together ask of tables and indexes. */
  get loads(): Loads {
    this.#loads ??= loadsOf(this.facts, this.plans);
    return this.#loads;
  }

  /** What they ask of partition keys. */
  get keyLoads(): readonly KeyLoad[] {
    this.#keyLoads ??= keyLoadsOf(this.facts, this.plans);
    return this.#keyLoads;
  }

  /** What one run of a pattern costs. */
  run({ id }: Pattern): RunEstimate {
    return this.loads.patterns.get(id) as RunEstimate;
  }

  /** Whether an index would be better than a read that goes through more than it returns. */
  readVerdict(pattern: Pattern, request: ReadRequest): ReadVerdict | undefined {
    this.#lint ??= new LintContext(this.model, this.facts, this.plans);
    const estimate = this.run(pattern).requests.find((one) => one.request === request);
    return estimate && readVerdictOf(this.#lint, pattern, request, estimate);
  }

  reads(pattern: Pattern): readonly ReadRequest[] {
    return this.plan(pattern).requests.filter((one) => one.kind === "read");
  }

  writes(pattern: Pattern): readonly WriteRequest[] {
    return this.plan(pattern).requests.filter((one) => one.kind === "write");
  }

  /** Whether a decision is about this part, or about something that it is a part of. */
  isDecided(path: Path): boolean {
    const text = pathText(path);
    return (this.design?.decisions ?? []).some(({ about }) => isWithin(text, about));
  }

  /** Whether a decision is about a part of this part. */
  isDecidedWithin(path: Path): boolean {
    const text = pathText(path);
    return (this.design?.decisions ?? []).some(({ about }) => isWithin(about, text));
  }
}

/** Whether a path, as people write it, is another one or inside of it. */
export function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

/** How patterns are called in sentences. */
export function patternName({ id, name }: Pattern): string {
  return `Pattern ${id} (${name})`;
}
