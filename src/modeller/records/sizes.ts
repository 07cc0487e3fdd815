import { textSize } from "../../item/size.ts";
import { attributesOf } from "../../model/key-text.ts";
import type { Size } from "../../model/quantities.ts";
import type { Attribute, Entity, Operand, Predicate } from "../../model/requirements.ts";
import { attributeBytes } from "../sizes/attribute-size.ts";
import { ByteDistribution } from "../sizes/distribution.ts";
import { itemBytes, type StoredPart } from "../sizes/item-size.ts";
import { keyBytes } from "../sizes/key-size.ts";
import type { Cardinality } from "./cardinality.ts";
import type { Membership, StoredAttribute, StoredRecord } from "./record.ts";
import { holdsFor, type Share } from "./shares.ts";

/** What a write does to attributes that are there already. */
export interface Rewriting {
  /** They get another value; the constant, if it is one. */
  readonly sets: ReadonlyMap<string, Extract<Operand, { kind: "constant" }>["value"] | undefined>;
  readonly appends: readonly string[];
  readonly removes: readonly string[];
}

/** How large items and index entries are. Nothing where an attribute's size is an open question. */
export class Sizes {
  /** By their attributes: these are the same for who sees fewer memberships of a record. */
  private readonly items = new Map<StoredRecord["attributes"], ByteDistribution | undefined>();
  private readonly entries = new Map<Membership, ByteDistribution | undefined>();

  private readonly rewritings = new Map<
    StoredRecord["attributes"],
    Map<string, ByteDistribution>
  >();
  private readonly shared = new Map<
    StoredRecord["attributes"],
    Map<string, NonNullable<ReturnType<Sizes["alike"]>>>
  >();

  private readonly cardinality: Cardinality;
  private readonly shareIn: (record: StoredRecord, membership: Membership) => Share;

  constructor(
    cardinality: Cardinality,
    shareIn: (record: StoredRecord, membership: Membership) => Share,
  ) {
    this.cardinality = cardinality;
    this.shareIn = shareIn;
  }

  item(record: StoredRecord): ByteDistribution | undefined {
    const { attributes } = record;
    if (!this.items.has(attributes)) this.items.set(attributes, this.itemOf(record));
    return this.items.get(attributes);
  }

  entry(record: StoredRecord, membership: Membership): ByteDistribution | undefined {
    if (!this.entries.has(membership)) {
      this.entries.set(membership, this.entryOf(record, membership));
    }
    return this.entries.get(membership);
  }

  /**
   * The larger of the sizes before and after a write, which is what it is charged by. A value that is set is
   * taken to be independent of the one before. In some cases there was nothing before.
   */
  rewritten(
    record: StoredRecord,
    membership: Membership | undefined,
    change: Rewriting,
    wasThere = 1,
  ): ByteDistribution | undefined {
    const { sets, appends, removes } = change;
    if (sets.size + appends.length + removes.length === 0) {
      return membership === undefined ? this.item(record) : this.entry(record, membership);
    }
    const { attributes } = membership ?? record;
    const known = this.rewritings.get(attributes) ?? new Map<string, ByteDistribution>();
    this.rewritings.set(attributes, known);
    const key = JSON.stringify([[...sets], appends, removes, wasThere]);
    const size = known.get(key) ?? this.rewrittenOf(record, membership, change, wasThere);
    if (size !== undefined) known.set(key, size);
    return size;
  }

  private rewrittenOf(
    record: StoredRecord,
    membership: Membership | undefined,
    change: Rewriting,
    wasThere: number,
  ): ByteDistribution | undefined {
    const plain = membership === undefined ? this.item(record) : this.entry(record, membership);
    const stored = membership?.attributes ?? record.attributes;
    const changing = stored.filter(({ content }) =>
      mentions(content).some((name) => change.sets.has(name) || change.removes.includes(name)),
    );
    const grows = stored.some(({ content }) =>
      mentions(content).some((name) => change.appends.includes(name)),
    );
    if (plain === undefined || (changing.length === 0 && !grows)) return plain;
    const before = membership === undefined ? givenThere(record) : givenIn(record, membership);
    const [longer, after] = [new Map(before), new Map(before)];
    for (const name of change.appends) lengthen(longer, name);
    for (const name of change.removes) setPresence(after, name, 0);
    for (const [name, constant] of change.sets) {
      setPresence(after, name, 1);
      const attribute = after.get(name);
      if (
        attribute?.values !== undefined &&
        constant !== undefined &&
        constant !== true &&
        constant !== false
      ) {
        after.set(name, { ...attribute, values: [{ value: constant, share: 1 }] });
      }
    }
    const rest = stored.filter((one) => !changing.includes(one));
    const unchanged = this.bytes(record, rest, longer, membership);
    const [old, fresh] = [before, after].map((one) =>
      this.bytes(record, changing, one, membership),
    );
    if (unchanged === undefined || old === undefined || fresh === undefined) return undefined;
    const larger = { distribution: ByteDistribution.larger(old, fresh), share: wasThere };
    const first = { distribution: fresh, share: 1 - wasThere };
    return unchanged.plus(ByteDistribution.mixture([larger, first]));
  }

