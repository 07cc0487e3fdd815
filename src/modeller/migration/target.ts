import type { Design, Index, KeyPart, Table } from "../../model/design.ts";
import type { Model } from "../../model/model.ts";
import { Facts } from "../facts.ts";
import { plansOf } from "../plans/planner.ts";
import { canMeet } from "../plans/structures.ts";
import type { StoredAttribute, StoredRecord } from "../records/record.ts";
import { type Naming, shapeOf } from "./naming.ts";
import type { NewName } from "./step.ts";

/** The new model as it can be built beside the old one: what is taken has another name. */
export interface Target {
  readonly model: Model;
  readonly newNames: readonly NewName[];
}

/**
 * Neither the key of a table nor that of an index can be changed, and a name is free only when its owner is gone. So
 * what differs there is made beside the old under another name.
 */
export function targetOf(old: Model, next: Model, naming: Naming): Target {
  const newNames: NewName[] = [];
  let model = next;
  const tables = old.design?.tables ?? new Map<string, Table>();
  const taken = new Set([...tables.keys(), ...(next.design?.tables.keys() ?? [])]);
  for (const table of next.design?.tables.values() ?? []) {
    const before = tables.get(table.name);
    if (before === undefined) continue;
    const why = tableReason(old, next, before, table, naming);
    if (why === undefined) continue;
    const name = freeName(table.name, "-", taken);
    taken.add(name);
    newNames.push({ table: table.name, index: undefined, name, why, attributes: new Map() });
    model = renamedTable(model, table.name, name);
  }
  for (const table of model.design?.tables.values() ?? []) {
    const before = tables.get(table.name);
    if (before === undefined) continue;
    const names = new Set([...before.indexes.keys(), ...table.indexes.keys()]);
    const attributes = new Set([...attributeNames(old, before), ...attributeNames(model, table)]);
    for (const index of table.indexes.values()) {
      const beside = before.indexes.get(index.name);
      const found =
        beside === undefined
          ? takenKeys(old, model, naming, table, index)
          : indexReason(naming, before, table, beside, index);
      if (found === undefined) continue;
      const name = beside === undefined ? index.name : freeName(index.name, "-", names);
      names.add(name);
      const renamed = new Map<string, string>();
      for (const made of found.remakes) {
        const other = freeName(made, "", attributes);
        attributes.add(other);
        renamed.set(made, other);
      }
      newNames.push({
        table: table.name,
        index: index.name,
        name,
        why: found.why,
        attributes: renamed,
      });
      model = renamedIndex(model, table.name, index.name, name, renamed);
    }
  }
  return { model, newNames };
}

function freeName(name: string, between: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) {
    const other = `${name}${between}${number}`;
    if (!taken.has(other)) return other;
  }
}

const keyText = ({ partition, sort }: Table): string =>
  JSON.stringify([partition, sort ?? null].map((one) => one && [one.name, one.type]));

/** Why a table has to be made anew. */
function tableReason(
  old: Model,
  next: Model,
  before: Table,
  table: Table,
  naming: Naming,
): string | undefined {
  if (keyText(before) !== keyText(table)) return "the key of a table cannot be changed";
  const local = ({ indexes }: Table): string =>
    JSON.stringify(
      [...indexes.values()]
        .filter((one) => one.local)
        .map((one) => [one.name, one.sort, one.projection])
        .toSorted(),
    );
  if (local(before) !== local(table)) {
    return "local indexes are made with their table and never after";
  }
  if (JSON.stringify(before.periods?.every) !== JSON.stringify(table.periods?.every)) {
    return "its periods are others, so every item lies in another table";
  }
  const [facts, nextFacts] = [Facts.of(old), Facts.of(next)];
  for (const record of facts.records) {
    if (record.table.name !== table.name) continue;
    const name = recordName(naming, record);
    const after = nextFacts.records.find(
      (one) => one.table.name === table.name && one.name === name,
    );
    if (after === undefined) continue;
    if (isRekeyed(naming, record, after)) {
      if (canStandBeside(facts, nextFacts, record, after)) continue;
      return `${record.name} gets another key, and readers of the one would meet items with the other`;
    }
    const clash = clashOf(naming, record, after);
    if (clash !== undefined)
      return `${clash} of ${record.name} means something else in the same item`;
  }
  return undefined;
}

