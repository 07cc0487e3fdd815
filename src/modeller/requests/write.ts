import type { Item, KeyValue } from "../../item/attribute-value.ts";
import { equalValues } from "../../item/compare.ts";
import { needsItem, touchedBy, type WriteAction, type WriteRequest } from "../plans/plan.ts";
import { keyAttributes } from "../plans/stored-changes.ts";
import { isInside } from "../values/embedded.ts";
import { holdsPart, itemFor, periodOf } from "../values/item-of.ts";
import type { EntityValues } from "../values/render-key.ts";
import { boundValue, combinationsOf, listedIn, resultFor, type Sources } from "./combinations.ts";
import { conditionText } from "./condition.ts";
import { comparedLists, givenAt, MissingValueError } from "./given.ts";
import {
  type Added,
  checkedOnly,
  inputOf,
  type Member,
  oneForEachItem,
  summed,
} from "./members.ts";
import { type Found, type Run, send, sendAll } from "./run.ts";
import { keyIn, keyOf } from "./stored-names.ts";
import { tableName } from "./table-requests.ts";
import { addedBy, changed, updateSteps } from "./update.ts";

/** Carries out one write of a plan. */
export async function runWrite(run: Run, request: WriteRequest): Promise<void> {
  const isAtomic = request.operation === "TransactWriteItems";
  if (request.actions.some((action) => isMissing(run, action, isAtomic))) return;
  const members = request.actions.flatMap((action) => membersOf(run, action));
  if (members.length === 0 || members.some(({ isGone }) => isGone)) return;
  if (isAtomic) {
    const all = oneForEachItem(members);
    const input = { TransactItems: all.map((one) => ({ [one.kind]: inputOf(one) })) };
    if (all.length > 0) await send(run, "TransactWriteItems", input);
    return;
  }
  if (request.operation === "BatchWriteItem") {
    for (let at = 0; at < members.length; at += 25) await batch(run, members.slice(at, at + 25));
    return;
  }
  for (const member of members) await send(run, `${member.kind}Item`, inputOf(member));
}

async function batch(run: Run, members: readonly Member[]): Promise<void> {
  const requests = new Map<string, object[]>();
  for (const { table, key, item } of members) {
    const one =
      item === undefined ? { DeleteRequest: { Key: key } } : { PutRequest: { Item: item } };
    requests.set(table, [...(requests.get(table) ?? []), one]);
  }
  await sendAll(run, "BatchWriteItem", Object.fromEntries(requests));
}

/** What an action writes: one member for each item that is handed in, or for each combination of parameters. */
function membersOf(run: Run, action: WriteAction): readonly Member[] {
  const items = run.given.items(action.of);
  const usesItem = [...action.bindings.values()].some(({ kind }) => kind === "item");
  const sources: readonly Sources[] =
    usesItem && items.length > 0
      ? items.map((item, at) => ({ given: run.given, results: run.results, item, at }))
      : [{ given: run.given, results: run.results }];
  const members = sources.flatMap((source) => membersFrom(run, action, source));
  if (action.kind !== "check") return members;
  // Several things may share what is checked, and the same check is sent once.
  return [...new Map(members.map((one) => [JSON.stringify(inputOf(one)), one])).values()];
}

const kinds = {
  update: "Update",
  delete: "Delete",
  check: "ConditionCheck",
  put: "Put",
} as const;

function membersFrom(run: Run, action: WriteAction, sources: Sources): readonly Member[] {
  const { record, bindings, kind, changes } = action;
  if (kind === "put" && sources.item !== undefined) {
    return putOf(action, sources, sources.item);
  }
  const all = [...bindings].filter(([, binding]) => binding.kind !== "span");
  const needed = kind === "put" ? new Set(all.map(([name]) => name)) : keyNames(action);
  return combinationsOf(record.entity, bindings, needed, [], sources).flatMap(
    ({ values, from, at }): readonly Member[] => {
      const named = { ...sourcesAt(action, sources, at), from };
      if (kind === "put") return putOf(action, named, changed(action, values, named));
      const key = keyOf(record, values, run.given.writing);
      if (key === undefined) return unknownKey(action);
      const own = { ...named, before: rowBefore(run, action, key) };
      if (kind === "update" && touchedBy(changes).size === 0) return [];
      const known = knownValues(action, values, own);
      // What lacks a part of its link belongs to nothing.
      if (action.equal?.some((name) => !known.has(name))) return [];
      const member = {
        ...memberOf(action, own, known, key),
        kind: kinds[kind],
        ...(record.role === "unique" && uniqueItem(action, known, run)),
      };
      // The new values of what is not there are not known, and nothing is sent.
      if (isGone(action, own)) return [{ ...member, isGone: true }];
      const isCount = action.counts === true;
      if (kind === "check" && isCount) {
        return [{ ...member, counts: { added: new Map(), steps: () => [] } }];
      }
      if (kind !== "update") return [member];
      if (!isCount) return [checkedOnly({ ...member, steps: updateSteps(action, known, own) })];
      const steps = (added: Added) =>
        added.size === 0 ? [] : updateSteps(action, known, own, added);
      return [checkedOnly({ ...member, counts: { added: summed(addedBy(action, own)), steps } })];
    },
  );
}

