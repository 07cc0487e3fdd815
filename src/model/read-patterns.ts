import * as limits from "../api/limits.ts";
import { durationMs } from "../document/measures.ts";
import type { Path } from "../document/path.ts";
import type { RateDocument } from "./document-parts.ts";
import type {
  PatternDocument,
  TogetherDocument,
  WorkflowDocument,
} from "./document-requirements.ts";
import { quantityOf, type Rate, rateOf } from "./quantities.ts";
import { kindOf, readAction, readReturns } from "./read-actions.ts";
import { readSkew } from "./read-attributes.ts";
import { refuseUnlikeUses } from "./read-parameters.ts";
import { mergeSteps } from "./read-steps.ts";
import { readOrder, readWhere } from "./read-where.ts";
import type { Reading } from "./reading.ts";
import type { Action, Entity, Pattern, Together, Workflow } from "./requirements.ts";

type Entities = ReadonlyMap<string, Entity>;

export function readPattern(
  reading: Reading,
  id: string,
  document: PatternDocument,
  entities: Entities,
): Pattern {
  const path = ["patterns", id];
  const actions = readActions(reading, document, path, entities);
  const together = readTogether(reading, document, path, entities);
  const batch = quantityOf(document.batch);
  refuseUnlikeUses(reading, actions, together, batch?.value ?? 1, path, entities);
  const kind = actions.some((action) => action.kind === "read") ? "read" : "write";
  if (kind === "write" && actions.length > 0) {
    for (const member of ["together", "consistency", "matches"] as const) {
      if (document[member] !== undefined) reading.say([...path, member], "is for reads");
    }
  } else if (document.writers !== undefined && actions.length > 0) {
    reading.say([...path, "writers"], "is for writes");
  }
  const { scope = [] } = document;
  for (const [i, name] of scope.entries()) {
    checkName(reading, name, actions, [...path, "scope", i], entities);
  }
  return {
    id,
    path,
    name: document.name,
    story: document.story,
    kind,
    transaction: document.transaction !== undefined,
    actions,
    together,
    with: readWith(reading, document, path, entities),
    consistency: document.consistency ?? "eventual",
    matches: quantityOf(document.matches),
    batch,
    rps: readRate(reading, document.rps, [...path, "rps"]),
    latencyMs: document.latency === undefined ? undefined : durationMs(document.latency),
    writers: quantityOf(document.writers),
    scope,
    skew: readPatternSkew(reading, document, actions, path, entities),
    requirements: document.requirements ?? [],
    considerations: document.considerations ?? [],
    ...readStatus(reading, document, path),
  };
}

function readActions(
  reading: Reading,
  document: PatternDocument,
  path: Path,
  entities: Entities,
): readonly Action[] {
  const { transaction } = document;
  if (transaction === undefined)
    return [readAction(reading, document, path, entities) ?? []].flat();
  const at = [...path, "transaction"];
  for (const member of ["where", "order", "limit", "returns", "changes", "adds", "with"] as const) {
    if (document[member] !== undefined) {
      reading.say([...path, member], "belongs into a step of the transaction");
    }
  }
  const reads = transaction.filter((step) => kindOf(step) === "read").length;
  if (reads > 0 && reads < transaction.length) {
    reading.say(at, "has reads and writes; a transaction has only one of them");
  }
  const actions = transaction.flatMap(
    (step, i) => readAction(reading, step, [...at, i], entities) ?? [],
  );
  const count = actions.reduce((sum, { average }) => sum + average.value, 0);
  if (count > limits.transactionActionsMax) {
    reading.say(at, `has ${count} actions; there can be ${limits.transactionActionsMax}`);
  }
  return mergeSteps(reading, actions, entities);
}

