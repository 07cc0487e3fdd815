import type { AttributeValue, Item } from "../../item/attribute-value.ts";
import { addNumbers } from "../../item/number.ts";
import { attributesOf } from "../../model/key-text.ts";
import type { Attribute } from "../../model/requirements.ts";
import { touchedBy, type WriteAction, type WriteRequest } from "../plans/plan.ts";
import { isInside } from "../values/embedded.ts";
import { holdsPart, itemFor } from "../values/item-of.ts";
import type { EntityValues } from "../values/render-key.ts";
import { periodName, timeOf } from "../values/time-of.ts";
import { boundValue, combinationsOf, type Sources } from "./combinations.ts";
import { conditionText } from "./condition.ts";
import { Placeholders } from "./expression.ts";
import { givenAt, listedParameters, MissingValueError } from "./given.ts";
import { innerConditionText, innerUpdateSteps } from "./inner.ts";
import { type Found, type Run, send } from "./run.ts";
import { oneForEachItem } from "./same-item.ts";
import { keyOf } from "./stored-names.ts";
import { tableName } from "./table-requests.ts";
import { type CountStep, countSteps, updateExpression, updateSteps } from "./update.ts";

/** One item that a request writes, as the member of a transaction has it. */
export interface Member {
  readonly kind: "Put" | "Update" | "Delete" | "ConditionCheck";
  readonly input: { readonly TableName: string; readonly Item?: Item; readonly Key?: Item };
  /** It is only there so that no other item has a value. */
  readonly guards: boolean;
  /** What it adds to aggregates; such members of one item are one update. */
  readonly counts?: readonly CountStep[];
  /** The same member, as an update that adds to aggregates of its item, too. */
  readonly withCounts?: (counts: readonly CountStep[]) => Member["input"];
}

/** Carries out one write of a plan. */
export async function runWrite(run: Run, request: WriteRequest): Promise<void> {
  const members = request.actions.flatMap((action) => membersOf(run, action));
  if (members.length === 0) return;
  if (request.operation === "TransactWriteItems") {
    const single = oneForEachItem(members);
    const input = { TransactItems: single.map(({ kind, input: one }) => ({ [kind]: one })) };
    if (single.length > 0) await send(run, "TransactWriteItems", input);
    return;
  }
  if (request.operation === "BatchWriteItem") {
    for (let at = 0; at < members.length; at += 25) await batch(run, members.slice(at, at + 25));
    return;
  }
  for (const { kind, input } of members) await send(run, `${kind}Item`, input);
}

type Requests = Readonly<Record<string, readonly object[]>>;

async function batch(run: Run, members: readonly Member[]): Promise<void> {
  const requests = new Map<string, object[]>();
  for (const { kind, input } of members) {
    const one =
      kind === "Put" ? { PutRequest: { Item: input.Item } } : { DeleteRequest: { Key: input.Key } };
    requests.set(input.TableName, [...(requests.get(input.TableName) ?? []), one]);
  }
  let left: Requests | undefined = Object.fromEntries(requests);
  while (left !== undefined && Object.keys(left).length > 0) {
    const answer: { readonly UnprocessedItems?: Requests } = await send(run, "BatchWriteItem", {
      RequestItems: left,
    });
    left = answer.UnprocessedItems;
  }
}

/** What an action writes: one member for each item that is handed in, or for each combination of parameters. */
export function membersOf(run: Run, action: WriteAction): readonly Member[] {
  const items = run.given.items(action.of);
  const usesItem = [...action.bindings.values()].some(({ kind }) => kind === "item");
  const sources: readonly Sources[] =
    usesItem && items.length > 0
      ? items.map((item, at) => ({ given: run.given, results: run.results, item, at }))
      : [{ given: run.given, results: run.results }];
  return sources.flatMap((source) => membersFrom(run, action, source));
}

const kinds = {
  update: "Update",
  delete: "Delete",
  check: "ConditionCheck",
  put: "Put",
} as const;

function membersFrom(run: Run, action: WriteAction, sources: Sources): readonly Member[] {
  const { record, bindings, kind, changes } = action;
  const guards = record.role === "unique";
  if (kind === "put" && sources.item !== undefined) {
    return putOf(run, action, sources, sources.item);
  }
  const names = new Set(
    [...bindings].filter(([, binding]) => binding.kind !== "span").map(([name]) => name),
  );
  const needed = kind === "put" ? names : keyNames(action, names);
  return combinationsOf(record.entity, bindings, needed, [], sources).flatMap(
    ({ values, from, at }): readonly Member[] => {
      const own = sourcesAt(action, sources, at);
      if (kind === "put") {
        const old = from?.values ?? run.results.flat()[0]?.values ?? new Map();
        const after = changed(action, new Map([...old, ...values]), own, from);
        return putOf(run, action, own, after, from);
      }
      const key = keyOf(record, values, run.given.writing);
      // A part that an item does not have need not be looked for.
      if (key === undefined) {
        if (record.role !== "item") return [];
        throw new MissingValueError(`the key of ${record.name} is not known`);
      }
      if (kind === "update" && touchedBy(changes).size === 0) return [];
      const known = knownValues(action, values, own, from);
      const write = (counts: readonly CountStep[], isUpdate: boolean): Member["input"] => {
        const placeholders = new Placeholders();
        const update = isUpdate
          ? updateText(run, action, known, own, from, placeholders, counts)
          : undefined;
        const condition = conditionOf(action, own, from, placeholders);
        return {
          TableName: tableFor(action, known),
          Key: key,
          ...(update !== undefined && { UpdateExpression: update }),
          ...(condition !== undefined && { ConditionExpression: condition }),
          ...placeholders.members(),
        };
      };
      const isUpdate = kind === "update";
      const counts = action.counts === true ? countSteps(action, own, from) : undefined;
      const member = { kind: kinds[kind], input: write([], isUpdate), guards };
      if (kind === "delete") return [member];
      const withCounts = (more: readonly CountStep[]): Member["input"] => write(more, true);
      return [{ ...member, ...(counts === undefined ? { withCounts } : { counts }) }];
    },
  );
}

