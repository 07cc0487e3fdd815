import { attributesOf } from "../model/key-text.ts";
import type { Model } from "../model/model.ts";
import type { Attribute, Entity, Predicate } from "../model/requirements.ts";
import { Cardinality, type Estimate } from "./records/cardinality.ts";
import type { Membership, StoredRecord } from "./records/record.ts";
import { recordsOf } from "./records/records.ts";
import { membershipShare, type Share, shareOf } from "./records/shares.ts";
import { Sizes } from "./records/sizes.ts";

/** What follows from a model by itself, worked out once and shared by everything that asks. */
export class Facts {
  readonly model: Model;
  readonly records: readonly StoredRecord[];
  readonly cardinality: Cardinality;
  readonly sizes: Sizes;
  private readonly shares: Map<Membership, Share>;

  private static readonly known = new WeakMap<Model, Facts>();

  /** The facts of a model, worked out once however many ask. */
  static of(model: Model): Facts {
    const known = Facts.known.get(model) ?? new Facts(model);
    Facts.known.set(model, known);
    return known;
  }

  constructor(model: Model, alike?: { readonly facts: Facts; readonly records: Facts["records"] }) {
    this.model = model;
    this.records = alike?.records ?? recordsOf(model);
    this.cardinality = alike?.facts.cardinality ?? Cardinality.of(model);
    this.shares = alike?.facts.shares ?? new Map<Membership, Share>();
    this.sizes =
      alike?.facts.sizes ??
      new Sizes(this.cardinality, (record, membership) => this.shareIn(record.entity, membership));
  }

  /** The facts of a model with the same requirements: what is stored as before is as large as before. */
  of(model: Model, records: readonly StoredRecord[]): Facts {
    return new Facts(model, { facts: this, records });
  }

  /** The own items of an entity; several if it is placed in several tables. */
  itemsOf(entity: string): readonly StoredRecord[] {
    return this.records.filter((one) => one.role === "item" && one.entity.name === entity);
  }

  /** Items of an entity inside of which another one lies. */
  hostsOf(entity: string): readonly StoredRecord[] {
    return this.records.filter(
      ({ role, attributes }) =>
        role === "item" &&
        attributes.some(
          ({ content }) => content.kind === "embedded" && content.entity.name === entity,
        ),
    );
  }

  /** The share of an entity's items that are in an index. */
  shareIn(entity: Entity, membership: Membership): Share {
    const known = this.shares.get(membership);
    if (known !== undefined) return known;
    const share = membershipShare(entity, membership, (one) => this.distinct(entity, one));
    this.shares.set(membership, share);
    return share;
  }

  share(entity: Entity, predicates: Parameters<typeof shareOf>[1]): Share {
    return shareOf(entity, predicates, (one) => this.distinct(entity, one));
  }

  /**
   * The share that passes a filter among items with the same values in some attributes. Values that are asked for by
   * a filter leave as many items as they would in a key: where a city tells its country, a filter on it leaves all.
   */
  passing(entity: Entity, fixed: readonly string[], filter: readonly Predicate[]): Share {
    const isPlain = (name: string): boolean => entity.attributes.get(name)?.values === undefined;
    const equals = filter.filter(({ operator }) => operator === "equals");
    const given = [...fixed, ...equals.map(({ attribute }) => attribute)];
    // A whole id names one item, as it does in a key.
    const isOne = entity.id.every((name) => given.includes(name));
    const asked = isOne
      ? equals.filter(({ attribute }) => entity.id.includes(attribute))
      : filter.filter(
          ({ operator, attribute }) =>
            (operator === "equals" || operator === "one-of") && isPlain(attribute),
        );
    const names = asked.map(({ attribute }) => attribute);
    const all = isOne
      ? given
      : this.cardinality.known(entity, [...fixed.filter(isPlain), ...names]);
    const equal = asked.filter(({ attribute }) => all.includes(attribute));
    const known = this.cardinality.known(entity, fixed.filter(isPlain));
    const before = this.cardinality.itemsPer(entity, known)?.value;
    const one = this.cardinality.itemsPer(entity, all)?.value;
    if (equal.length === 0 || !before || one === undefined) return this.share(entity, filter);
    // Who names one item means it, so the other conditions hold for it, as they do where its key is known.
    if (isOne) return { value: Math.min(1, one / before), assumed: false };
    // Each of several values leaves as many items as it would in a Query of its own.
    const after = equal.reduce(
      (items, { operator, operands }) => (operator === "one-of" ? items * operands.length : items),
      one,
    );
    const rest = this.share(
      entity,
      filter.filter((predicate) => !equal.includes(predicate)),
    );
    return { ...rest, value: rest.value * Math.min(1, after / before) };
  }

  /** How many items of a kind there are. */
  count(record: StoredRecord): Estimate | undefined {
    const { role, entity } = record;
    const count = this.cardinality.count(entity);
    if (count === undefined) return undefined;
    if (role === "latest") {
      const rest = entity.id.filter((name) => name !== record.table.versioning?.attribute);
      const per = this.cardinality.itemsPer(entity, rest);
      return { ...count, value: count.value / Math.max(1, per?.value ?? 1) };
    }
    if (role === "unique") return { ...count, value: count.value * guardedShare(record) };
    if (role === "split") {
      // There is one if any of its attributes is there.
      const none = record.attributes.reduce((share, { content }) => {
        if (content.kind !== "attribute" || entity.id.includes(content.attribute.name))
          return share;
        return share * (1 - content.attribute.present.value);
      }, 1);
      return { ...count, value: count.value * (1 - none) };
    }
    return count;
  }

  /** How many parts or guards of a kind there are for one item: one that holds nothing is not stored. */
  presence(record: StoredRecord): number {
    if (record.role === "unique") return guardedShare(record);
    if (record.role !== "split") return 1;
    const [count, all] = [this.count(record), this.cardinality.count(record.entity)];
    return count === undefined || all === undefined || all.value === 0
      ? 1
      : count.value / all.value;
  }

  private distinct(entity: Entity, attribute: Attribute): number | undefined {
    return this.cardinality.distinct(entity, attribute)?.value;
  }
}

/** The share of items that have all values in the key of the item that guards one of them. */
function guardedShare({ entity, key }: StoredRecord): number {
  const names = new Set(
    key.flatMap(({ text }) => attributesOf(text).map(({ attribute }) => attribute)),
  );
  return [...names].reduce(
    (share, name) => share * (entity.attributes.get(name)?.present.value ?? 1),
    1,
  );
}
