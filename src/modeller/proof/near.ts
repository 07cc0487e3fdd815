import type { SeededRandom } from "../../base/random.ts";
import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Segment } from "../../model/key-text.ts";
import type { Attribute, Entity, Order, Predicate } from "../../model/requirements.ts";
import type { Plan } from "../plans/plan.ts";
import { type EntityValues, renderKey } from "../values/render-key.ts";
import { storedAttributes } from "../values/sample.ts";
import { periodName, timeOf } from "../values/time-of.ts";
import { ownReads, sparseIn } from "./findable.ts";
import { inAnyCase } from "./folding.ts";
import {
  type Identity,
  idText,
  makeNew,
  otherValue,
  plainValue,
  storedIdText,
} from "./identity.ts";
import { foldedIn } from "./oracle/case.ts";
import { awkwardValues, varied } from "./perturb.ts";

const straysMax = 3;

/** Makes entities that are near to one. */
export class Near {
  private readonly making: Identity;
  private readonly plan: Plan;
  private readonly entity: Entity;
  /** All entities of the kind; what is made goes in here. */
  private readonly list: EntityValues[];
  private readonly random: SeededRandom;
  /** Attributes that conditions fix. */
  private readonly equal: ReadonlySet<string>;
  private readonly varied: readonly Attribute[];
  private readonly folded: ReadonlySet<string>;

  constructor(
    making: Identity,
    plan: Plan,
    entity: Entity,
    where: readonly Predicate[],
    order: readonly Order[],
    list: EntityValues[],
    fixed: ReadonlySet<string> = new Set(),
  ) {
    this.making = making;
    this.plan = plan;
    this.entity = entity;
    this.list = list;
    this.random = making.random;
    const isEqual = ({ operator }: Predicate): boolean =>
      operator === "equals" || operator === "one-of" || operator === "contains";
    this.equal = new Set([
      ...fixed,
      ...where.filter(isEqual).map(({ attribute }) => attribute),
      ...sparseIn(plan).map(({ attribute }) => attribute),
    ]);
    const asked = new Set([
      ...where.filter((one) => !isEqual(one)).map(({ attribute }) => attribute),
      ...order.map(({ attribute }) => attribute),
    ]);
    this.varied = [...asked].flatMap((name) =>
      this.equal.has(name) ? [] : (entity.attributes.get(name) ?? []),
    );
    this.folded = foldedIn(making.facts.model, entity);
  }

  /** A group with as many as are wanted, or as there can be, and neighbours that are not in it. */
  around(anchor: EntityValues, wanted: number): readonly EntityValues[] {
    const group: EntityValues[] = this.list.includes(anchor) ? [anchor] : [];
    if (group.length === 0 && this.isNew(anchor)) {
      this.list.push(anchor);
      group.push(anchor);
    }
    for (let i = 0; i < wanted; i += 1) {
      const one = this.variant(anchor, this.equal, i);
      // Most lie in the last shard, the others wherever it happens.
      if (one !== undefined && i < wanted - 4) this.intoLastShard(one);
      if (one !== undefined && this.isNew(one)) {
        const made = inAnyCase(one, this.folded);
        this.list.push(made);
        group.push(made);
      }
    }
    this.misses(anchor);
    return group;
  }

  private isNew(one: EntityValues): boolean {
    const id = idText(this.entity, one);
    return !this.list.some((other) => storedIdText(this.entity, other) === id);
  }