  /**
   * Items or entries that have the same values in some attributes, such as those of one partition. How often the bytes of
   * each of these are in one of them, and how large it is without them. Those that are always as large are left in it.
   */
  alike(
    record: StoredRecord,
    membership: Membership | undefined,
    fixed: readonly string[],
  ): { readonly own: ByteDistribution; readonly shared: ReadonlyMap<string, number> } | undefined {
    const stored = (membership ?? record).attributes;
    const all = this.shared.get(stored) ?? new Map();
    this.shared.set(stored, all);
    const names = [...new Set(fixed)].toSorted();
    const key = JSON.stringify(names);
    const known = all.get(key);
    if (known !== undefined) return known;
    const whole = membership === undefined ? this.item(record) : this.entry(record, membership);
    if (whole === undefined) return undefined;
    const attributes = membership === undefined ? givenThere(record) : givenIn(record, membership);
    const shared = new Map<string, number>();
    let own = whole;
    const without = new Map(attributes);
    for (const name of names) {
      const attribute = attributes.get(name);
      const bytes = attribute && attributeBytes(attribute);
      if (attribute === undefined || bytes === undefined || bytes.min === bytes.max) continue;
      const [one, none] = [1, 0].map((size) => {
        without.set(name, ofSize(attribute, size));
        return this.bytes(record, stored, without, membership);
      });
      if (one === undefined || none === undefined) return undefined;
      shared.set(name, Math.round(one.mean - none.mean));
      own = none;
    }
    const found = { own, shared };
    all.set(key, found);
    return found;
  }

  private itemOf(record: StoredRecord): ByteDistribution | undefined {
    return this.bytes(record, record.attributes, givenThere(record), undefined);
  }

  private entryOf(record: StoredRecord, membership: Membership): ByteDistribution | undefined {
    return this.bytes(record, membership.attributes, givenIn(record, membership), membership);
  }

  private bytes(
    record: StoredRecord,
    stored: readonly StoredAttribute[],
    attributes: ReadonlyMap<string, Attribute>,
    entry: Membership | undefined,
  ): ByteDistribution | undefined {
    const parts: StoredPart[] = [];
    const sometimes: ByteDistribution[] = [];
    for (const { name, content, membership: made } of stored) {
      if (content.kind === "attribute") {
        parts.push({ kind: "attribute", name, attribute: content.attribute.name });
      } else if (content.kind === "text") {
        parts.push({ kind: "other", name, bytes: ByteDistribution.fixed(textSize(content.text)) });
      } else if (content.kind === "embedded") {
        const bytes = this.embedded(content);
        if (bytes === undefined) return undefined;
        if (content.one)
          sometimes.push(
            bytes.plus(textSize(name)).present(this.shareOfOne(record.entity, content.entity)),
          );
        else parts.push({ kind: "other", name, bytes });
      } else {
        const other = record.memberships.find(({ index }) => index.name === made);
        const share =
          other === undefined || other === entry ? 1 : this.shareIn(record, other).value;
        if (share === 1 || other?.only.length === 0)
          parts.push({ kind: "key", name, text: content.text });
        else {
          const bytes = keyBytes(attributes, content.text);
          if (bytes === undefined) return undefined;
          sometimes.push(bytes.plus(textSize(name)).present(share));
        }
      }
    }
    const always = itemBytes(attributes, parts);
    return always && ByteDistribution.sum([always, ...sometimes]);
  }

  /** How many of one entity have one of another inside. */
  private shareOfOne(host: Entity, inner: Entity): number {
    const [all, those] = [host, inner].map((one) => this.cardinality.count(one)?.value ?? 1);
    return Math.min(1, (those ?? 1) / Math.max(1, all ?? 1));
  }

