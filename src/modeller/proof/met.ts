import type { Item } from "../../item/attribute-value.ts";
import type { Facts } from "../facts.ts";
import {
  type Plan,
  type PlannedRequest,
  type ReadRequest,
  structureName,
  type WriteAction,
  type WriteRequest,
} from "../plans/plan.ts";
import type { StoredRecord } from "../records/record.ts";
import { kindOf } from "../requests/kinds.ts";
import { estimateRequest } from "../units/estimate.ts";

/** A request that was sent, and what came. */
export interface Sent {
  readonly operation: string;
  readonly request: object;
  readonly answer: object;
}

/**
 * Units by table and index for as many items as runs have really met, each as large as the model says: what the
 * estimate would be if the model were as small as the data of a trial.
 */
export function estimateMet(
  facts: Facts,
  plan: Plan,
  runs: readonly (readonly Sent[])[],
): ReadonlyMap<string, number> {
  const arms = new Map<string, number>();
  const add = (requests: readonly PlannedRequest[]): void => {
    for (const request of requests) {
      for (const { table, index, read, write } of estimateRequest(facts, request).arms) {
        const name = structureName(table, index);
        arms.set(name, (arms.get(name) ?? 0) + read + write);
      }
    }
  };
  const sent = runs.flat();
  const count = Math.max(1, runs.length);
  for (const request of plan.requests) {
    add(
      request.kind === "read"
        ? readMet(facts, request, sent, count)
        : [writeMet(facts, request, sent, count)],
    );
  }
  return arms;
}

/** The same read for what it found on average, and for the keys under which nothing was. */
function readMet(
  facts: Facts,
  request: ReadRequest,
  sent: readonly Sent[],
  runs: number,
): readonly ReadRequest[] {
  const { operation, index, expected, record } = request;
  const here = facts.records.filter(({ table }) => table === request.table);
  const counts = new Map<StoredRecord, number>();
  const found = { calls: 0, missing: 0 };
  for (const one of sent) {
    if (one.operation !== operation) continue;
    const look = lookOf(one, facts, request.table.name, index?.name);
    if (look === undefined) continue;
    const all = look.items.map((item) => kindOf(item, here) ?? record);
    // Several requests may ask for keys of one table: each has its own kind.
    const kinds = look.isRange ? all : all.filter((kind) => kind === record);
    const keys = look.keys.filter((key) => kindOf(key, here) === record);
    found.calls += look.isRange ? 1 : kinds.length;
    found.missing += Math.max(0, keys.length - kinds.length);
    for (const kind of [...kinds, ...Array.from({ length: look.unseen }, () => record)]) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  }
  const part = (calls: number, evaluated: ReadRequest["expected"]["evaluated"]): ReadRequest => ({
    ...request,
    expected: { ...expected, calls: calls / runs, evaluated },
  });
  const evaluated = [...counts].map(([kind, all]) => ({ record: kind, count: all / runs }));
  return [
    ...(found.calls > 0 ? [part(found.calls, evaluated)] : []),
    ...(found.missing > 0 ? [part(found.missing, [{ record, count: 0 }])] : []),
  ];
}

interface Look {
  readonly isRange: boolean;
  readonly keys: readonly Item[];
  readonly items: readonly Item[];
  /** Items that were read and thrown away. */
  readonly unseen: number;
}

