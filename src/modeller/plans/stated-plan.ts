import type { KeyPart, PlanStep } from "../../model/design.ts";
import { attributeNames } from "../../model/key-text.ts";
import type { Pattern, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { StoredRecord } from "../records/record.ts";
import { accessPath } from "./access-paths.ts";
import { askOf, limitOf } from "./ask.ts";
import { isImplied } from "./index-contents.ts";
import {
  noRemainder,
  type Plan,
  type PlannedRequest,
  type ReadRequest,
  resultBindings,
  structureName,
} from "./plan.ts";
import { type Structure, structuresOf, tableStructure } from "./structures.ts";
import { planWrite } from "./write-plan.ts";

/** A plan that the document gives: its steps, with the values that the pattern and earlier steps tell. */
export function statedPlan(facts: Facts, pattern: Pattern, steps: readonly PlanStep[]): Plan {
  const requests: PlannedRequest[] = [];
  const notes = steps.flatMap(({ note }) => note ?? []);
  const planned = (problem: string | undefined): Plan => ({
    pattern,
    stated: true,
    requests: problem === undefined ? requests : [],
    notes,
    rejected: [],
    problem,
  });
  for (const step of steps) {
    if (readOperations.includes(step.operation)) {
      const request = readOf(facts, pattern, step, requests);
      if (typeof request === "string") return planned(request);
      requests.push(request);
    } else if (!requests.some(({ kind }) => kind === "write")) {
      const written = planWrite(facts, pattern);
      if (written.problem !== undefined) return planned(written.problem);
      requests.push(...written.requests.filter(({ kind }) => kind === "write"));
    }
  }
  const open = uncheckedIn(pattern, requests);
  return planned(open && `no step of the plan checks ${open}`);
}

const readOperations: readonly string[] = [
  "GetItem",
  "BatchGetItem",
  "Query",
  "Scan",
  "TransactGetItems",
] satisfies readonly ReadRequest["operation"][];

/** An attribute that the pattern asks about and that no step of a read holds, in its key or in its filter. */
function uncheckedIn({ kind, actions }: Pattern, requests: readonly PlannedRequest[]) {
  const [action] = actions;
  if (kind !== "read" || action === undefined) return undefined;
  const own = requests.flatMap((one) =>
    one.kind === "read" && one.record.entity.name === action.entity ? [one] : [],
  );
  if (own.length === 0) return undefined;
  const isImpliedBy = (predicate: Predicate, { record, index }: ReadRequest): boolean =>
    isImplied(
      predicate,
      record.memberships.find((one) => one.index === index),
    );
  return action.where.find(
    (one) => !isAnswered(requests, one.attribute) && !own.some((read) => isImpliedBy(one, read)),
  )?.attribute;
}

function readOf(
  facts: Facts,
  pattern: Pattern,
  step: PlanStep,
  before: readonly PlannedRequest[],
): PlannedRequest | string {
  const record = recordOf(facts, pattern, step);
  if (record === undefined) return `no item of ${step.table ?? "the design"} has the key of a step`;
  const structure = structuresOf(record).find(({ index }) => index?.name === step.index);
  if (structure === undefined) return `${record.name} is not in ${step.index}`;
  const other = otherKey(structure, step.key);
  if (other !== undefined) {
    return `${record.name} has no ${other.attribute} that is made of '${other.text.text}'`;
  }
  const [action] = pattern.actions;
  if (action === undefined) return "the pattern does nothing";
  const { entity, role } = record;
  const isUnique = role === "unique";
  const asked = action.where.filter(({ attribute }) => entity.attributes.has(attribute));
  const named = attributeNames(step.key);
  const latest = before.findLastIndex(({ kind }) => kind === "read");
  const newest = before[latest];
  // All fetches complete the rows of one request, and read by what that request found.
  const last = (newest?.kind === "read" ? newest.completes : undefined) ?? latest;
  const previous = before[last];
  const isAsked = (name: string): boolean =>
    asked.some(({ attribute, operator }) => attribute === name && operator === "equals");
  const known = resultBindings(last < 0 ? [] : named.filter((name) => !isAsked(name)), last);
  const results = known.size > 0 && previous?.kind === "read" && previous.expected.returned;
  const ask = {
    ...askOf(pattern, action),
    where: [
      // A look-up item knows only its own key, and what an earlier step has checked holds.
      ...asked.filter(
        ({ attribute }) =>
          named.includes(attribute) || !(isUnique || isAnswered(before, attribute)),
      ),
      ...step.filter,
    ],
    order: [],
    limit: step.limit,
    known,
    // A look-up item has no more than its key and the id.
    returns: isUnique ? entity.id : action.returns,
    ...(results !== false && { matches: { value: results, assumed: false } }),
  };
  const path = accessPath(facts, structure, ask, step.operation === "Scan" ? "scan" : "key");
  if (typeof path === "string") {
    const name = structureName(structure.table, structure.index);
    return `${name} cannot be used as the plan says: it ${path}`;
  }
  // A step that finds the same entity by its key, or by the rows of an earlier step, completes those.
  const isByKey = path.match.whole && step.key.length > 0;
  const isMore =
    (known.size > 0 || isByKey) &&
    previous?.kind === "read" &&
    previous.record.entity === entity &&
    previous.record.role !== "unique";
  const completes = isMore ? last : undefined;
  // What this step does not hold is checked by a later one.
  const remainder = { ...noRemainder, limit: isMore ? undefined : limitOf(action) };
  return { ...path.request, completes, remainder, forward: step.order !== "descending" };
}

/** The kind of item that a step reads: the one with such a key, or the entity's own. */
function recordOf(facts: Facts, pattern: Pattern, step: PlanStep): StoredRecord | undefined {
  const name = step.entity ?? pattern.actions[0]?.entity;
  const inTable = facts.records.filter(
    ({ table }) => step.table === undefined || table.name === step.table,
  );
  const byKey = inTable.filter(
    (one) => step.key.length > 0 && otherKey(tableStructure(one), step.key) === undefined,
  );
  return (
    byKey.find(({ entity }) => entity.name === name) ??
    byKey[0] ??
    inTable.find(({ role, entity }) => role === "item" && entity.name === name)
  );
}

/** A stated part of a key that is made of something else where the step reads. */
function otherKey({ partition, sort }: Structure, stated: readonly KeyPart[]): KeyPart | undefined {
  const made = new Map([...partition, ...sort].map((one) => [one.attribute.name, one.text.text]));
  return stated.find(({ attribute, text }) => made.get(attribute) !== text.text);
}

/** An earlier step has held the condition in its key or its filter. */
function isAnswered(before: readonly PlannedRequest[], attribute: string): boolean {
  return before.some(
    (one) =>
      one.kind === "read" &&
      (attributeNames([...one.partition, ...one.sort]).includes(attribute) ||
        one.filter.some((predicate) => predicate.attribute === attribute)),
  );
}
