import { textSize } from "../../item/size.ts";
import { attributesOf } from "../../model/key-text.ts";
import type { Attribute, Entity, Predicate } from "../../model/requirements.ts";
import { ByteDistribution } from "../sizes/distribution.ts";
import { itemBytes, type StoredPart } from "../sizes/item-size.ts";
import { keyBytes } from "../sizes/key-size.ts";
import type { Cardinality } from "./cardinality.ts";
import type { Membership, StoredAttribute, StoredRecord } from "./record.ts";
import { holdsFor, type Share } from "./shares.ts";

/** How large items and index entries are. Nothing where an attribute's size is an open question. */
export class Sizes {
  private readonly items = new Map<StoredRecord, ByteDistribution | undefined>();
  private readonly entries = new Map<Membership, ByteDistribution | undefined>();

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
    if (!this.items.has(record)) this.items.set(record, this.itemOf(record));
    return this.items.get(record);
  }

  entry(record: StoredRecord, membership: Membership): ByteDistribution | undefined {
    if (!this.entries.has(membership)) {
      this.entries.set(membership, this.entryOf(record, membership));
    }
    return this.entries.get(membership);
  }

  private itemOf(record: StoredRecord): ByteDistribution | undefined {
    return this.bytes(record, record.attributes, givenThere(record), undefined);
  }

  private entryOf(record: StoredRecord, membership: Membership): ByteDistribution | undefined {
    const attributes = new Map(record.entity.attributes);
    for (const { name } of membership.optional) {
      const attribute = attributes.get(name) as Attribute;
      attributes.set(name, { ...attribute, present: { value: 1, assumed: false } });
    }
    for (const predicate of membership.only) narrow(attributes, predicate);
    return this.bytes(record, membership.attributes, attributes, membership);
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
        const bytes = this.embedded(record.entity, content.entity);
        if (bytes === undefined) return undefined;
        parts.push({ kind: "other", name, bytes });
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

  /** A list of maps: 3 bytes, and for each element 1 and a map's 3, with 1 for each of its members. */
  private embedded(host: Entity, inner: Entity): ByteDistribution | undefined {
    const [id = ""] = host.id;
    const link = [...inner.attributes.keys()].find(
      (name) => name === id || this.cardinality.parentOf(inner, name) === host,
    );
    const per = link === undefined ? undefined : this.cardinality.itemsPer(inner, [link]);
    if (per === undefined) return undefined;
    const names = [...inner.attributes.keys()].filter((name) => name !== link);
    const one = itemBytes(
      inner.attributes,
      names.map((name) => ({ kind: "attribute", name, attribute: name })),
    );
    const members = names.reduce(
      (sum, name) => sum + (inner.attributes.get(name)?.present.value ?? 1),
      0,
    );
    return one
      ?.plus(1 + 3 + Math.round(members))
      .times(per.value)
      .plus(3);
  }
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
  const operands = predicate.operands.flatMap((one) =>
    one.kind === "constant" ? [one.value] : [],
  );
  const holds = holdsFor(predicate.operator, operands);
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
