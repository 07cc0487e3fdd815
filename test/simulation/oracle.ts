import { BadUpdate, holds, projected, updated } from "./meaning.ts";
import { describe } from "./oracle-entries.ts";
import {
  anyExpired,
  beginning,
  expiryAttribute,
  removeExpired,
  setExpiry,
} from "./oracle-expiry.ts";
import { UnitSums, type Units } from "./oracle-units.ts";
import {
  type IndexSpec,
  keyNames,
  type Path,
  type Step,
  type TableSpec,
  type Write,
} from "./steps.ts";
import { canonical, canonicalItem, type Item, sizeOfItem, stable, typeName } from "./values.ts";

/** An answer as far as histories compare it. */
export type Answer =
  | { readonly answer: Record<string, unknown> }
  | { readonly error: string; readonly item?: Item; readonly reasons?: readonly Reason[] };

export interface Reason {
  readonly code: string;
  readonly item?: Item;
}

export interface OracleTable {
  readonly spec: TableSpec;
  indexes: readonly IndexSpec[];
  readonly items: Map<string, Item>;
  expires: boolean;
  expiryChangedAt?: number;
}

interface Change {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

interface TokenUse {
  readonly payload: string;
  readonly expiresAt: number;
  readonly bytes: readonly number[];
}

class Failure extends Error {
  readonly answer: Answer;

  constructor(error: string, more: { item?: Item; reasons?: readonly Reason[] } = {}) {
    super(error);
    this.answer = { error, ...more };
  }
}

const itemBytes = 400 * 1024;
const tokenMilliseconds = 10 * 60 * 1000;

/** Tables as maps. Indexes are not kept: whoever asks for one gets it computed from all items. */
export class Oracle {
  readonly tables = new Map<string, OracleTable>();
  readonly #tokens = new Map<string, TokenUse>();
  #now = beginning;
  /** An index is being built: what a write to it costs depends on how far that is. */
  building = false;

  /** What the step answers; the steps that read pages are in `oracle-pages.ts`. */
  run(step: Step): Answer {
    try {
      return { answer: this.#answer(step) };
    } catch (error) {
      if (error instanceof Failure) return error.answer;
      throw error;
    }
  }

  /** Something is about to be deleted because its time is over: nobody can say when. */
  get sweeping(): boolean {
    return [...this.tables.values()].some((table) => anyExpired(table, this.#now));
  }

  table(name: string): OracleTable {
    const table = this.tables.get(name);
    if (table === undefined) throw new Failure("ResourceNotFoundException");
    return table;
  }

  #answer(step: Step): Record<string, unknown> {
    switch (step.step) {
      case "write":
        return this.#single(step);
      case "get": {
        const item = this.table(step.table).items.get(this.#keyText(step.table, step.key));
        const units = new UnitSums(step.table).read(item, step.consistent);
        return { Item: item && shown(item, step.projection), ConsumedCapacity: units.report() };
      }
      case "batchGet":
        return this.#batchGet(step);
      case "batchWrite":
        return this.#batchWrite(step.writes);
      case "transactGet":
        return this.#transactGet(step);
      case "transactWrite":
        return this.#transactWrite(step);
      case "advance":
        this.#now += step.milliseconds;
        return {};
      case "idle":
        this.building = false;
        for (const table of this.tables.values()) removeExpired(table, this.#now);
        return {};
      case "reopen":
        return {};
      default:
        return this.#tableStep(step);
    }
  }

  #tableStep(step: Step): Record<string, unknown> {
    switch (step.step) {
      case "createTable": {
        const { spec } = step;
        if (this.tables.has(spec.name)) throw new Failure("ResourceInUseException");
        this.tables.set(spec.name, {
          ...{ spec, indexes: spec.indexes, items: new Map(), expires: false },
        });
        return {};
      }
      case "deleteTable":
        this.table(step.table);
        this.tables.delete(step.table);
        return {};
      case "addIndex": {
        const table = this.table(step.table);
        const known = table.indexes.some(({ name }) => name === step.index.name);
        if (known) throw new Failure("ValidationException");
        table.indexes = [...table.indexes, step.index];
        this.building = true;
        return {};
      }
      case "dropIndex": {
        const table = this.table(step.table);
        const left = table.indexes.filter(({ name }) => name !== step.index);
        if (left.length === table.indexes.length) throw new Failure("ResourceNotFoundException");
        table.indexes = left;
        return {};
      }
      case "timeToLive": {
        const { enabled } = step;
        const taken = setExpiry(this.table(step.table), enabled, this.#now);
        if (!taken) throw new Failure("ValidationException");
        return { TimeToLiveSpecification: { Enabled: enabled, AttributeName: expiryAttribute } };
      }
      case "describe":
        return { Table: describe(this.table(step.table)) };
      case "list": {
        const names = [...this.tables.keys()].sort();
        const page = names.slice(0, step.limit);
        const more = names.length > page.length && { LastEvaluatedTableName: page.at(-1) };
        return { TableNames: page, ...more };
      }
      default:
        throw new Error(`no answer to ${step.step}`);
    }
  }

  #keyText(table: string, item: Item): string {
    const names = keyNames(this.table(table).spec);
    return stable(names.map((name) => canonical(item[name] as Item[string])));
  }

  /** What only the table can object to, before any item is looked at. */
  #checkRequest({ table: name, kind, item, actions = [] }: Write): void {
    const table = this.table(name);
    const keys = keyNames(table.spec);
    if (keys.some((key) => item[key] === undefined)) throw new Failure("ValidationException");
    for (const { path } of actions) {
      if (keys.includes(path[0])) throw new Failure("ValidationException");
    }
    const given: Record<string, Item[string]> = kind === "put" ? { ...item } : {};
    for (const action of actions) {
      if (action.do === "set" && action.to.of === "value" && action.path.length === 1) {
        given[action.path[0]] = action.to.value;
      }
    }
    checkIndexKeys(table, given);
  }

  /** What the write would do; throws if it cannot be done. */
  #change(write: Write): Change {
    const table = this.table(write.table);
    const before = table.items.get(this.#keyText(write.table, write.item));
    if (write.condition !== undefined && !holds(write.condition, before ?? {})) {
      const item = write.oldOnFailure && before !== undefined && { item: before };
      throw new Failure("ConditionalCheckFailedException", { ...item });
    }
    if (write.kind === "check") return { before, after: before };
    if (write.kind === "delete") return { before, after: undefined };
    const given = canonicalItem(write.item);
    if (write.kind === "put") return { before, after: given };
    try {
      const after = updated(write.actions ?? [], before, given);
      if (after !== undefined) checkIndexKeys(table, after);
      if (sizeOfItem(after ?? {}) > itemBytes) throw new BadUpdate();
      return { before, after };
    } catch (error) {
      if (error instanceof BadUpdate) throw new Failure("ValidationException");
      throw error;
    }
  }

  #apply(write: Write, { after }: Change): void {
    if (write.kind === "check") return;
    const { items } = this.table(write.table);
    const key = this.#keyText(write.table, write.item);
    if (after === undefined) items.delete(key);
    else items.set(key, after);
  }

  #single({ write, returns }: Extract<Step, { step: "write" }>): Record<string, unknown> {
    this.#checkRequest(write);
    const table = this.table(write.table);
    const change = this.#change(write);
    this.#apply(write, change);
    const units = new UnitSums(write.table).write(table, change, 1);
    return {
      Attributes: returned(write, returns, change),
      ItemCollectionMetrics: collection(table, write),
      ConsumedCapacity: units.report(),
    };
  }

