import {
  keyTypeNotInSchema,
  keyTypeNotScalar,
  overlappingKeyConditions,
  tooManyReads,
} from "../api/errors/statement.ts";
import { statementKeyInOperandsMax } from "../api/limits.ts";
import { emptyRecord } from "../base/record.ts";
import { pathsOf } from "../expressions/condition-paths.ts";
import type { KeyAttributeSchema, KeyConditionSchema } from "../expressions/key-condition.ts";
import { conjunctsOf, foldLogical } from "../expressions/logical-tree.ts";
import type { Comparison, Condition, KeyComparison } from "../expressions/tree.ts";
import { type AttributeValue, type Item, type KeyValue, typeOf } from "../item/attribute-value.ts";
import { encodeKeyValue } from "../item/key-encoding.ts";
import { conjunctionOf } from "./conjunction.ts";
import { type KeyLeaf, keyLeafOf } from "./key-leaf.ts";
import type { KeyedRead } from "./operation.ts";
import { SortRange } from "./sort-range.ts";

/** More ways to meet the condition than this are not told apart. */
const branchesMax = 1_000;

/** One way to meet a WHERE: what it says of the keys, and the rest. */
interface Spread {
  readonly keys: readonly { readonly attribute: string; readonly is: KeyComparison }[];
  readonly filters: readonly Condition[];
}

/** A spread whose partition is known. */
interface Branch {
  readonly hash: AttributeValue;
  readonly sort: readonly KeyComparison[];
  readonly filters: readonly Condition[];
}

const nothing: Spread = { keys: [], filters: [] };

/** A condition whose spread is to be found, or so many spreads that are to be combined. */
type SpreadStep =
  | { readonly kind: "visit"; readonly condition: Condition }
  | { readonly kind: "and" | "or"; readonly count: number };

function visitOf(condition: Condition): SpreadStep {
  return { kind: "visit", condition };
}

/**
 * What a WHERE says of the keys of a table or index with one hash and at most one range attribute.
 * An OR that names keys makes several reads of it, as IN does; if every one of them has a partition,
 * none has to look at anything else. The rules and their order are recorded of the service.
 */
export class KeyPlan {
  readonly #hash: KeyAttributeSchema;
  readonly #range: KeyAttributeSchema | undefined;
  readonly #leaves: KeyLeaf[] = [];
  readonly #pinned: boolean;
  #branches: readonly Branch[] | undefined;
  #tooMany = false;

