import type { ModelDocument } from "../../src/model/model-document.ts";

/** Takes out of a document what refers to parts that it no longer has, so that a smaller document can be read. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonRecord = { [name: string]: Json };

export function jsonOf(document: ModelDocument): JsonRecord {
  return JSON.parse(JSON.stringify(document)) as JsonRecord;
}

/** Changes the document in place and returns it. */
export function repair(document: JsonRecord): JsonRecord {
  const entities = recordOf(document.entities);
  for (const [name, entity] of Object.entries(entities)) {
    if (!repairEntity(recordOf(entity))) delete entities[name];
  }
  for (const entity of Object.values(entities)) repairSources(recordOf(entity), entities);
  const has = (name: Json | undefined): boolean =>
    typeof name === "string" && Object.hasOwn(entities, name);
  filterList(document, "relations", (relation) => {
    const { from, to, via } = recordOf(relation);
    return has(from) && has(to) && (via === undefined || has(via));
  });
  const patterns = recordOf(document.patterns);
  for (const [id, pattern] of Object.entries(patterns)) {
    if (!repairPattern(recordOf(pattern), entities)) delete patterns[id];
  }
  const workflows = recordOf(document.workflows);
  for (const [name, workflow] of Object.entries(workflows)) {
    const steps = recordOf(workflow);
    filterList(steps, "steps", (step) => Object.hasOwn(patterns, String(step)));
    if (steps.steps === undefined) delete workflows[name];
  }
  if (Object.keys(workflows).length === 0) delete document.workflows;
  return document;
}

function recordOf(value: Json | undefined): JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** Keeps some elements of a list; without any, the member goes. */
function filterList(parent: JsonRecord, name: string, keep: (element: Json) => boolean): void {
  const list = parent[name];
  if (!Array.isArray(list)) return;
  const kept = list.filter(keep);
  if (kept.length === 0) delete parent[name];
  else parent[name] = kept;
}

/** Keeps the members of a record that are attributes; a list is filtered, too. */
function filterNames(
  parent: JsonRecord,
  name: string,
  isKnown: (attribute: string) => boolean,
  canBeEmpty = false,
): void {
  const value = parent[name];
  if (Array.isArray(value)) filterList(parent, name, (one) => isKnown(String(one)));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  for (const attribute of Object.keys(value)) if (!isKnown(attribute)) delete value[attribute];
  if (Object.keys(value).length === 0 && !canBeEmpty) delete parent[name];
}

/** Whether there is still an id. */
function repairEntity(entity: JsonRecord): boolean {
  const attributes = recordOf(entity.attributes);
  filterList(entity, "id", (name) => Object.hasOwn(attributes, String(name)));
  if (!Object.hasOwn(attributes, String(entity.version))) delete entity.version;
  return entity.id !== undefined;
}

/** Copies and aggregates of what is no longer there become plain attributes. */
function repairSources(entity: JsonRecord, entities: JsonRecord): void {
  const isThere = (place: Json | undefined): boolean => {
    const [source = "", name] = String(place).split(".");
    const known = Object.hasOwn(entities, source) ? recordOf(entities[source]) : undefined;
    if (known === undefined) return false;
    return name === undefined || Object.hasOwn(recordOf(known.attributes), name);
  };
  for (const one of Object.values(recordOf(entity.attributes))) {
    const attribute = recordOf(one);
    if (attribute.copyOf !== undefined && !isThere(attribute.copyOf)) delete attribute.copyOf;
    if (attribute.refersTo !== undefined && !isThere(attribute.refersTo)) delete attribute.refersTo;
    const [kept] = Object.values(recordOf(attribute.keeps));
    if (attribute.keeps !== undefined && !isThere(kept)) delete attribute.keeps;
    if (attribute.copyOf === undefined && attribute.keeps === undefined) delete attribute.staleness;
  }
}

const actionKinds = ["read", "create", "update", "delete", "check"];

function entityOf(action: JsonRecord, entities: JsonRecord): JsonRecord | undefined {
  const kind = actionKinds.find((one) => action[one] !== undefined) ?? "";
  const name = String(action[kind]);
  return Object.hasOwn(entities, name) ? recordOf(entities[name]) : undefined;
}

/** Whether there is still something that the pattern does. */
function repairPattern(pattern: JsonRecord, entities: JsonRecord): boolean {
  const { transaction } = pattern;
  if (Array.isArray(transaction)) {
    filterList(pattern, "transaction", (step) => repairAction(recordOf(step), entities));
    if (pattern.transaction === undefined) return false;
  } else if (!repairAction(pattern, entities)) {
    return false;
  }
  const actions = Array.isArray(pattern.transaction) ? pattern.transaction : [pattern];
  const known = new Set(
    actions.flatMap((action) =>
      Object.keys(recordOf(entityOf(recordOf(action), entities)?.attributes)),
    ),
  );
  filterList(pattern, "scope", (name) => known.has(String(name)));
  if (!known.has(String(recordOf(pattern.skew).key))) delete pattern.skew;
  for (const member of ["together", "with"]) {
    filterList(pattern, member, (other) => repairOther(other, entities));
  }
  return true;
}

/** Another entity in the same answer or request. */
function repairOther(other: Json, entities: JsonRecord): boolean {
  if (typeof other === "string") return Object.hasOwn(entities, other);
  const record = recordOf(other);
  const name = String(record.entity);
  if (!Object.hasOwn(entities, name)) return false;
  const { attributes } = recordOf(entities[name]);
  const isKnown = (attribute: string): boolean => Object.hasOwn(recordOf(attributes), attribute);
  for (const member of ["where", "order", "returns"]) filterNames(record, member, isKnown);
  return true;
}

/** Whether the action is still one. */
function repairAction(action: JsonRecord, entities: JsonRecord): boolean {
  const entity = entityOf(action, entities);
  if (entity === undefined) return false;
  const attributes = recordOf(entity.attributes);
  const isKnown = (attribute: string): boolean => Object.hasOwn(attributes, attribute);
  filterNames(action, "where", isKnown, true);
  for (const member of ["order", "returns", "changes", "adds", "appends", "removes", "condition"]) {
    filterNames(action, member, isKnown);
  }
  if (action.condition === "version" && entity.version === undefined) delete action.condition;
  const effects = ["changes", "adds", "appends", "removes"];
  if (action.update !== undefined && effects.every((one) => action[one] === undefined))
    return false;
  return action.check === undefined || action.condition !== undefined;
}
