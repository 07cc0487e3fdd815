import type { KeyPart, PlanStep } from "../../model/design.ts";
import { attributesOf } from "../../model/key-text.ts";
import type { Pattern, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { StoredRecord } from "../records/record.ts";
import { accessPath } from "./access-paths.ts";
import { askOf } from "./ask.ts";
import { isImplied } from "./index-contents.ts";
import {
  type Binding,
  noRemainder,
  type Plan,
  type PlannedRequest,
  type ReadRequest,
  structureName,
} from "./plan.ts";
import { type Structure, structuresOf } from "./structures.ts";
import { planWrite } from "./write-plan.ts";

/** A plan that the document gives: its steps, with the values that the pattern and earlier steps tell. */
export function statedPlan(facts: Facts, pattern: Pattern, steps: readonly PlanStep[]): Plan {
  const plan = { pattern, stated: true, rejected: [] } as const;
  const requests: PlannedRequest[] = [];
  const notes = steps.flatMap(({ note }) => (note === undefined ? [] : [note]));
  for (const step of steps) {
    if (!isRead(step)) {
      const written = planWrite(facts, pattern);
      const writes = written.requests.filter(({ kind }) => kind === "write");
      if (written.problem !== undefined) {
        return { ...plan, requests: [], notes, problem: written.problem };
      }
      if (!requests.some(({ kind }) => kind === "write")) requests.push(...writes);
      continue;
    }
    const request = readOf(facts, pattern, step, requests);
    if (typeof request === "string") return { ...plan, requests: [], notes, problem: request };
    requests.push(request);
  }
  const open = uncheckedIn(pattern, requests);
  if (open !== undefined) {
    return { ...plan, requests: [], notes, problem: `no step of the plan checks ${open}` };
  }
  return { ...plan, requests, notes, problem: undefined };
}

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
    (one) => !answered(requests, one.attribute) && !own.some((read) => isImpliedBy(one, read)),
  )?.attribute;
}

function isRead({ operation }: PlanStep): boolean {
  return ["GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems"].includes(operation);
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
  if (structure === undefined) {
    return `${record.name} is not in ${step.index}`;
  }
  const other = otherKey(structure, step.key);
  if (other !== undefined) {
    return `${record.name} has no ${other.attribute} that is made of '${other.text.text}'`;
  }
  const [action] = pattern.actions;
  if (action === undefined) return "the pattern does nothing";
  const asked = action.where.filter(({ attribute }) => record.entity.attributes.has(attribute));
  const known = new Map<string, Binding>();
  const named = new Set(step.key.flatMap(({ text }) => attributesOf(text)).map(nameOf));
  const latest = before.findLastIndex(({ kind }) => kind === "read");
  // All fetches complete the rows of one request, and read by what that request found.
  const last = completedBy(before[latest]) ?? latest;
  for (const attribute of named) {
    const isAsked = asked.some((one) => one.attribute === attribute && one.operator === "equals");
    if (!isAsked && last >= 0) known.set(attribute, { kind: "result", request: last, attribute });
  }
  const previous = before[last];
  const results =
    known.size > 0 && previous?.kind === "read" ? previous.expected.returned : undefined;
  const ask = {
    ...askOf(pattern, action),
    where: [
      ...usable(asked, named, structure).filter(
        ({ attribute }) => named.has(attribute) || !answered(before, attribute),
      ),
      ...step.filter,
    ],
    order: [],
    limit: step.limit,
    known,
    // A look-up item has no more than its key and the id.
    returns: record.role === "unique" ? record.entity.id : action.returns,
    ...(results !== undefined && { matches: { value: results, assumed: false } }),
  };
  const method = step.operation === "Scan" ? "scan" : "key";
  const path = accessPath(facts, structure, ask, method);
  if (typeof path === "string") {
    const name = structureName(structure.table, structure.index);
    return `${name} cannot be used as the plan says: it ${path}`;
  }
  // A step that finds the same entity by its key, or by the rows of an earlier step, completes those.
  const isByKey = path.match.whole && step.key.length > 0;
  const isMore =
    (known.size > 0 || isByKey) &&
    previous?.kind === "read" &&
    previous.record.entity === record.entity;
  const completes = isMore && previous.record.role !== "unique" ? last : undefined;
  const limit =
    typeof action.limit === "number" && completes === undefined ? action.limit : undefined;
  // What this step does not hold is checked by a later one.
  const remainder = { ...noRemainder, limit };
  return { ...path.request, completes, remainder, forward: step.order !== "descending" };
}

/** Conditions that hold for the kind of item: a look-up item knows only its own key. */
function usable(
  asked: readonly Predicate[],
  named: ReadonlySet<string>,
  { record }: Structure,
): readonly Predicate[] {
  if (record.role !== "unique") return asked;
  return asked.filter(({ attribute }) => named.has(attribute));
}

/** The kind of item that a step reads: the one with such a key, or the entity's own. */
function recordOf(facts: Facts, pattern: Pattern, step: PlanStep): StoredRecord | undefined {
  const entity = step.entity ?? pattern.actions[0]?.entity;
  const inTable = facts.records.filter(
    ({ table }) => step.table === undefined || table.name === step.table,
  );
  const byKey = inTable.filter(({ key }) => step.key.length > 0 && sameKey(key, step.key));
  return (
    byKey.find((one) => one.entity.name === entity) ??
    byKey[0] ??
    inTable.find(({ role, entity: own }) => role === "item" && own.name === entity)
  );
}

/** A stated part of a key that is made of something else where the step reads. */
function otherKey({ partition, sort }: Structure, stated: readonly KeyPart[]): KeyPart | undefined {
  const made = new Map([...partition, ...sort].map((one) => [one.attribute.name, one.text.text]));
  return stated.find(({ attribute, text }) => made.get(attribute) !== text.text);
}

function completedBy(request: PlannedRequest | undefined): number | undefined {
  return request?.kind === "read" ? request.completes : undefined;
}

const nameOf = ({ attribute }: { readonly attribute: string }): string => attribute;

function sameKey(key: readonly KeyPart[], stated: readonly KeyPart[]): boolean {
  return stated.every(({ attribute, text }) => {
    const part = key.find((one) => one.attribute === attribute);
    return part?.text.text === text.text;
  });
}

/** An earlier step has held the condition in its key or its filter. */
function answered(before: readonly PlannedRequest[], attribute: string): boolean {
  return before.some((request) => {
    if (request.kind !== "read") return false;
    const texts = [...request.partition, ...request.sort].map(({ text }) => text);
    const inKey = texts.some((text) =>
      attributesOf(text).some((one) => one.attribute === attribute),
    );
    return inKey || request.filter.some((one) => one.attribute === attribute);
  });
}