  /**
   * A list or a map of maps: 3 bytes, and for each element 1 and a map's 3, with 1 for each of its members. In a map each
   * has a name besides.
   */
  private embedded({
    entity: inner,
    by,
    one: isOne,
    links,
  }: Extract<StoredAttribute["content"], { kind: "embedded" }>): ByteDistribution | undefined {
    const own = links.map((link) => link.own);
    const per = own.length === 0 ? undefined : this.cardinality.itemsPer(inner, own);
    if (per === undefined) return undefined;
    const names = [...inner.attributes.keys()].filter((name) => !own.includes(name));
    const one = itemBytes(
      inner.attributes,
      names.map((name) => ({ kind: "attribute", name, attribute: name })),
    );
    const members = names.reduce(
      (sum, name) => sum + (inner.attributes.get(name)?.present.value ?? 1),
      0,
    );
    if (one === undefined) return undefined;
    if (isOne) return one.plus(3 + Math.round(members));
    const named = by === undefined ? 0 : Math.round(nameBytes(inner, by));
    return one
      .plus(1 + 3 + Math.round(members) + named)
      .times(per.value)
      .plus(3);
  }
}

/** The mean length of a text, or of a number as it is printed. */
function nameBytes({ attributes }: Entity, name: string): number {
  const attribute = attributes.get(name);
  if (attribute?.type === "N") return attribute.digits ?? 10;
  return (attribute && attributeBytes(attribute)?.mean) ?? 0;
}

/** The attributes of the entity that a stored one is made of. */
function mentions(content: StoredAttribute["content"]): readonly string[] {
  if (content.kind === "attribute") return [content.attribute.name];
  return content.kind === "key" ? attributesOf(content.text).map(({ attribute }) => attribute) : [];
}

function setPresence(attributes: Map<string, Attribute>, name: string, value: number): void {
  const attribute = attributes.get(name);
  if (attribute === undefined) return;
  attributes.set(name, { ...attribute, present: { value, assumed: false } });
}

function ofSize(attribute: Attribute, bytes: number): Attribute {
  const there = { value: 1, assumed: false };
  const size: Size = { distribution: { kind: "fixed", bytes }, from: "derived" };
  return { ...attribute, present: there, values: undefined, elements: undefined, size };
}

/** One element more. */
function lengthen(attributes: Map<string, Attribute>, name: string): void {
  const attribute = attributes.get(name);
  if (attribute?.elements === undefined) return;
  const { elements } = attribute;
  const average = { ...elements.average, value: elements.average.value + 1 };
  attributes.set(name, { ...attribute, elements: { ...elements, average } });
}

/** What is known of attributes of an item that is in an index. */
function givenIn(record: StoredRecord, { optional, only }: Membership): Map<string, Attribute> {
  const attributes = new Map(record.entity.attributes);
  for (const { name } of optional) setPresence(attributes, name, 1);
  for (const predicate of only) narrow(attributes, predicate);
  return attributes;
}

/** What is known of an attribute where a condition holds. */
function narrow(attributes: Map<string, Attribute>, predicate: Predicate): void {
  const attribute = attributes.get(predicate.attribute);
  if (attribute === undefined) return;
  const there = { value: 1, assumed: false };
  if (predicate.operator === "exists") {
    if (predicate.exists) attributes.set(attribute.name, { ...attribute, present: there });
    return;
  }
  const holds = holdsFor(predicate);
  const left = attribute.values?.filter(({ value }) => holds?.(value) ?? true);
  const total = left?.reduce((sum, { share }) => sum + share, 0) ?? 0;
  const values =
    left === undefined || total === 0
      ? attribute.values
      : left.map(({ value, share }) => ({ value, share: share / total }));
  attributes.set(attribute.name, { ...attribute, present: there, values });
}

/** A part or a guard of an item is there only if it holds something: its attributes are likelier to be there. */
function givenThere({
  role,
  entity,
  attributes,
  key,
}: StoredRecord): ReadonlyMap<string, Attribute> {
  if (role !== "split" && role !== "unique") return entity.attributes;
  const given = new Map(entity.attributes);
  const own =
    role === "unique"
      ? key.flatMap(({ text }) => attributesOf(text).map(({ attribute }) => attribute))
      : attributes.flatMap(({ content }) =>
          content.kind === "attribute" && !entity.id.includes(content.attribute.name)
            ? [content.attribute.name]
            : [],
        );
  const none = own.reduce((share, name) => share * (1 - (given.get(name)?.present.value ?? 1)), 1);
  for (const name of own) {
    const attribute = given.get(name);
    if (attribute === undefined || none === 1) continue;
    const value = role === "unique" ? 1 : attribute.present.value / (1 - none);
    given.set(name, { ...attribute, present: { ...attribute.present, value } });
  }
  return given;
}