function readTogether(
  reading: Reading,
  { together = [] }: PatternDocument,
  path: Path,
  entities: Entities,
): readonly Together[] {
  return together.flatMap((given, i) => {
    const at = [...path, "together", i];
    const one: TogetherDocument = typeof given === "string" ? { entity: given } : given;
    const place = typeof given === "string" ? at : [...at, "entity"];
    const entity = reading.find(entities, one.entity, "entity", place);
    if (entity === undefined) return [];
    return [
      {
        entity: entity.name,
        limit: one.limit,
        order: readOrder(reading, entity, one.order, [...at, "order"]),
        where: readWhere(reading, entity, one.where, [...at, "where"]),
        returns: readReturns(reading, entity, one.returns, at),
      },
    ];
  });
}

function readWith(
  reading: Reading,
  document: PatternDocument,
  path: Path,
  entities: Entities,
): Pattern["with"] {
  const { with: others = [] } = document;
  if (others.length > 0 && document.create === undefined && document.delete === undefined) {
    if (document.transaction === undefined) {
      reading.say([...path, "with"], "is for 'create' and 'delete'");
    }
  }
  return others.map((given, i) => {
    const at = [...path, "with", i];
    if (typeof given === "string") {
      reading.find(entities, given, "entity", at);
      return { entity: given, average: undefined };
    }
    reading.find(entities, given.entity, "entity", [...at, "entity"]);
    return { entity: given.entity, average: quantityOf(given.average) };
  });
}

/** A name that must be an attribute of one of the entities that the pattern is about. */
function checkName(
  reading: Reading,
  name: string,
  actions: readonly Action[],
  path: Path,
  entities: Entities,
): void {
  const known = new Set(
    actions.flatMap(({ entity }) => [...(entities.get(entity)?.attributes.keys() ?? [])]),
  );
  if (actions.length === 0 || known.has(name)) return;
  reading.unknown(path, name, "attribute of what the pattern is about", known);
}

function readPatternSkew(
  reading: Reading,
  { skew: document }: PatternDocument,
  actions: readonly Action[],
  path: Path,
  entities: Entities,
): Pattern["skew"] {
  const skew = readSkew(document);
  if (document === undefined || skew === undefined) return undefined;
  checkName(reading, document.key, actions, [...path, "skew", "key"], entities);
  return { ...skew, key: document.key };
}

function readStatus(
  reading: Reading,
  document: PatternDocument,
  path: Path,
): Pick<Pattern, "status" | "alternative" | "declined"> {
  const { alternative, declined } = document;
  const implied =
    alternative !== undefined ? "alternative" : declined !== undefined ? "declined" : undefined;
  const status = document.status ?? implied;
  if (status === "alternative" && alternative === undefined) {
    reading.say(path, "needs 'alternative': what serves it instead");
  }
  if (status !== "alternative" && alternative !== undefined) {
    reading.say([...path, "alternative"], "is for patterns with status 'alternative'");
  }
  if (status === "declined" && declined === undefined) {
    reading.say(path, "needs 'declined': why it is not served");
  }
  return {
    status,
    alternative: alternative && { ...alternative, via: alternative.via },
    declined,
  };
}

function readRate(reading: Reading, document: RateDocument | undefined, path: Path): Rate {
  const rate = rateOf(document);
  if (
    typeof document === "object" &&
    "assumed" in document &&
    ("average" in document || "peak" in document)
  ) {
    reading.say(path, "has 'assumed' beside 'average' or 'peak'; it goes inside them");
  }
  if (
    rate.average !== undefined &&
    rate.peak !== undefined &&
    rate.peak.value < rate.average.value
  ) {
    reading.say(path, "has a peak below its average");
  }
  return rate;
}

export function readWorkflow(
  reading: Reading,
  name: string,
  document: WorkflowDocument,
  patterns: ReadonlyMap<string, Pattern>,
): Workflow {
  const path = ["workflows", name];
  const steps = document.steps.map(String);
  for (const [i, step] of steps.entries()) {
    reading.find(patterns, step, "pattern", [...path, "steps", i]);
  }
  return {
    name,
    path,
    description: document.description,
    steps,
    rps: readRate(reading, document.rps, [...path, "rps"]),
  };
}