  constructor(schema: KeyConditionSchema, where: Condition | undefined) {
    this.#hash = schema.hash[0] as KeyAttributeSchema;
    this.#range = schema.range[0];
    this.#pinned = where !== undefined && this.#pins(where);
    const spreads = where === undefined ? [nothing] : this.#spread(where);
    this.#branches = this.#tooMany ? undefined : this.#branchesOf(spreads);
    // Such reads are not refused if they overlap, so they must be one: a scan.
    if (this.#overlap() && this.#filtersBySort()) this.#branches = undefined;
  }

  /** Every read is of one partition. */
  get keyed(): boolean {
    return this.#branches !== undefined;
  }

  checkTypes(): void {
    for (const { attribute, anyOf } of this.#leaves) {
      const { type } =
        attribute === this.#hash.name ? this.#hash : (this.#range as KeyAttributeSchema);
      for (const value of anyOf.flatMap(valuesOf)) {
        const actual = typeOf(value);
        if (actual !== "S" && actual !== "N" && actual !== "B") {
          throw keyTypeNotScalar(attribute, actual);
        }
        if (actual !== type) throw keyTypeNotInSchema(attribute);
      }
    }
  }

  /** How many reads there would be, and whether two of them would find the same. */
  checkReads(): void {
    const count = this.#branches?.length ?? 0;
    if (this.#pinned && (this.#tooMany || count > statementKeyInOperandsMax)) throw tooManyReads();
    if (this.#overlap()) throw overlappingKeyConditions();
  }

  #overlap(): boolean {
    let before: { hash: Buffer; sort: SortRange } | undefined;
    for (const { hash, sort } of this.#sorted()) {
      if (sort.isEmpty) continue;
      if (before?.hash.equals(hash) === true && sort.startsWithin(before.sort)) return true;
      before = { hash, sort };
    }
    return false;
  }

  /** A read filters by the sort key: NOT and <> are no stretches of it. */
  #filtersBySort(): boolean {
    const name = this.#range?.name;
    return (this.#branches ?? []).some(({ filters }) =>
      filters.flatMap(pathsOf).some(({ steps }) => steps[0] === name),
    );
  }

  /** How many partitions are read. */
  get partitions(): number {
    return new Set(this.#sorted().map(({ hash }) => hash.toString("latin1"))).size;
  }

  /**
   * The attributes that some read filters by and an index does not hold. Reads are judged in the order
   * of their keys: one that needs nothing more stands for all, else the last is complained of.
   */
  missing(held: ReadonlySet<string>): readonly string[] {
    let last: readonly string[] = [];
    for (const { branch } of this.#sorted()) {
      const names = branch.filters.flatMap(pathsOf).map(({ steps }) => steps[0]);
      last = names.filter((name) => !held.has(name));
      if (last.length === 0) return last;
    }
    return hashOrdered(last);
  }

  /** The reads, in the order of their keys. */
  reads(hashDescending: boolean, sortDescending: boolean): readonly KeyedRead[] {
    const sorted = this.#sorted();
    sorted.sort((a, b) => {
      const byHash = Buffer.compare(a.hash, b.hash);
      if (byHash !== 0) return hashDescending ? -byHash : byHash;
      const bySort = a.sort.compare(b.sort);
      return sortDescending ? -bySort : bySort;
    });
    return sorted.map(({ branch }) => this.#readOf(branch));
  }

  /** The one item that is read by its whole key and nothing else. */
  single(): Item | undefined {
    const [branch, ...others] = this.#branches ?? [];
    if (branch === undefined || others.length > 0 || branch.filters.length > 0) return undefined;
    const sort = this.#range === undefined ? undefined : equalityOf(branch.sort);
    if (this.#range !== undefined && sort === undefined) return undefined;
    const key = emptyRecord<AttributeValue>();
    key[this.#hash.name] = branch.hash;
    if (this.#range !== undefined && sort !== undefined) key[this.#range.name] = sort;
    return key;
  }

  #sorted(): { branch: Branch; hash: Buffer; sort: SortRange }[] {
    const all = (this.#branches ?? []).map((branch) => ({
      branch,
      hash: bytesOf(branch.hash),
      sort: SortRange.of(branch.sort),
    }));
    return all.sort((a, b) => Buffer.compare(a.hash, b.hash) || a.sort.compare(b.sort));
  }

  #readOf({ hash, sort, filters }: Branch): KeyedRead {
    const comparisons: { attribute: string; is: KeyComparison }[] = [
      { attribute: this.#hash.name, is: { op: "=", value: hash } },
    ];
    const { key, rest } = SortRange.choose(sort);
    const range = this.#range?.name as string;
    if (key !== undefined) comparisons.push({ attribute: range, is: key });
    const more = rest.map((is) => comparisonOn(range, is));
    return {
      keyCondition: { kind: "key-condition", comparisons },
      filter: conjunctionOf([...more, ...filters]),
    };
  }

  /** Whether any way to meet the condition names a partition. */
  #pins(condition: Condition): boolean {
    return foldLogical(condition, {
      leaf: (comparison: Comparison) => this.#leaf(comparison)?.attribute === this.#hash.name,
      not: () => false,
      join: (kind, left, right) => (kind === "and" ? left || right : left && right),
    });
  }

  /** What the condition says of a key, if that is all it says. */
  #leaf(condition: Condition): KeyLeaf | undefined {
    const leaf = keyLeafOf(condition);
    if (leaf?.attribute === this.#hash.name) {
      return leaf.anyOf.every(({ op }) => op === "=") ? leaf : undefined;
    }
    return leaf !== undefined && leaf.attribute === this.#range?.name ? leaf : undefined;
  }

  #namesKey(condition: Condition): boolean {
    const waiting: Condition[] = [condition];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next.kind === "and" || next.kind === "or") waiting.push(next.right, next.left);
      else if (this.#leaf(next) !== undefined) return true;
    }
    return false;
  }

  /**
   * The ways to meet a condition, from the leaves up. What is still to be visited or combined is kept
   * in a list: conditions can nest deeper than the call stack.
   */
  #spread(root: Condition): readonly Spread[] {
    const waiting: SpreadStep[] = [{ kind: "visit", condition: root }];
    const spreads: (readonly Spread[])[] = [];
    for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
      if (step.kind === "visit") {
        const steps = this.#visit(step.condition, spreads);
        for (let at = steps.length - 1; at >= 0; at--) waiting.push(steps[at] as SpreadStep);
      } else {
        const operands = spreads.splice(spreads.length - step.count);
        spreads.push(step.kind === "and" ? this.#spreadAll(operands) : this.#spreadAny(operands));
      }
    }
    return spreads[0] as readonly Spread[];
  }

  /** Adds the spread of the condition, or returns the steps that lead to it. */
  #visit(condition: Condition, spreads: (readonly Spread[])[]): readonly SpreadStep[] {
    const leaf = this.#leaf(condition);
    if (leaf !== undefined) {
      this.#leaves.push(leaf);
      const { attribute } = leaf;
      spreads.push(leaf.anyOf.map((is) => ({ keys: [{ attribute, is }], filters: [] })));
    } else if (condition.kind === "and") {
      const conjuncts = conjunctsOf(condition);
      return [...conjuncts.map(visitOf), { kind: "and", count: conjuncts.length }];
    } else {
      const alternatives = this.#alternatives(condition);
      if (alternatives.length > 1) {
        return [...alternatives.map(visitOf), { kind: "or", count: alternatives.length }];
      }
      spreads.push([{ keys: [], filters: [condition] }]);
    }
    return [];
  }

  /** The operands of a chain of ORs. Those before the first one that names a key stay together. */
  #alternatives(condition: Condition): readonly Condition[] {
    const chain: (Condition & { kind: "or" })[] = [];
    let first = condition;
    for (; first.kind === "or"; first = first.left) chain.push(first);
    let namesKey = this.#namesKey(first);
    let alternatives: Condition[] = [first];
    for (const or of chain.reverse()) {
      if (namesKey) alternatives.push(or.right);
      else {
        namesKey = this.#namesKey(or.right);
        alternatives = namesKey ? [or.left, or.right] : [or];
      }
    }
    return alternatives;
  }

  #spreadAny(spreads: readonly (readonly Spread[])[]): readonly Spread[] {
    const all = spreads.flat();
    if (all.length <= branchesMax) return all;
    this.#tooMany = true;
    return [nothing];
  }

  /** What holds anyway is put to all ways at the end: copied at every step, it would cost its square. */
  #spreadAll(spreads: readonly (readonly Spread[])[]): readonly Spread[] {
    const keys: Spread["keys"][number][] = [];
    const filters: Condition[] = [];
    let ways: readonly Spread[] = [nothing];
    for (const spread of spreads) {
      const [only] = spread;
      if (spread.length === 1 && only !== undefined) {
        keys.push(...only.keys);
        filters.push(...only.filters);
      } else if (ways.length * spread.length > branchesMax) this.#tooMany = true;
      else ways = ways.flatMap((one) => spread.map((two) => joined(one, two)));
    }
    return ways.map((way) => joined({ keys, filters }, way));
  }

  /** Undefined if one of them has no partition, or two. */
  #branchesOf(spreads: readonly Spread[]): readonly Branch[] | undefined {
    const branches: Branch[] = [];
    for (const { keys, filters } of spreads) {
      let hash: AttributeValue | undefined;
      const sort: KeyComparison[] = [];
      for (const { attribute, is } of keys) {
        if (attribute !== this.#hash.name) sort.push(is);
        else if (is.op === "=") {
          if (hash !== undefined && !bytesOf(hash).equals(bytesOf(is.value))) return undefined;
          hash = is.value;
        }
      }
      if (hash === undefined) return undefined;
      branches.push({ hash, sort, filters });
    }
    return branches;
  }
}