/** What a kind of item is called in the new document. */
export function recordName(naming: Naming, { name, entity, role }: StoredRecord): string {
  const rest = name.slice(entity.name.length);
  const own = naming.newEntity(entity.name);
  if (role !== "unique") return own + rest;
  return `${own}.${naming.newAttribute(entity.name, rest.slice(1))}`;
}

export function isRekeyed(naming: Naming, before: StoredRecord, after: StoredRecord): boolean {
  return after.key.some(
    ({ text }, i) =>
      shapeOf(text) !==
      naming.keyShape(before.entity.name, before.key[i]?.text ?? { ...text, segments: [] }),
  );
}

/** Whether items under both keys can lie in one table without anybody reading the wrong ones. */
function canStandBeside(
  facts: Facts,
  next: Facts,
  before: StoredRecord,
  after: StoredRecord,
): boolean {
  const [one, other] = [before.key[0]?.text, after.key[0]?.text];
  if (one === undefined || other === undefined || canMeet(one, other)) return false;
  const indexes = new Set(before.memberships.map(({ index }) => index.name));
  if (after.memberships.some(({ index }) => indexes.has(index.name))) return false;
  return ![facts, next].some((all) =>
    [...plansOf(all).values()].some(({ requests }) =>
      requests.some(
        (request) =>
          request.kind === "read" &&
          request.operation === "Scan" &&
          request.table.name === before.table.name,
      ),
    ),
  );
}

/** An attribute that holds one thing before and another after; keys of indexes are looked at with their index. */
function clashOf(naming: Naming, before: StoredRecord, after: StoredRecord): string | undefined {
  for (const one of before.attributes) {
    const other = after.attributes.find(({ name }) => name === one.name);
    if (other === undefined || one.membership !== undefined || other.membership !== undefined)
      continue;
    if (contentOf(naming, before, one) !== contentOf(undefined, after, other)) return one.name;
  }
  return undefined;
}

/** What an attribute of an item holds, as a text that can be compared. */
export function contentOf(
  naming: Naming | undefined,
  { entity }: StoredRecord,
  { content }: StoredAttribute,
): string {
  switch (content.kind) {
    case "attribute": {
      const { name } = content.attribute;
      return `attribute ${naming?.newAttribute(entity.name, name) ?? name}`;
    }
    case "text":
      return `text ${content.text}`;
    case "embedded":
      return `entities ${naming?.newEntity(content.entity.name) ?? content.entity.name}${content.one ? " alone" : ""} by ${content.by ?? "place"}`;
    case "key": {
      const { native } = content.text;
      // A key that is an attribute alone holds what the attribute would.
      if (native !== undefined)
        return `attribute ${naming?.newAttribute(entity.name, native) ?? native}`;
      return `key ${naming?.keyShape(entity.name, content.text) ?? shapeOf(content.text)}`;
    }
  }
}

/** Why an index has to be made anew, and whether its keys need other attributes for it. */
function indexReason(
  naming: Naming,
  oldTable: Table,
  table: Table,
  before: Index,
  index: Index,
): { readonly why: string; readonly remakes: readonly string[] } | undefined {
  const attributes = (one: Index): string => JSON.stringify([one.partition, one.sort, one.local]);
  for (const member of index.members.values()) {
    const old = before.members.get(naming.oldEntity(member.entity));
    if (old === undefined) continue;
    const own = new Map(member.sets.map(({ attribute, text }) => [attribute, shapeOf(text)]));
    const theirs = old.sets.map(
      ({ attribute, text }) => [attribute, naming.keyShape(old.entity, text)] as const,
    );
    const known = new Map(theirs);
    const remade = [...own].filter(([name, shape]) => known.get(name) !== shape);
    if (remade.length > 0) {
      const remakes = remade.map(([name]) => name);
      return { why: `its key is made otherwise for ${member.entity}`, remakes };
    }
    if (JSON.stringify(member.only ?? []) !== JSON.stringify(old.only ?? [])) {
      return { why: `other ${member.entity} items are in it`, remakes: madeNames(index) };
    }
  }
  if (attributes(before) !== attributes(index)) {
    return { why: "the key of an index cannot be changed", remakes: [] };
  }
  if (projectionText(oldTable, before) !== projectionText(table, index)) {
    return { why: "what an index projects cannot be changed", remakes: [] };
  }
  return undefined;
}

