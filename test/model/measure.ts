import { plain } from "../../src/api/response-json.ts";
import { ManualClock } from "../../src/base/clock.ts";
import type { SeededRandom } from "../../src/base/random.ts";
import type { AttributeValue, Item } from "../../src/item/attribute-value.ts";
import type { Model } from "../../src/model/model.ts";
import type { Predicate } from "../../src/model/requirements.ts";
import type { Facts } from "../../src/modeller/facts.ts";
import {
  type Plan,
  type ReadRequest,
  touchedBy,
  type WriteAction,
  type WriteRequest,
} from "../../src/modeller/plans/plan.ts";
import type { StoredRecord } from "../../src/modeller/records/record.ts";
import { type Given, passes } from "../../src/modeller/requests/given.ts";
import { kindOf } from "../../src/modeller/requests/kinds.ts";
import type { Execute } from "../../src/modeller/requests/run.ts";
import type { ByteDistribution } from "../../src/modeller/sizes/distribution.ts";
import { readUnitsOf } from "../../src/modeller/units/read-units.ts";
import { writeUnitsOf } from "../../src/modeller/units/write-units.ts";
import type { EntityValues } from "../../src/modeller/values/render-key.ts";
import { type Sample, type SampleOptions, sampleOf } from "../../src/modeller/values/sample.ts";
import { currentPeriods } from "../../src/modeller/values/time-of.ts";
import { sharedCaller } from "../../src/workbench/account.ts";
import { makeModelTables } from "../../src/workbench/model-tables.ts";
import { openWorkbench } from "../../src/workbench/workbench.ts";

export const now = Date.UTC(2026, 10, 16, 12);

interface Sent {
  readonly operation: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly answer: Readonly<Record<string, unknown>>;
}

export interface Served {
  readonly sample: Sample;
  readonly execute: Execute;
  /** What was sent since the last look, with its answers. */
  sent(): readonly Sent[];
  readonly periods: (table: string) => readonly string[];
  close(): Promise<void>;
}

/** An engine with the sample data of a model, which keeps what is sent to it. */
export async function serve(model: Model, sample: Omit<SampleOptions, "now">): Promise<Served> {
  const workbench = await openWorkbench({ clock: new ManualClock(now) });
  await makeModelTables(workbench, model, sharedCaller, { now, sample });
  let log: Sent[] = [];
  return {
    sample: sampleOf(model, { now, ...sample }),
    execute: async (operation, request) => {
      const answer = plain(await workbench.execute(operation, request, sharedCaller)) as object;
      log.push({ operation, request: { ...request }, answer: { ...answer } });
      return answer;
    },
    sent: () => {
      const all = log;
      log = [];
      return all;
    },
    periods: (table) => {
      const every = model.design?.tables.get(table)?.periods?.every;
      return every === undefined ? [] : currentPeriods(every, now);
    },
    close: () => workbench.close(),
  };
}

/** Units by table and index, without the periods of tables. */
export type Arms = ReadonlyMap<string, number>;

interface Reported {
  readonly TableName: string;
  readonly Table?: { readonly CapacityUnits: number };
  readonly GlobalSecondaryIndexes?: Readonly<Record<string, { readonly CapacityUnits: number }>>;
  readonly LocalSecondaryIndexes?: Readonly<Record<string, { readonly CapacityUnits: number }>>;
}

const baseName = (facts: Facts, name: string): string => {
  const tables = [...(facts.model.design?.tables.values() ?? [])];
  const found = tables.find(
    (table) => table.name === name || (table.periods && name.startsWith(`${table.name}-`)),
  );
  return found?.name ?? name;
};