function joined(one: Spread, two: Spread): Spread {
  return { keys: [...one.keys, ...two.keys], filters: [...one.filters, ...two.filters] };
}

function valuesOf(is: KeyComparison): readonly AttributeValue[] {
  return is.op === "between" ? [is.low, is.high] : [is.value];
}

function equalityOf(sort: readonly KeyComparison[]): AttributeValue | undefined {
  const [first, ...rest] = sort;
  if (first?.op !== "=") return undefined;
  const bytes = bytesOf(first.value);
  return rest.every((is) => is.op === "=" && bytesOf(is.value).equals(bytes))
    ? first.value
    : undefined;
}

/** Key values as bytes in their order. Others only have to be told apart: they are refused. */
function bytesOf(value: AttributeValue): Buffer {
  if ("S" in value || "N" in value || "B" in value) return encodeKeyValue(value as KeyValue);
  return Buffer.from(JSON.stringify(value));
}

function comparisonOn(attribute: string, is: KeyComparison): Condition {
  const subject = { kind: "path", steps: [attribute] } as const;
  switch (is.op) {
    case "between":
      return {
        kind: "between",
        subject,
        low: { kind: "value", value: is.low },
        high: { kind: "value", value: is.high },
      };
    case "begins_with":
      return { kind: "begins_with", subject, prefix: { kind: "value", value: is.value } };
    default:
      return {
        kind: "compare",
        op: is.op,
        left: subject,
        right: { kind: "value", value: is.value },
      };
  }
}

/** Names without repetition, in the order of a hash table of the service's making. */
function hashOrdered(names: readonly string[]): readonly string[] {
  const distinct = [...new Set(names)];
  let buckets = 16;
  while (distinct.length > buckets * 0.75) buckets *= 2;
  const bucketOf = (name: string): number => {
    let hash = 0;
    for (let i = 0; i < name.length; i += 1) hash = (hash * 31 + name.charCodeAt(i)) | 0;
    return (hash ^ (hash >>> 16)) & (buckets - 1);
  };
  return distinct.toSorted((a, b) => bucketOf(a) - bucketOf(b));
}