/** A new index whose key attributes hold something else for the old indexes. */
function takenKeys(
  old: Model,
  next: Model,
  naming: Naming,
  table: Table,
  index: Index,
): { readonly why: string; readonly remakes: readonly string[] } | undefined {
  const isTaken = Facts.of(next).records.some((after) => {
    const made = after.attributes.filter(({ membership }) => membership === index.name);
    if (after.table.name !== table.name || made.length === 0) return false;
    const before = Facts.of(old).records.find(
      (one) => one.table.name === table.name && recordName(naming, one) === after.name,
    );
    return made.some((one) => {
      const other = before?.attributes.find(({ name }) => name === one.name);
      if (before === undefined || other === undefined) return false;
      return contentOf(naming, before, other) !== contentOf(undefined, after, one);
    });
  });
  return isTaken
    ? { why: "its key attributes are in use for another one", remakes: madeNames(index) }
    : undefined;
}

/** What is projected, by the names in the table. */
export function projectionText({ placements }: Table, { projection }: Index): string {
  if (typeof projection === "string") return projection;
  const stored = projection.flatMap((name) => {
    const names = [...placements.values()].map((one) => one.names.get(name) ?? name);
    return names.length === 0 ? [name] : names;
  });
  return JSON.stringify([...new Set(stored)].toSorted());
}

function madeNames(index: Index): readonly string[] {
  const names = [...index.members.values()].flatMap(({ sets }) =>
    sets.map(({ attribute }) => attribute),
  );
  return [...new Set(names)];
}

/** All names that items of a table have. */
function attributeNames(model: Model, table: Table): readonly string[] {
  return Facts.of(model)
    .records.filter((one) => one.table.name === table.name)
    .flatMap(({ attributes }) => attributes.map(({ name }) => name));
}

function withDesign(model: Model, change: (design: Design) => Design): Model {
  return model.design === undefined ? model : { ...model, design: change(model.design) };
}

function renamedTable(model: Model, from: string, to: string): Model {
  const named = (name: string): string => (name === from ? to : name);
  return withDesign(model, (design) => ({
    ...design,
    tables: new Map(
      [...design.tables].map(([name, table]) => [
        named(name),
        {
          ...table,
          name: named(name),
          unique: table.unique.map((one) => ({ ...one, table: named(one.table) })),
        },
      ]),
    ),
    plans: new Map(
      [...design.plans].map(([id, steps]) => [
        id,
        steps.map((step) => ({ ...step, table: step.table && named(step.table) })),
      ]),
    ),
  }));
}

function renamedIndex(
  model: Model,
  table: string,
  from: string,
  to: string,
  attributes: ReadonlyMap<string, string>,
): Model {
  const other = (name: string): string => attributes.get(name) ?? name;
  const keys = (list: Index["partition"]): Index["partition"] =>
    list.map((key) => ({ ...key, name: other(key.name) }));
  const parts = (list: readonly KeyPart[]): readonly KeyPart[] =>
    list.map((part) => ({ ...part, attribute: other(part.attribute) }));
  const renamed = (index: Index): Index => ({
    ...index,
    name: to,
    partition: keys(index.partition),
    sort: keys(index.sort),
    members: new Map(
      [...index.members].map(([name, member]) => [name, { ...member, sets: parts(member.sets) }]),
    ),
  });
  return withDesign(model, (design) => {
    const before = design.tables.get(table) as Table;
    const indexes = new Map(
      [...before.indexes].map(([name, index]) =>
        name === from ? [to, renamed(index)] : [name, index],
      ),
    );
    return {
      ...design,
      tables: new Map(
        [...design.tables].map(([name, one]) => [name, name === table ? { ...one, indexes } : one]),
      ),
      plans: new Map(
        [...design.plans].map(([id, steps]) => [
          id,
          steps.map((step) =>
            step.table === table && step.index === from
              ? { ...step, index: to, key: parts(step.key) }
              : step,
          ),
        ]),
      ),
    };
  });
}