/** The units that the engine has told. */
export function measuredArms(facts: Facts, sent: readonly Sent[], only: "read" | "write"): Arms {
  const arms = new Map<string, number>();
  const add = (name: string, units = 0): void => {
    if (units > 0) arms.set(name, (arms.get(name) ?? 0) + units);
  };
  for (const { operation, answer } of sent) {
    if (/Get|Query|Scan/.test(operation) !== (only === "read")) continue;
    for (const one of ([answer.ConsumedCapacity ?? []] as Reported[][]).flat()) {
      const table = baseName(facts, one.TableName);
      add(table, one.Table?.CapacityUnits);
      for (const indexes of [one.GlobalSecondaryIndexes, one.LocalSecondaryIndexes]) {
        for (const [index, units] of Object.entries(indexes ?? {})) {
          add(`${table}.${index}`, units.CapacityUnits);
        }
      }
    }
  }
  return arms;
}

export interface Estimate {
  readonly arms: Arms;
  /** All sizes that matter are known to the step of units that they lie in. */
  readonly exact: boolean;
}

const readStep = 4_096;

/** What the estimate says of reads, for what they have really found: call by call. */
export function estimatedReads(facts: Facts, plan: Plan, sent: readonly Sent[]): Estimate {
  const arms = new Map<string, number>();
  let exact = true;
  for (const { operation, request, answer } of sent) {
    if (!/Get|Query|Scan/.test(operation)) continue;
    for (const { table, keys, items, unseen } of looksOf(operation, request, answer)) {
      const name = baseName(facts, table);
      const planned = plan.requests.find(
        (one): one is ReadRequest =>
          one.kind === "read" &&
          one.operation === operation &&
          one.table.name === name &&
          one.index?.name === request.IndexName,
      );
      if (planned === undefined) throw new Error(`${operation} of ${name} is not in the plan`);
      const here = facts.records.filter((record) => record.table.name === name);
      const counts = new Map<StoredRecord, number>();
      const count = (record: StoredRecord, more: number): void => {
        if (more > 0) counts.set(record, (counts.get(record) ?? 0) + more);
      };
      for (const item of items) count(kindOf(item, here) ?? planned.record, 1);
      count(planned.record, unseen);
      const isRange = operation === "Query" || operation === "Scan";
      const groups: readonly (readonly [StoredRecord, number])[][] = isRange
        ? [[...counts]]
        : [...counts].map((one) => [one]);
      for (const group of groups) {
        const evaluated = group.map(([record, found]) => ({ record, count: found }));
        const calls = isRange ? 1 : evaluated.reduce((sum, one) => sum + one.count, 0);
        const expected = { ...planned.expected, calls, evaluated };
        const units = readUnitsOf(facts, { ...planned, fetches: false, expected });
        arms.set(armName(planned), (arms.get(armName(planned)) ?? 0) + units.own);
        const sizes = group.map(([record]) => sizeIn(facts, planned, record));
        if (!sizes.every((size) => size !== undefined && isSure(size, isRange))) exact = false;
      }
      // A key without an item takes what the smallest item does.
      const missing = Math.max(0, keys - items.length);
      if (missing > 0) {
        const one = [{ record: planned.record, count: 0 }];
        const expected = { ...planned.expected, calls: missing, evaluated: one };
        const { own } = readUnitsOf(facts, { ...planned, expected });
        arms.set(armName(planned), (arms.get(armName(planned)) ?? 0) + own);
      }
    }
  }
  return { arms, exact };
}

const armName = ({ table, index }: Pick<ReadRequest, "table" | "index">): string =>
  index === undefined ? table.name : `${table.name}.${index.name}`;

function isSure(size: ByteDistribution, isRange: boolean): boolean {
  if (size.min === size.max) return true;
  return !isRange && Math.ceil(size.min / readStep) === Math.ceil(size.max / readStep);
}

function sizeIn(
  facts: Facts,
  { index }: ReadRequest,
  record: StoredRecord,
): ByteDistribution | undefined {
  const membership = record.memberships.find((one) => one.index === index);
  return index === undefined || membership === undefined
    ? facts.sizes.item(record)
    : facts.sizes.entry(record, membership);
}

interface Look {
  readonly table: string;
  readonly keys: number;
  readonly items: readonly Item[];
  /** Items that were read and thrown away. */
  readonly unseen: number;
}

