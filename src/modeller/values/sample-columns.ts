import type { SeededRandom } from "../../base/random.ts";
import type { AttributeValue } from "../../item/attribute-value.ts";
import { normaliseNumber } from "../../item/number.ts";
import type { Attribute, Entity } from "../../model/requirements.ts";
import { deal, dealAround, dealPresence, dealSizes } from "./decks.ts";
import { drawValue } from "./draw-value.ts";
import type { Making, Row } from "./sample-making.ts";
import { skewShares, textOf } from "./sample-rows.ts";
import { expires, momentOf } from "./sample-times.ts";
import { serialText } from "./text-for.ts";

/** How often a value that must be unique is drawn again. */
const attemptsMax = 100;

/** Fills in one attribute of all rows of an entity, as far as they do not have it. */
export function fillColumn(
  making: Making,
  entity: Entity,
  attribute: Attribute,
  expiredShare: number,
): void {
  const rows = making.rows.get(entity.name) ?? [];
  if (isReference(making, entity, attribute)) return;
  const random = making.random(entity.name, attribute.name);
  const present = dealPresence(attribute.present.value, rows.length, random);
  const having = rows.filter((row, place) => present[place] && !row.values.has(attribute.name));
  const draw = drawerOf(making, entity, attribute, having.length, random, expiredShare);
  const taken = new Set<string>();
  for (const [place, row] of having.entries()) {
    const value = attribute.unique
      ? uniqueValue(() => draw(row, place), attribute, taken)
      : (inherited(row, attribute) ?? draw(row, place));
    if (value !== undefined) row.values.set(attribute.name, value);
  }
}

function isReference({ references }: Making, { name, id }: Entity, attribute: Attribute): boolean {
  if (id.includes(attribute.name)) return true;
  const all = references.get(name)?.all ?? [];
  return all.some(({ attributes }) => attributes.some(({ own }) => own === attribute.name));
}

/** The id of something that is no entity is that of whom the row refers to, if they have it too. */
function inherited(row: Row, { name, type }: Attribute): AttributeValue | undefined {
  if (!/id$/i.test(name)) return undefined;
  for (const { entity, values } of row.targets.values()) {
    if (entity.attributes.get(name)?.type === type) return values.get(name);
  }
  return undefined;
}

type Drawer = (row: Row, place: number) => AttributeValue | undefined;

function drawerOf(
  making: Making,
  entity: Entity,
  attribute: Attribute,
  count: number,
  random: SeededRandom,
  expiredShare: number,
): Drawer {
  const { name, values, type, skew } = attribute;
  if (values !== undefined) {
    const places = deal(
      values.map(({ share }) => share),
      count,
      random,
    );
    return (_, place) => constant(type, values[places[place] ?? 0]?.value ?? "");
  }
  const pool = attribute.unique ? undefined : making.pool(entity, attribute);
  if (pool !== undefined) {
    const places = deal(skewShares(skew, pool.length), count, random);
    return (_, place) => pool[places[place] ?? 0];
  }
  const sizes = sizesOf(attribute, count, random);
  const isExpiry = expires(making.model, entity, attribute);
  const expired = isExpiry ? dealPresence(expiredShare, count, random) : [];
  const purpose = { entity: entity.name, attribute: name, personal: attribute.personal };
  let serial = 0;
  return (row, place) => {
    const { bytes, elements } = sizes(place);
    if (type === "S" && attribute.format === undefined && /id$/i.test(name)) {
      serial += 1;
      return { S: serialText(name, bytes() ?? 12, serial) };
    }
    const moment = {
      born: row.born,
      now: making.now,
      isExpiry,
      expired: expiredShare > 0 && expired[place] === true,
    };
    return drawValue(attribute, {
      random,
      purpose,
      bytes,
      elements,
      time: momentOf(entity, attribute, moment, random),
    });
  };
}

export function constant(type: Attribute["type"], value: string | number): AttributeValue {
  if (type !== "N") return { S: String(value) };
  const number = normaliseNumber(String(value));
  return { N: typeof number === "string" ? number : "0" };
}

interface Sizes {
  readonly bytes: () => number | undefined;
  readonly elements: number | undefined;
}

/** The sizes of values, or of all their elements, dealt out over the whole column. */
function sizesOf(
  { size, elements }: Attribute,
  count: number,
  random: SeededRandom,
): (place: number) => Sizes {
  if (elements === undefined) {
    const sizes = size && dealSizes(size.distribution, count, random);
    return (place) => ({ bytes: () => sizes?.[place], elements: undefined });
  }
  const max = elements.max?.value ?? Number.POSITIVE_INFINITY;
  const counts = dealAround(elements.average.value, count, random).map((one) => Math.min(one, max));
  const total = counts.reduce((sum, one) => sum + one, 0);
  const sizes = size && dealSizes(size.distribution, total, random);
  let next = 0;
  const bytes = (): number | undefined => {
    next += 1;
    return sizes?.[next % sizes.length];
  };
  return (place) => ({ bytes, elements: counts[place] ?? 0 });
}

function uniqueValue(
  draw: () => AttributeValue | undefined,
  { name }: Attribute,
  taken: Set<string>,
): AttributeValue | undefined {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const value = draw();
    if (value === undefined) return undefined;
    // Keys may ignore case, and so does this.
    const text = textOf(value).toLowerCase();
    if (taken.has(text)) continue;
    taken.add(text);
    return value;
  }
  // There are too few short ones; numbers never run out before they do.
  const value = draw();
  if (value === undefined || !("S" in value)) return undefined;
  for (let serial = 0; serial < 10_000; serial += 1) {
    const text = serialText(name, value.S.length, serial);
    if (taken.has(text)) continue;
    taken.add(text);
    return { S: text };
  }
  return undefined;
}