  private variant(
    anchor: EntityValues,
    keep: ReadonlySet<string>,
    at: number,
  ): Map<string, AttributeValue> | undefined {
    const item = new Map(anchor);
    const ids = new Set(this.entity.id);
    if (!makeNew(this.making, this.entity, item, this.list, { keep })) return undefined;
    for (const attribute of this.varied) {
      const pool = this.poolOf(attribute, anchor);
      // Parts of an id go through all values, others tie.
      const isPart = ids.has(attribute.name);
      const value = pool[isPart ? at % pool.length : this.random.below(pool.length)];
      if (value !== undefined)
        item.set(attribute.name, isPart ? value : varied(attribute, value, this.random));
    }
    for (const attribute of storedAttributes(this.making.facts.model, this.entity)) {
      const { name, isOptional } = attribute;
      if (keep.has(name) || ids.has(name) || !isOptional) continue;
      const isThere = item.has(name);
      if (isThere && this.random.unit() < 0.25) item.delete(name);
      // What hardly any entity has is in the answer, too: else nothing tells whether it is read.
      const value = isThere || this.random.unit() < 0.5 ? undefined : this.someValue(attribute);
      if (value !== undefined) item.set(name, value);
    }
    return item;
  }

  /** A value that some entity has, or could have; nothing where another entity decides which one. */
  private someValue(attribute: Attribute): AttributeValue | undefined {
    const { name, unique, copyOf, format } = attribute;
    const { cardinality } = this.making.facts;
    if (unique || copyOf !== undefined || name === this.entity.version) return undefined;
    if (cardinality.parentOf(this.entity, name) !== undefined) return undefined;
    const known = this.list.find((one) => one.has(name))?.get(name);
    if (known !== undefined || format !== undefined) return known;
    return awkwardValues(attribute, this.folded.has(name))[0] ?? plainValue(attribute);
  }

  private poolOf(attribute: Attribute, anchor: EntityValues): readonly AttributeValue[] {
    const own = anchor.get(attribute.name);
    const time = timeOf(attribute, own);
    const { unique, format } = attribute;
    if (unique || (format !== undefined && time === undefined)) return [];
    if (own !== undefined && time !== undefined && /^(iso|epoch)/.test(format ?? "")) {
      return this.moments(attribute, own, time);
    }
    return format === undefined ? awkwardValues(attribute, this.folded.has(attribute.name)) : [];
  }

  /** Moments around one, in the same period if tables have periods. */
  private moments(
    attribute: Attribute,
    own: AttributeValue,
    time: number,
  ): readonly AttributeValue[] {
    const periods = [...(this.making.facts.model.design?.tables.values() ?? [])].flatMap(
      ({ periods: one }) => (one?.attribute === attribute.name ? [one] : []),
    );
    return momentSteps
      .map((step) => time - step)
      .filter((one) =>
        periods.every(({ every }) => periodName(every, one) === periodName(every, time)),
      )
      .map((one) => {
        if (attribute.format === "epoch-seconds") return { N: String(Math.floor(one / 1_000)) };
        if (attribute.format === "epoch-milliseconds") return { N: String(one) };
        return { S: new Date(one).toISOString().slice(0, "S" in own ? own.S.length : 24) };
      });
  }

  /** Others that one condition alone keeps out. */
  misses(anchor: EntityValues): void {
    for (const name of this.equal) {
      const attribute = this.entity.attributes.get(name);
      const value = anchor.get(name);
      if (attribute === undefined || value === undefined) continue;
      for (const other of this.closeTo(attribute, value)) {
        // With another part of the id the rest of it may be the same; all else tells them apart.
        const isPart = this.entity.id.includes(name);
        const one = isPart ? this.stranger(anchor) : this.variant(anchor, this.equal, 0);
        one?.set(name, other);
        for (const { name: own, unique } of this.entity.attributes.values()) {
          const guarded = unique ? one?.get(own) : undefined;
          const described = this.entity.attributes.get(own) as Attribute;
          if (guarded !== undefined) one?.set(own, otherValue(described, guarded, this.random));
        }
        if (one !== undefined && this.isNew(one)) this.list.push(inAnyCase(one, this.folded));
        this.strays(anchor, name, other);
      }
    }
  }