/** What a call has looked at, table by table. */
function looksOf(
  operation: string,
  request: Sent["request"],
  answer: Sent["answer"],
): readonly Look[] {
  const table = String(request.TableName);
  if (operation === "GetItem") {
    const items = answer.Item === undefined ? [] : [answer.Item as Item];
    return [{ table, keys: 1, items, unseen: 0 }];
  }
  if (operation === "BatchGetItem") {
    const asked = request.RequestItems as Readonly<
      Record<string, { readonly Keys: readonly Item[] }>
    >;
    const found = answer.Responses as Readonly<Record<string, readonly Item[]>>;
    return Object.entries(asked).map(([name, { Keys }]) => ({
      table: name,
      keys: Keys.length,
      items: found[name] ?? [],
      unseen: 0,
    }));
  }
  if (operation === "TransactGetItems") {
    const asked = request.TransactItems as readonly {
      readonly Get: { readonly TableName: string };
    }[];
    const found = answer.Responses as readonly { readonly Item?: Item }[];
    return asked.map(({ Get }, i) => ({
      table: Get.TableName,
      keys: 1,
      items: found[i]?.Item === undefined ? [] : [found[i].Item],
      unseen: 0,
    }));
  }
  const items = answer.Items as readonly Item[];
  const unseen = Number(answer.ScannedCount) - items.length;
  return [{ table, keys: 0, items, unseen }];
}

const kinds = { put: "Put", update: "Update", delete: "Delete", check: "ConditionCheck" } as const;

/** What the estimate says of writes, for as many items as there really were. */
export function estimatedWrites(
  facts: Facts,
  plan: Plan,
  sent: readonly Sent[],
  given: Given,
  targets: readonly EntityValues[],
): Estimate {
  const parts = sent.flatMap(({ operation, request }) => partsOf(operation, request));
  const arms = new Map<string, number>();
  let exact = true;
  const add = (name: string, units: number): void => {
    if (units > 0) arms.set(name, (arms.get(name) ?? 0) + units);
  };
  for (const request of plan.requests) {
    if (request.kind !== "write") continue;
    const actions = request.actions.map((action) => ({
      ...known(plan, action, given, targets),
      count: countOf(facts, action, request, parts),
    }));
    for (const { action, table, indexes } of writeUnitsOf(facts, { ...request, actions })) {
      if (action.count === 0) continue;
      const { name } = action.record.table;
      add(name, table);
      const size = facts.sizes.item(action.record);
      if (size === undefined || Math.ceil(size.min / 1_024) !== Math.ceil(size.max / 1_024))
        exact = false;
      for (const { membership, units } of indexes) {
        add(`${name}.${membership.index.name}`, units);
        const entry = facts.sizes.entry(action.record, membership);
        const isWhole = facts.shareIn(action.record.entity, membership).value === 1;
        if (
          !isWhole ||
          entry === undefined ||
          Math.ceil(entry.min / 1_024) !== Math.ceil(entry.max / 1_024)
        ) {
          exact = false;
        }
      }
    }
  }
  return { arms, exact };
}

/** An action with what a run of it has found and set, where that decides whether an item is in an index. */
function known(
  plan: Plan,
  action: WriteAction,
  given: Given,
  targets: readonly EntityValues[],
): WriteAction {
  if (action.kind !== "update") return action;
  const { record, changes, condition } = action;
  const deciding = new Set(
    record.memberships.flatMap(({ only }) => only.map(({ attribute }) => attribute)),
  );
  const touched = [...touchedBy(changes)].filter((name) => deciding.has(name));
  if (touched.length === 0) return action;
  const asked = plan.pattern.actions.find(({ entity }) => entity === action.of);
  const target = targets.find((one) =>
    passes(given, record.entity.attributes, asked?.where ?? [], one),
  );
  const also = touched.flatMap((attribute): Predicate[] => {
    const value = constantOf(target?.get(attribute));
    if (value === undefined) return [];
    const operands = [{ kind: "constant", value } as const];
    return [{ attribute, operator: "equals", operands, exists: true }];
  });
  const sets = changes.sets.map((one) => {
    const { to, attribute } = one;
    const value =
      to.kind === "parameter" ? constantOf(given.parameters.get(to.name)?.[0]) : undefined;
    return value === undefined || !touched.includes(attribute)
      ? one
      : { attribute, to: { kind: "constant", value } as const };
  });
  const told = condition?.kind === "where" ? undefined : condition;
  return { ...action, also, condition: told, changes: { ...changes, sets } };
}