  #batchGet(step: Extract<Step, { step: "batchGet" }>): Record<string, unknown> {
    const Responses: Record<string, Item[]> = {};
    const ConsumedCapacity: Units[] = [];
    for (const [name, keys] of Object.entries(step.keys)) {
      const { items } = this.table(name);
      const units = new UnitSums(name);
      Responses[name] = [];
      for (const key of keys) {
        const item = items.get(this.#keyText(name, key));
        units.read(item, step.consistent);
        if (item !== undefined) Responses[name].push(shown(item, step.projection));
      }
      ConsumedCapacity.push(units.report());
    }
    return { Responses, UnprocessedKeys: {}, ConsumedCapacity };
  }

  #refuseRepeats(writes: readonly { table: string; item: Item }[]): void {
    const texts = writes.map(({ table, item }) => `${table} ${this.#keyText(table, item)}`);
    if (new Set(texts).size < texts.length) throw new Failure("ValidationException");
  }

  #batchWrite(writes: readonly Write[]): Record<string, unknown> {
    for (const write of writes) this.#checkRequest(write);
    this.#refuseRepeats(writes);
    const changes = writes.map((write) => this.#change(write));
    writes.forEach((write, i) => {
      this.#apply(write, changes[i] as Change);
    });
    return { UnprocessedItems: {}, ...this.#written(writes, changes, 1) };
  }

  /** Capacity and collections of several writes, by table. */
  #written(writes: readonly Write[], changes: readonly Change[], factor: 1 | 2) {
    const units = new Map<string, UnitSums>();
    const ItemCollectionMetrics: Record<string, object[]> = {};
    writes.forEach((write, i) => {
      const table = this.table(write.table);
      const sums = units.get(write.table) ?? new UnitSums(write.table);
      units.set(write.table, sums.write(table, changes[i] as Change, factor));
      const metrics = write.kind === "check" ? undefined : collection(table, write);
      if (metrics === undefined) return;
      ItemCollectionMetrics[write.table] ??= [];
      ItemCollectionMetrics[write.table]?.push(metrics);
    });
    const kind = factor === 2 ? "WriteCapacityUnits" : undefined;
    return {
      ConsumedCapacity: [...units.values()].map((sums) => sums.report(kind)),
      ...(Object.keys(ItemCollectionMetrics).length > 0 && { ItemCollectionMetrics }),
    };
  }