/** What a call has looked at in one table or index; nothing if it was about others. */
function lookOf(
  { operation, request, answer }: Sent,
  facts: Facts,
  table: string,
  index: string | undefined,
): Look | undefined {
  const asked = request as Fields;
  const came = answer as Fields;
  const isHere = (name: unknown): boolean => baseName(facts, String(name)) === table;
  const byKeys = (keys: readonly Item[], items: readonly Item[]): Look => ({
    isRange: false,
    keys,
    items,
    unseen: 0,
  });
  if (operation === "GetItem") {
    const items = came.Item === undefined ? [] : [came.Item as Item];
    return isHere(asked.TableName) ? byKeys([asked.Key as Item], items) : undefined;
  }
  if (operation === "BatchGetItem") {
    const names = Object.keys(asked.RequestItems as object).filter(isHere);
    const lists = asked.RequestItems as Readonly<
      Record<string, { readonly Keys: readonly Item[] }>
    >;
    const found = came.Responses as Readonly<Record<string, readonly Item[]>>;
    const keys = names.flatMap((name) => lists[name]?.Keys ?? []);
    return byKeys(
      keys,
      names.flatMap((name) => found[name] ?? []),
    );
  }
  if (operation === "TransactGetItems") {
    const gets = asked.TransactItems as readonly { readonly Get: Fields }[];
    const found = came.Responses as readonly { readonly Item?: Item }[];
    const own = gets.flatMap(({ Get }, i) =>
      isHere(Get.TableName) ? [{ key: Get.Key as Item, item: found[i]?.Item }] : [],
    );
    return byKeys(
      own.map(({ key }) => key),
      own.flatMap(({ item }) => (item === undefined ? [] : [item])),
    );
  }
  if (!isHere(asked.TableName) || asked.IndexName !== index) return undefined;
  const items = (came.Items ?? []) as readonly Item[];
  return { isRange: true, keys: [], items, unseen: Number(came.ScannedCount ?? 0) - items.length };
}

type Fields = Readonly<Record<string, unknown>>;

/** The table of the model that a table of a period belongs to. */
export function baseName({ model }: Facts, name: string): string {
  const tables = [...(model.design?.tables.values() ?? [])];
  const found = tables.find(
    (table) => table.name === name || (table.periods && name.startsWith(`${table.name}-`)),
  );
  return found?.name ?? name;
}

const memberKinds = {
  put: "Put",
  update: "Update",
  delete: "Delete",
  check: "ConditionCheck",
} as const;

/** The same write with as many of each action as there were on average. */
function writeMet(
  facts: Facts,
  request: WriteRequest,
  sent: readonly Sent[],
  runs: number,
): WriteRequest {
  const members = sent.flatMap(membersOf);
  const isSame = (a: WriteAction, b: WriteAction): boolean =>
    a.kind === b.kind && a.record === b.record;
  const actions = request.actions.map((action) => {
    const { table } = action.record;
    const here = facts.records.filter((record) => record.table === table);
    const own = members.filter(
      ({ kind, table: name, item }) =>
        kind === memberKinds[action.kind] &&
        baseName(facts, name) === table.name &&
        kindOf(item, here) === action.record,
    );
    const alike = request.actions.filter((one) => isSame(one, action)).length;
    return { ...action, count: own.length / alike / runs };
  });
  return { ...request, actions };
}

interface Member {
  readonly kind: string;
  readonly table: string;
  readonly item: Item;
}

function membersOf({ operation, request }: Sent): readonly Member[] {
  const asked = request as Fields;
  const member = (kind: string, table: unknown, one: Fields): Member => ({
    kind,
    table: String(table),
    item: (one.Item ?? one.Key ?? {}) as Item,
  });
  if (["PutItem", "UpdateItem", "DeleteItem"].includes(operation)) {
    return [member(operation.slice(0, -"Item".length), asked.TableName, asked)];
  }
  if (operation === "TransactWriteItems") {
    const items = asked.TransactItems as readonly Readonly<Record<string, Fields>>[];
    return items.flatMap((one) =>
      Object.entries(one).map(([kind, fields]) => member(kind, fields.TableName, fields)),
    );
  }
  if (operation !== "BatchWriteItem") return [];
  const tables = asked.RequestItems as Readonly<
    Record<string, readonly Readonly<Record<string, Fields>>[]>
  >;
  return Object.entries(tables).flatMap(([table, list]) =>
    list.flatMap((one) =>
      Object.entries(one).map(([kind, fields]) =>
        member(kind.slice(0, -"Request".length), table, fields),
      ),
    ),
  );
}
