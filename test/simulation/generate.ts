import type { Random } from "../random.ts";
import {
  drawActions,
  drawCondition,
  drawIndexValue,
  drawItem,
  drawKey,
  plainNames,
} from "./generate-parts.ts";
import type { Oracle } from "./oracle.ts";
import { indexAttributes, keyPool, lateIndexes, partitionPool, tables } from "./schemas.ts";
import {
  type IndexSpec,
  type KeyPart,
  keyNames,
  type Path,
  type QueryStep,
  type RangeCondition,
  type Read,
  type ScanStep,
  type Step,
  type TableSpec,
  type Write,
} from "./steps.ts";
import { canonicalItem, compareScalars, type Item, stable, type Value } from "./values.ts";

const weights = {
  write: 42,
  get: 8,
  query: 14,
  scan: 4,
  batchGet: 3,
  batchWrite: 4,
  transactGet: 3,
  transactWrite: 9,
  describe: 1.5,
  list: 0.5,
  table: 0.6,
  index: 1.2,
  timeToLive: 1.5,
  idle: 1,
  reopen: 0.15,
  advance: 2,
};

/** Draws the next step of a history; it looks at the oracle for what exists by now. */
export class Generator {
  readonly #random: Random;
  readonly #oracle: Oracle;
  /** Transactions that were sent with a token, to send them again. */
  readonly #sent: Extract<Step, { step: "transactWrite" }>[] = [];
  #tokens = 0;

  constructor(random: Random, oracle: Oracle) {
    this.#random = random;
    this.#oracle = oracle;
  }

  next(): Step {
    const random = this.#random;
    const missing = tables.find(({ name }) => !this.#oracle.tables.has(name));
    if (missing !== undefined && random.chance(0.2)) return { step: "createTable", spec: missing };
    const kind = random.weighted(weights);
    switch (kind) {
      case "write":
        return this.#single();
      case "get": {
        const spec = this.#spec();
        return {
          step: "get",
          table: spec.name,
          key: drawKey(random, spec),
          consistent: random.chance(0.5),
          ...this.#projection(0.3),
        };
      }
      case "query":
        return this.#query();
      case "scan":
        return this.#scan();
      case "batchGet":
        return this.#batchGet();
      case "batchWrite":
        return this.#batchWrite();
      case "transactGet":
        return this.#transactGet();
      case "transactWrite":
        return this.#transactWrite();
      case "describe":
        return { step: "describe", table: this.#spec().name };
      case "list":
        return { step: "list", limit: random.between(1, 5) };
      case "table": {
        const spec = this.#spec();
        return random.chance(0.5)
          ? { step: "deleteTable", table: spec.name }
          : { step: "createTable", spec };
      }
      case "index":
        return this.#index();
      case "timeToLive": {
        const { name } = this.#spec();
        const enabled = this.#oracle.tables.get(name)?.expires ?? false;
        return { step: "timeToLive", table: name, enabled: random.chance(0.9) !== enabled };
      }
      case "advance": {
        const some = [1_000, 300_000, 599_999, 600_000, 3_600_000];
        return { step: "advance", milliseconds: random.pick(some) };
      }
      default:
        return { step: kind };
    }
  }

  #spec(): TableSpec {
    const { name } = {
      name: this.#random.weighted({ people: 5, events: 3, blobs: 3, large: 0.7 }),
    };
    return tables.find((spec) => spec.name === name) as TableSpec;
  }

  #indexes(spec: TableSpec): readonly IndexSpec[] {
    return this.#oracle.tables.get(spec.name)?.indexes ?? spec.indexes;
  }