  #transactGet({ gets }: Extract<Step, { step: "transactGet" }>): Record<string, unknown> {
    this.#refuseRepeats(gets.map(({ table, key }) => ({ table, item: key })));
    const units = new Map<string, UnitSums>();
    const Responses = gets.map(({ table, key, projection }) => {
      const item = this.table(table).items.get(this.#keyText(table, key));
      units.set(table, (units.get(table) ?? new UnitSums(table)).read(item, true, 2));
      const view = item && shown(item, projection);
      return view === undefined || Object.keys(view).length === 0 ? {} : { Item: view };
    });
    const ConsumedCapacity = [...units.values()].map((sums) => sums.report("ReadCapacityUnits"));
    return { Responses, ConsumedCapacity };
  }

  #transactWrite(step: Extract<Step, { step: "transactWrite" }>): Record<string, unknown> {
    const { writes, token } = step;
    for (const { table } of writes) this.table(table);
    const invalid = writes.map((write) => attempt(() => this.#checkRequest(write)));
    if (invalid.some((found) => found.error !== undefined)) throw canceled(invalid);
    this.#refuseRepeats(writes);
    const payload = stable(writes);
    const used = token === undefined ? undefined : this.#tokens.get(token);
    if (used !== undefined && used.expiresAt > this.#now) {
      if (used.payload !== payload) throw new Failure("IdempotentParameterMismatchException");
      return this.#replayed(writes, used.bytes);
    }
    const attempts = writes.map((write) => attempt(() => this.#change(write)));
    if (attempts.some(({ error }) => error !== undefined)) throw canceled(attempts);
    const changes = attempts.map(({ result }) => result as Change);
    writes.forEach((write, i) => {
      this.#apply(write, changes[i] as Change);
    });
    if (token !== undefined) {
      const bytes = changes.map(({ before, after }) =>
        Math.max(sizeOfItem(before ?? {}), sizeOfItem(after ?? {})),
      );
      this.#tokens.set(token, { payload, expiresAt: this.#now + tokenMilliseconds, bytes });
    }
    return this.#written(writes, changes, 2);
  }

  /** The same token again: nothing happens, and the reply costs reads. */
  #replayed(writes: readonly Write[], bytes: readonly number[]): Record<string, unknown> {
    const units = new Map<string, UnitSums>();
    writes.forEach(({ table }, i) => {
      const sums = units.get(table) ?? new UnitSums(table);
      units.set(table, sums.readBytes(bytes[i] as number, true, 2));
    });
    const reports = [...units.values()].map((sums) => sums.report("ReadCapacityUnits"));
    return { ConsumedCapacity: reports };
  }
}

function checkIndexKeys({ indexes }: OracleTable, item: Item): void {
  for (const { hash, range } of indexes) {
    for (const [name, type] of [...hash, ...range]) {
      const value = item[name];
      if (value !== undefined && typeName(value) !== type) throw new Failure("ValidationException");
    }
  }
}

interface Attempt<T> {
  readonly result?: T;
  readonly error?: Extract<Answer, { error: string }>;
}

function attempt<T>(action: () => T): Attempt<T> {
  try {
    return { result: action() };
  } catch (error) {
    if (!(error instanceof Failure) || "answer" in error.answer) throw error;
    return { error: error.answer };
  }
}

/** When an action is invalid, what is said of the others is not specified: then no reasons. */
function canceled(attempts: readonly Attempt<unknown>[]): Failure {
  const invalid = attempts.some(({ error }) => error?.error === "ValidationException");
  const reasons = attempts.map(({ error }) => ({
    code: error === undefined ? "None" : "ConditionalCheckFailed",
    ...(error?.item && { item: error.item }),
  }));
  return new Failure("TransactionCanceledException", invalid ? {} : { reasons });
}

function shown(item: Item, projection: readonly Path[] | undefined): Item {
  return projection === undefined ? item : projected(item, projection);
}

function returned({ actions = [] }: Write, returns: string, { before, after }: Change) {
  const paths = actions.map(({ path }) => path);
  const view = {
    NONE: undefined,
    ALL_OLD: before,
    ALL_NEW: after,
    UPDATED_OLD: before && projected(before, paths),
    UPDATED_NEW: after && projected(after, paths),
  }[returns];
  return view === undefined || Object.keys(view).length === 0 ? undefined : view;
}

function collection({ spec }: OracleTable, { item }: Write): object | undefined {
  if (!spec.indexes.some(({ kind }) => kind === "local")) return undefined;
  const hash = keyNames({ hash: spec.hash, range: [] })[0] as string;
  const ItemCollectionKey = { [hash]: canonical(item[hash] as Item[string]) };
  return { ItemCollectionKey, SizeEstimateRangeGB: [0, 1] };
}