/** What all members for an action have. */
function memberOf(
  action: WriteAction,
  sources: Sources,
  known: EntityValues,
  key: Item,
): Omit<Member, "kind"> {
  return {
    table: tableFor(action, known),
    key,
    steps: [],
    condition: (placeholders) => conditionText(action, sources, known, placeholders),
    guards: action.record.role === "unique",
    isStated: action.because === undefined,
  };
}

/** Whether items that an action names must be there, and were looked up in vain: one of them, or all if each is written by itself. */
function isMissing(
  { given, results }: Run,
  { mustBeFound, record, bindings }: WriteAction,
  isAtomic: boolean,
): boolean {
  if (mustBeFound === undefined) return false;
  const looked = keyAttributes(record)
    .map((name) => bindings.get(name))
    .find((one) => one?.kind === "result");
  if (looked?.kind !== "result") return false;
  const rows = results[looked.request] ?? [];
  const lists = listedIn(given, mustBeFound).map((name) => given.parameters.get(name)?.length ?? 0);
  const places = new Set(rows.flatMap(({ at }) => at ?? []));
  const isPart = places.size > 0 && places.size < Math.min(...lists);
  return rows.length === 0 || (isAtomic && isPart);
}

/** Whether the read before a write has found nothing, and the write must find something: then nothing is sent. */
function isGone(action: WriteAction, sources: Sources): boolean {
  const { asRead } = action;
  return needsItem(action) && asRead !== undefined && !resultFor(sources, asRead.request);
}

/** What the read before a write brought for a key. */
function rowBefore({ results }: Run, { asRead, record }: WriteAction, key: Item) {
  if (asRead === undefined) return undefined;
  const { request } = asRead;
  const isHere = ({ item }: Found): boolean =>
    Object.entries(key).every(([name, value]) => equalValues(value, item[name] as KeyValue));
  return {
    request,
    row: results[request]?.find((one) => one.record.name === record.name && isHere(one)),
  };
}

/** The unique item that is deleted, as far as its owner is known. */
function uniqueItem({ record }: WriteAction, known: EntityValues, run: Run): Pick<Member, "item"> {
  const item = itemFor(record, known, run.given.writing);
  return item === undefined ? {} : { item };
}

/** A part or an aggregate that an entity does not have is not written. */
function unknownKey({ record, counts }: WriteAction): readonly Member[] {
  if (record.role !== "item" || counts === true) return [];
  throw new MissingValueError(`the key of ${record.name} is not known`);
}

/** What one of several things is written with. */
function sourcesAt(
  { bindings, also }: WriteAction,
  sources: Sources,
  at: number | undefined,
): Sources {
  if (at === undefined) return sources;
  const { given } = sources;
  const listed = [...listedIn(given, bindings), ...comparedLists(given, also)];
  return { ...sources, at, given: givenAt(given, listed, at) };
}

/**
 * The attributes that the key of an item is made of. A companion is written for each own item that was found, so it needs
 * something that the read brought even if its key is known without.
 */
function keyNames({ record, bindings }: WriteAction): ReadonlySet<string> {
  const names = keyAttributes(record).filter((name) => {
    const binding = bindings.get(name);
    return binding !== undefined && binding.kind !== "span";
  });
  const found = [...bindings].find(([, { kind }]) => kind === "result")?.[0];
  return new Set(record.role === "item" || found === undefined ? names : [...names, found]);
}

function putOf(action: WriteAction, sources: Sources, values: EntityValues): readonly Member[] {
  const { record, replaces, holding = [] } = action;
  const { writing, items } = sources.given;
  const isEmpty = record.role === "split" && !holdsPart(record, values);
  if (isEmpty && replaces === undefined) return [];
  // What lies inside of an item is put with it.
  const item = itemFor(record, values, writing, (inner) => {
    const held = holding.find(({ entity }) => entity.name === inner);
    return held === undefined ? [] : items(inner).filter((one) => isInside(held, values, one));
  });
  if (item === undefined) return unknownKey(action);
  const member = memberOf(action, sources, values, keyIn(record, item));
  // A part without attributes is not stored, and an older one goes.
  return [isEmpty ? { ...member, kind: "Delete" } : { ...member, kind: "Put", item }];
}

/** All that is known of the item: bound values, and what was read before. */
function knownValues(
  { bindings, record }: WriteAction,
  values: EntityValues,
  sources: Sources,
): EntityValues {
  const known = new Map(values);
  for (const [name, binding] of bindings) {
    const attribute = record.entity.attributes.get(name);
    if (attribute === undefined || known.has(name) || binding.kind === "span") continue;
    const value = boundValue(attribute, binding, sources);
    if (value !== undefined) known.set(name, value);
  }
  return known;
}

function tableFor({ record: { table, entity } }: WriteAction, values: EntityValues): string {
  const { periods } = table;
  const period = periodOf(table, entity, values);
  if (periods === undefined || period !== undefined) return tableName(table, period);
  throw new MissingValueError(`${periods.attribute} tells the table, and is not known`);
}