  #projection(chance: number): { projection?: readonly Path[] } {
    const random = this.#random;
    if (!random.chance(chance)) return {};
    const names = random.sample(
      [...plainNames, ...Object.keys(indexAttributes)],
      random.between(1, 3),
    );
    return {
      projection: names.map(
        (name): Path => (name === "vdoc" && random.chance(0.6) ? [name, "inn"] : [name]),
      ),
    };
  }

  #write(kinds: readonly Write["kind"][], spec = this.#spec()): Write {
    const random = this.#random;
    const kind = random.pick(kinds);
    const conditional = kind === "check" || random.chance(0.3);
    const names = [...plainNames, ...Object.keys(indexAttributes), ...keyNames(spec).slice(1)];
    let item =
      kind === "put" ? drawItem(random, spec, spec.name === "large") : drawKey(random, spec);
    if (kind === "put" && random.chance(0.01)) {
      const { pk: _, ...rest } = item;
      item = rest;
    }
    let actions = kind === "update" ? drawActions(random) : undefined;
    if (actions !== undefined && random.chance(0.01)) {
      actions = [{ do: "set", path: ["pk"], to: { of: "value", value: { S: "z" } } }];
    }
    return {
      kind,
      table: spec.name,
      item,
      ...(actions && { actions }),
      ...(conditional && { condition: drawCondition(random, names) }),
      ...(conditional && random.chance(0.5) && { oldOnFailure: true }),
    };
  }

  #single(): Step {
    const random = this.#random;
    const write = this.#mistyped(
      this.#write(["put", "put", "update", "update", "update", "delete"]),
    );
    const nested = write.actions?.some(({ path }) => typeof path[1] === "number");
    const returns =
      write.kind !== "update"
        ? random.pick(["NONE", "ALL_OLD"] as const)
        : nested
          ? random.pick(["NONE", "ALL_OLD", "ALL_NEW"] as const)
          : random.pick(["NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"] as const);
    return { step: "write", write, returns };
  }

  /** Now and then a value that an index of the table must refuse. */
  #mistyped(write: Write): Write {
    const random = this.#random;
    const indexes = this.#oracle.tables.get(write.table)?.indexes ?? [];
    const keys = indexes.flatMap(keyNames).filter((name) => name in indexAttributes);
    if (write.kind !== "update" || keys.length === 0 || !random.chance(0.04)) return write;
    const to = { of: "value", value: { BOOL: true } } as const;
    return { ...write, actions: [{ do: "set", path: [random.pick(keys)], to }] };
  }

  #read(spec: TableSpec, index: IndexSpec | undefined): Read {
    const random = this.#random;
    const held =
      index?.holds === undefined
        ? [...plainNames, ...Object.keys(indexAttributes)]
        : [...keyNames(spec), ...index.holds];
    const filterNames = held.filter((name) => !keyNames(index ?? spec).includes(name));
    const projection = this.#projection(0.2);
    const select = projection.projection === undefined && random.chance(0.2);
    return {
      table: spec.name,
      ...(index && { index: index.name }),
      ...(random.chance(0.3) &&
        filterNames.length > 0 && { filter: drawCondition(random, filterNames) }),
      ...projection,
      ...(select && { select: random.pick(["COUNT", "ALL_ATTRIBUTES"] as const) }),
      ...(random.chance(0.3) && { consistent: true }),
      ...(random.chance(0.4) && { limit: random.between(1, 5) }),
    };
  }

  /** Mostly an index that is there, sometimes one that is not, or none. */
  #source(spec: TableSpec): IndexSpec | undefined {
    const random = this.#random;
    if (random.chance(0.4)) return undefined;
    if (random.chance(0.05)) return random.pick(lateIndexes);
    const indexes = this.#indexes(spec);
    return indexes.length === 0 ? undefined : random.pick(indexes);
  }

  #query(): QueryStep {
    const random = this.#random;
    const spec = this.#spec();
    const index = this.#source(spec);
    const { hash, range } = index ?? spec;
    // Mostly the keys of some item, so that something is found.
    const items = [...(this.#oracle.tables.get(spec.name)?.items.values() ?? [])];
    const model = items.length > 0 && random.chance(0.7) ? random.pick(items) : {};
    const draw = ([name, type]: KeyPart): Value => {
      const value = model[name];
      if (value !== undefined && type in value) return value;
      if (index !== undefined && name in indexAttributes) return drawIndexValue(random, name);
      const isHash = spec.hash.some(([own]) => own === name);
      return random.pick((isHash ? partitionPool : keyPool)[type]);
    };
    const hashValues = hash.map(draw);
    const equal = range.slice(0, random.between(0, Math.max(0, range.length - 1))).map(draw);
    const rest = range[equal.length];
    const ranged = rest !== undefined && random.chance(0.5);
    const last = ranged ? { last: this.#rangeCondition(rest, () => draw(rest)) } : {};
    const step: QueryStep = {
      step: "query",
      ...this.#read(spec, index),
      hash: hashValues,
      equal,
      ...last,
      ...(random.chance(0.4) && { reverse: true }),
    };
    if (index !== undefined || ranged || spec.range.length === 0 || !random.chance(0.2))
      return step;
    const start: Record<string, Value> = { ...drawKey(random, spec) };
    hash.forEach(([name], i) => {
      start[name] = hashValues[i] as Value;
    });
    return { ...step, start };
  }

  #rangeCondition([, type]: KeyPart, draw: () => Value): RangeCondition {
    const random = this.#random;
    const value = draw();
    const op = random.pick(["=", "<", "<=", ">", ">=", "between", "begins"] as const);
    if (op === "begins") return type === "N" ? { op: ">", value } : { op, value: prefix(value) };
    if (op !== "between") return { op, value };
    const other = draw();
    const [low, high] = (compareScalars(value, other) ?? 0) <= 0 ? [value, other] : [other, value];
    return { op, value: low, high };
  }

  #scan(): ScanStep {
    const spec = this.#spec();
    const index = this.#source(spec);
    return {
      step: "scan",
      ...this.#read(spec, index),
      ...(this.#random.chance(0.3) && { segments: this.#random.between(1, 5) }),
    };
  }

  #batchGet(): Step {
    const random = this.#random;
    const keys: Record<string, Item[]> = {};
    for (let left = random.between(1, 8); left > 0; left -= 1) {
      const spec = this.#spec();
      keys[spec.name] ??= [];
      const key = drawKey(random, spec);
      const known = keys[spec.name]?.some((other) => sameItem(other, key));
      if (!known) keys[spec.name]?.push(key);
    }
    return { step: "batchGet", consistent: random.chance(0.5), keys, ...this.#projection(0.2) };
  }

  /** Now and then an item is named twice, which is refused. */
  #writes(kinds: readonly Write["kind"][], most: number): Write[] {
    const random = this.#random;
    const writes: Write[] = [];
    const repeats = random.chance(0.03);
    for (let left = random.between(1, most); left > 0; left -= 1) {
      const spec = this.#spec();
      const write = this.#write(kinds, spec);
      const key = (item: Item): Item =>
        Object.fromEntries(keyNames(spec).map((name) => [name, item[name] ?? { S: "" }]));
      const known = writes.some(
        ({ table, item }) => table === write.table && sameItem(key(item), key(write.item)),
      );
      // In a transaction an update has to say what it does.
      if (write.actions?.length === 0) continue;
      if (!known || repeats) writes.push(write);
    }
    if (writes.length === 0) return this.#writes(kinds, most);
    return writes.some(({ item }) => item.pk === undefined) ? writes.slice(0, 1) : writes;
  }

  #batchWrite(): Step {
    const writes = this.#writes(["put", "put", "delete"], 10);
    return {
      step: "batchWrite",
      // One table after the other, as the request has them.
      writes: writes
        .map(({ kind, table, item }) => ({ kind, table, item }))
        .sort((a, b) => (a.table < b.table ? -1 : a.table > b.table ? 1 : 0)),
    };
  }

  #transactGet(): Step {
    const random = this.#random;
    const gets = Array.from({ length: random.between(1, 5) }, () => {
      const spec = this.#spec();
      return { table: spec.name, key: drawKey(random, spec), ...this.#projection(0.2) };
    });
    const distinct = gets.filter(
      ({ table, key }, i) =>
        gets.findIndex((other) => other.table === table && sameItem(other.key, key)) === i,
    );
    return { step: "transactGet", gets: random.chance(0.95) ? distinct : gets };
  }

  #transactWrite(): Step {
    const random = this.#random;
    if (this.#sent.length > 0 && random.chance(0.25)) {
      const again = random.pick(this.#sent);
      return random.chance(0.8) ? again : { ...again, writes: this.#transaction() };
    }
    const step = { step: "transactWrite", writes: this.#transaction() } as const;
    if (!random.chance(0.4)) return step;
    this.#tokens += 1;
    const tokened = { ...step, token: `token-${this.#tokens}` };
    this.#sent.push(tokened);
    if (this.#sent.length > 6) this.#sent.shift();
    return tokened;
  }

  #transaction(): readonly Write[] {
    const all: readonly Write["kind"][] = ["put", "put", "update", "update", "delete", "check"];
    return this.#writes(all, 4);
  }

  #index(): Step {
    if (this.#oracle.building) return { step: "idle" };
    const random = this.#random;
    const spec = this.#spec();
    const index = random.pick(lateIndexes);
    const there = this.#indexes(spec).some(({ name }) => name === index.name);
    return there === random.chance(0.95)
      ? { step: "dropIndex", table: spec.name, index: index.name }
      : { step: "addIndex", table: spec.name, index };
  }
}

const sameItem = (a: Item, b: Item): boolean =>
  stable(canonicalItem(a)) === stable(canonicalItem(b));

function prefix(value: Value): Value {
  if ("S" in value) return { S: [...value.S][0] as string };
  if ("B" in value) return { B: Buffer.from(value.B, "base64").subarray(0, 1).toString("base64") };
  return value;
}