  /** Some who miss the condition, spread among those who do not. */
  private strays(anchor: EntityValues, name: string, other: AttributeValue): void {
    for (let i = 0; i < straysMax; i += 1) {
      const one = this.variant(anchor, this.equal, i);
      one?.set(name, other);
      if (one !== undefined && this.isNew(one)) this.list.push(inAnyCase(one, this.folded));
    }
  }

  /** Somebody else under the same id. */
  private stranger(anchor: EntityValues): Map<string, AttributeValue> {
    const one = new Map(this.list[this.random.below(this.list.length)] ?? anchor);
    for (const name of this.entity.id) {
      const value = anchor.get(name);
      if (value !== undefined) one.set(name, value);
    }
    return one;
  }

  private closeTo(attribute: Attribute, value: AttributeValue): readonly AttributeValue[] {
    const { values, format, unique } = attribute;
    if (unique) return [];
    const other = this.otherInShard(attribute, value);
    if (values !== undefined) {
      const all = values.map(({ value: one }) =>
        "N" in value ? { N: String(one) } : { S: String(one) },
      );
      return all.filter((one) => JSON.stringify(one) !== JSON.stringify(value)).slice(0, 2);
    }
    // A text that begins with the other one.
    if ("S" in value && format === undefined) return [{ S: `${value.S}0` }, other];
    if ("N" in value && format === undefined) {
      // A number with one digit less is the beginning of the other's text.
      const shorter = Math.floor(Number(value.N) / 10);
      return shorter > 0 ? [{ N: String(shorter) }, other] : [other];
    }
    if ("BOOL" in value) return [{ BOOL: !value.BOOL }];
    const known = this.list.flatMap((one) => one.get(attribute.name) ?? []);
    const some = known.find((one) => JSON.stringify(one) !== JSON.stringify(value));
    return some === undefined ? [other] : [some, other];
  }

  /** Another value, in the same shard if shards are calculated from it. */
  private otherInShard(attribute: Attribute, value: AttributeValue): AttributeValue {
    const segment = this.calculated();
    const isDeciding = segment?.by.kind === "calculated" && segment.by.attribute === attribute.name;
    const other = (): AttributeValue => otherValue(attribute, value, this.random);
    if (segment === undefined || !isDeciding) return other();
    const shard = (one: AttributeValue): string =>
      this.shardOf(segment, new Map([[attribute.name, one]]));
    let drawn = other();
    for (let tries = 0; tries < 20 * segment.count && shard(drawn) !== shard(value); tries += 1)
      drawn = other();
    return drawn;
  }

  private calculated(): ShardSegment | undefined {
    const texts = ownReads(this.plan).flatMap(({ partition }) => partition.map((one) => one.text));
    return texts.flatMap(({ segments }) => segments).find(isCalculated);
  }

  private shardOf(segment: ShardSegment, values: EntityValues): string {
    const text = { text: "", segments: [segment], offsets: [0], native: undefined };
    const key = renderKey(text, { entity: this.entity, values });
    return key !== undefined && "S" in key ? key.S : "";
  }

  /** Draws the attribute that a shard is calculated from until it is the last one. */
  private intoLastShard(item: Map<string, AttributeValue>): void {
    const segment = this.calculated();
    const name = segment?.by.kind === "calculated" ? segment.by.attribute : "";
    const attribute = this.entity.attributes.get(name);
    if (segment === undefined || attribute === undefined || this.equal.has(name)) return;
    for (let tries = 0; tries < 20 * segment.count; tries += 1) {
      const value = item.get(name);
      if (value === undefined || this.shardOf(segment, item) === String(segment.count - 1)) return;
      item.set(name, otherValue(attribute, value, this.random));
    }
  }
}

const momentSteps = [0, 1_000, 60_000, 3_600_000, 2_000, 7_200_000, 86_400_000];

type ShardSegment = Segment & { readonly kind: "shard" };

function isCalculated(segment: Segment): segment is ShardSegment {
  return segment.kind === "shard" && segment.by.kind === "calculated";
}