/** What one of several things is written with. */
function sourcesAt(
  { bindings, also }: WriteAction,
  sources: Sources,
  at: number | undefined,
): Sources {
  if (at === undefined) return sources;
  const equal = also.flatMap(({ operator, operands }) => (operator === "equals" ? operands : []));
  const listed = listedParameters(sources.given, [...bindings.values(), ...equal]);
  return { ...sources, at, given: givenAt(sources.given, listed, at) };
}

function conditionOf(
  action: WriteAction,
  sources: Sources,
  from: Found | undefined,
  placeholders: Placeholders,
): string | undefined {
  return action.inner === undefined
    ? conditionText(action, sources, from, placeholders)
    : innerConditionText(action, action.inner, sources, from, placeholders);
}

function updateText(
  run: Run,
  action: WriteAction,
  known: EntityValues,
  sources: Sources,
  from: Found | undefined,
  placeholders: Placeholders,
  counts: readonly CountStep[],
): string {
  const own =
    action.kind !== "update"
      ? []
      : action.inner === undefined
        ? updateSteps(action, known, sources, from, run)
        : innerUpdateSteps(action, action.inner, sources, from);
  return updateExpression([...own, ...counts], placeholders);
}

/** The attributes that the key of an item is made of. */
function keyNames({ record }: WriteAction, bound: ReadonlySet<string>): ReadonlySet<string> {
  const names = record.key.flatMap(({ text }) =>
    attributesOf(text).map(({ attribute }) => attribute),
  );
  return new Set(names.filter((name) => bound.has(name)));
}

function putOf(
  run: Run,
  action: WriteAction,
  sources: Sources,
  values: EntityValues,
  from?: Found,
): readonly Member[] {
  const { record } = action;
  if (record.role === "split" && !holdsPart(record, values)) {
    const key = action.replaces && keyOf(record, values, run.given.writing);
    if (key === undefined) return [];
    return [
      { kind: "Delete", input: { TableName: tableFor(action, values), Key: key }, guards: false },
    ];
  }
  const item = itemFor(record, values, run.given.writing, (inner) =>
    heldOf(run, action, inner, values),
  );
  if (item === undefined) {
    if (record.role === "item")
      throw new MissingValueError(`the key of ${record.name} is not known`);
    return [];
  }
  const placeholders = new Placeholders();
  const condition = conditionText(action, sources, from, placeholders);
  const input = {
    TableName: tableFor(action, values),
    Item: item,
    ...(condition !== undefined && { ConditionExpression: condition }),
    ...placeholders.members(),
  };
  return [{ kind: "Put", input, guards: record.role === "unique" }];
}

/** What is put with an item because it lies inside of it. */
function heldOf(
  run: Run,
  { holding = [] }: WriteAction,
  inner: string,
  values: EntityValues,
): readonly EntityValues[] {
  const held = holding.find(({ entity }) => entity.name === inner);
  if (held === undefined) return [];
  return run.given.items(inner).filter((one) => isInside(held, values, one));
}

/** All that is known of the item: bound values, and what was read before. */
function knownValues(
  { bindings, record }: WriteAction,
  values: EntityValues,
  sources: Sources,
  from: Found | undefined,
): EntityValues {
  const known = new Map(values);
  for (const [name, binding] of bindings) {
    const attribute = record.entity.attributes.get(name);
    if (attribute === undefined || known.has(name) || binding.kind === "span") continue;
    const value = boundValue(attribute, binding, sources, from);
    if (value !== undefined) known.set(name, value);
  }
  return known;
}

/** The values after a change, for items that are put anew. */
export function changed(
  { changes, record }: WriteAction,
  before: EntityValues,
  sources: Sources,
  from: Found | undefined,
): EntityValues {
  const after = new Map(before);
  const { attributes } = record.entity;
  for (const { attribute, to } of changes.sets) {
    const value = boundValue(attributes.get(attribute) as Attribute, to, sources, from);
    if (value !== undefined) after.set(attribute, value);
  }
  for (const { attribute, amount, by } of changes.adds) {
    const step = by && boundValue(attributes.get(attribute) as Attribute, by, sources, from);
    after.set(attribute, sumOf(after.get(attribute), amount, step));
  }
  for (const attribute of changes.removes) after.delete(attribute);
  return after;
}

/** A number and so often another one. */
export function sumOf(
  before: AttributeValue | undefined,
  amount: number,
  step: AttributeValue | undefined,
): AttributeValue {
  const start = before !== undefined && "N" in before ? before.N : "0";
  const by = step !== undefined && "N" in step ? signed(step.N, amount) : String(amount);
  const sum = addNumbers(start, by);
  if (typeof sum !== "string") throw new MissingValueError(`${start} and ${by} cannot be added`);
  return { N: sum };
}

/** Amounts beside a value are 1 or -1: it comes or goes. */
export function signed(number: string, amount: number): string {
  if (amount >= 0) return number;
  return number.startsWith("-") ? number.slice(1) : `-${number}`;
}

function tableFor({ record }: WriteAction, values: EntityValues): string {
  const { periods } = record.table;
  if (periods === undefined) return record.table.name;
  const attribute = record.entity.attributes.get(periods.attribute);
  const time = attribute && timeOf(attribute, values.get(periods.attribute));
  if (time === undefined)
    throw new MissingValueError(`${periods.attribute} tells the table, and is not known`);
  return tableName(record.table, periodName(periods.every, time));
}