function constantOf(value: AttributeValue | undefined): string | number | boolean | undefined {
  if (value === undefined) return undefined;
  if ("S" in value) return value.S;
  if ("N" in value) return Number(value.N);
  return "BOOL" in value ? value.BOOL : undefined;
}

interface Part {
  readonly kind: string;
  readonly table: string;
  readonly item: Item;
}

function countOf(
  facts: Facts,
  action: WriteAction,
  { actions }: WriteRequest,
  parts: readonly Part[],
): number {
  const { table } = action.record;
  const here = facts.records.filter((record) => record.table === table);
  const own = parts.filter(
    ({ kind, table: name, item }) =>
      kind === kinds[action.kind] &&
      baseName(facts, name) === table.name &&
      kindOf(item, here) === action.record,
  );
  const alike = actions.filter((one) => one.kind === action.kind && one.record === action.record);
  return own.length / alike.length;
}

interface Named {
  readonly TableName: string;
  readonly Item?: Item;
  readonly Key?: Item;
}

function partsOf(operation: string, request: Sent["request"]): readonly Part[] {
  const part = (
    kind: string,
    table: unknown,
    members: { readonly Item?: Item; readonly Key?: Item },
  ): Part => ({
    kind,
    table: String(table),
    item: members.Item ?? members.Key ?? {},
  });
  if (["PutItem", "UpdateItem", "DeleteItem"].includes(operation)) {
    return [part(operation.slice(0, -4), request.TableName, request)];
  }
  if (operation === "TransactWriteItems") {
    const items = request.TransactItems as readonly Readonly<Record<string, Named>>[];
    return items.flatMap((one) =>
      Object.entries(one).map(([kind, members]) => part(kind, members.TableName, members)),
    );
  }
  if (operation !== "BatchWriteItem") return [];
  const tables = request.RequestItems as Readonly<
    Record<
      string,
      readonly Readonly<Record<string, { readonly Item?: Item; readonly Key?: Item }>>[]
    >
  >;
  return Object.entries(tables).flatMap(([table, list]) =>
    list.flatMap((one) =>
      Object.entries(one).map(([kind, members]) =>
        part(kind.replace("Request", ""), table, members),
      ),
    ),
  );
}

/** Other values than there are, for what a pattern changes: to set what is there already is no change. */
export function realChanges(
  plan: Plan,
  facts: Facts,
  given: Given,
  targets: readonly EntityValues[],
  random: SeededRandom,
): Given["parameters"] {
  const drawn = new Map(given.parameters);
  for (const action of plan.pattern.actions) {
    const entity = facts.model.entities.get(action.entity);
    const target = targets.find((one) =>
      passes(given, entity?.attributes ?? new Map(), action.where, one),
    );
    for (const { attribute, to } of action.changes) {
      const values = entity?.attributes.get(attribute)?.values;
      if (to.kind !== "parameter" || values === undefined) continue;
      const before = Object.values(target?.get(attribute) ?? {})[0];
      const others = values.filter(({ value }) => String(value) !== before);
      const text = String(others[random.below(others.length)]?.value);
      drawn.set(to.name, [typeof values[0]?.value === "number" ? { N: text } : { S: text }]);
    }
    // A value that has to be greater than a parameter is not greater than itself.
    const { condition } = action;
    for (const { operator, operands } of condition?.kind === "where" ? condition.predicates : []) {
      const [operand] = operands;
      const step = operator === "greater" ? -1 : operator === "less" ? 1 : 0;
      const [value] = operand?.kind === "parameter" ? (drawn.get(operand.name) ?? []) : [];
      if (operand?.kind !== "parameter" || step === 0 || value === undefined) continue;
      if ("N" in value) drawn.set(operand.name, [{ N: String(Number(value.N) + step) }]);
    }
  }
  return drawn;
}
