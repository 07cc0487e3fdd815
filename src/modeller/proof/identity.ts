import type { SeededRandom } from "../../base/random.ts";
import type { AttributeValue } from "../../item/attribute-value.ts";
import { formats } from "../../model/formats.ts";
import type { Attribute, Entity } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { References } from "../values/references.ts";
import type { EntityValues } from "../values/render-key.ts";

/** What new entities are made with. */
export interface Identity {
  readonly facts: Facts;
  readonly references: ReadonlyMap<string, References>;
  readonly random: SeededRandom;
}

export interface NewOptions {
  /** Attributes that stay as they are. */
  readonly keep?: ReadonlySet<string>;
  /** The ids that there are, if somebody knows them already. */
  readonly taken?: { has(id: string): boolean };
  /** Whom a part of an id that refers to something is taken from. */
  readonly choose?: (list: readonly EntityValues[]) => EntityValues | undefined;
}

const drawn =
  (random: SeededRandom) =>
  (list: readonly EntityValues[]): EntityValues | undefined =>
    list[random.below(list.length)];

const triesMax = 200;

/**
 * Gives an entity an id that none of the others has; unique values and versions go on from theirs. What is to be kept
 * stays. Answers whether there is such an id.
 */
export function makeNew(
  { facts, references, random }: Identity,
  entity: Entity,
  item: Map<string, AttributeValue>,
  all: readonly EntityValues[],
  { keep = new Set(), taken = idsOf(entity, all), choose = drawn(random) }: NewOptions = {},
): boolean {
  // An id with several parts is repeated by those that belong to it, too.
  const refers = new Set(
    references.get(entity.name)?.all.flatMap(({ attributes }) => attributes.map(({ own }) => own)),
  );
  const isLinked = (name: string): boolean =>
    refers.has(name) || facts.cardinality.parentOf(entity, name) !== undefined;
  const free = entity.id.filter((name) => !keep.has(name));
  const own = free.filter((name) => !isLinked(name));
  const linked = own.length === 0 ? free.filter(isLinked) : [];
  for (let round = 0; round < triesMax && free.length > 0; round += 1) {
    if (round > 0 && !taken.has(idText(entity, item))) break;
    for (const name of own) renew(entity, name, item, random);
    for (const name of linked) {
      const value = choose(all)?.get(name);
      if (value !== undefined && round < triesMax / 2) item.set(name, value);
      // All that there are may be taken: then it refers to something that is gone.
      else renew(entity, name, item, random);
    }
  }
  const version = versionOf(facts, entity.name);
  if (version !== undefined && !keep.has(version))
    item.set(version, nextVersion(entity, version, item, all));
  for (const { name, unique } of entity.attributes.values()) {
    if (unique && !entity.id.includes(name)) renew(entity, name, item, random);
  }
  return !taken.has(idText(entity, item));
}

/** The attribute that numbers the versions of an entity, if a table keeps them. */
export function versionOf({ model }: Facts, entity: string): string | undefined {
  const tables = [...(model.design?.tables.values() ?? [])];
  return tables.find(({ versioning }) => versioning?.entity === entity)?.versioning?.attribute;
}

/** The ids of entities that are in a state, which do not change any more. */
export function idsOf(entity: Entity, list: readonly EntityValues[]): ReadonlySet<string> {
  return new Set(list.map((values) => storedIdText(entity, values)));
}

const idTexts = new WeakMap<Entity, WeakMap<EntityValues, string>>();

/** The same as `idText` for an entity that does not change any more: every write and every new neighbour asks for all ids. */
export function storedIdText(entity: Entity, values: EntityValues): string {
  let texts = idTexts.get(entity);
  if (texts === undefined) {
    texts = new WeakMap();
    idTexts.set(entity, texts);
  }
  let text = texts.get(values);
  if (text === undefined) {
    text = idText(entity, values);
    texts.set(values, text);
  }
  return text;
}

/** The id of an entity as one text. */
export function idText({ id }: Entity, values: EntityValues): string {
  return JSON.stringify(id.map((name) => values.get(name)));
}

function renew(
  entity: Entity,
  name: string,
  item: Map<string, AttributeValue>,
  random: SeededRandom,
): void {
  const value = item.get(name);
  if (value !== undefined)
    item.set(name, otherValue(entity.attributes.get(name) as Attribute, value, random));
}

/** A value of the same size that nobody has, as far as chance goes. */
export function otherValue(
  { format, digits, values }: Attribute,
  value: AttributeValue,
  random: SeededRandom,
): AttributeValue {
  if (values !== undefined) {
    const one = values[random.below(values.length)]?.value;
    return "N" in value ? { N: String(one) } : { S: String(one) };
  }
  if ("N" in value) {
    if (format !== undefined) return { N: String(Number(value.N) - random.below(3_600)) };
    const length = Math.max(1, Math.min(digits ?? value.N.length, 9));
    return { N: String(1 + random.below(10 ** length - 1)) };
  }
  if ("BOOL" in value) return { BOOL: !value.BOOL };
  if ("B" in value) return { B: otherBytes(value.B, random) };
  if (!("S" in value)) return otherElements(value, random);
  const alphabet = format === "uuid" ? "0123456789abcdef" : "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  if (format === "iso-date" || format === "iso-time") {
    const time = Date.parse(value.S) - random.below(3_600_000);
    return { S: new Date(time).toISOString().slice(0, value.S.length) };
  }
  const length = Math.min(value.S.length, 8);
  const draw = (): string => alphabet[random.below(alphabet.length)] as string;
  const tail = Array.from({ length }, draw).join("");
  const lower = value.S === value.S.toLowerCase() ? tail.toLowerCase() : tail;
  return { S: value.S.slice(0, value.S.length - length) + lower };
}

const plainMoment = "2026-01-01T00:00:00.000Z";

/** A value that the attribute may have, where no entity has one to go by. */
export function plainValue({ type, format, values }: Attribute): AttributeValue {
  const [listed] = values ?? [];
  if (listed !== undefined) {
    const text = String(listed.value);
    return type === "N" ? { N: text } : { S: text };
  }
  if (format !== undefined) {
    const { S = 0, B = 0 } = formats[format].bytes;
    if (format.startsWith("iso")) return { S: plainMoment.slice(0, S) };
    const seconds = String(Date.parse(plainMoment) / 1_000);
    if (type === "N") return { N: format === "epoch-seconds" ? seconds : `${seconds}000` };
    return type === "B" ? { B: Buffer.alloc(B).toString("base64") } : { S: "0".repeat(S) };
  }
  switch (type) {
    case "N":
      return { N: "7" };
    case "B":
      return { B: "Nw==" };
    case "BOOL":
      return { BOOL: true };
    case "NULL":
      return { NULL: true };
    case "M":
      return { M: {} };
    case "L":
      return { L: [] };
    case "SS":
      return { SS: ["seven"] };
    case "NS":
      return { NS: ["7"] };
    case "BS":
      return { BS: ["Nw=="] };
    case "S":
      return { S: "seven" };
  }
}

/** The last bytes are drawn again: what comes first may be a time. */
function otherBytes(base64: string, random: SeededRandom): string {
  const bytes = Buffer.from(base64, "base64");
  const drawn = Array.from({ length: Math.max(1, Math.min(8, bytes.length)) }, () =>
    random.below(256),
  );
  return Buffer.from([...bytes.subarray(0, bytes.length - drawn.length), ...drawn]).toString(
    "base64",
  );
}

/** Another set, list or map: one element differs, and has the same size if that is possible. */
function otherElements(value: AttributeValue, random: SeededRandom): AttributeValue {
  const other = <T>(list: readonly T[], change: (element: T | undefined) => T): T[] => [
    ...list.slice(0, -1),
    change(list.at(-1)),
  ];
  const number = String(1 + random.below(999_999));
  const text = (old = number): string => old.slice(0, -8) + drawnText(old.slice(-8), random);
  if ("SS" in value) return { SS: other(value.SS, text) };
  if ("NS" in value) return { NS: other(value.NS, () => number) };
  if ("BS" in value) {
    return { BS: other(value.BS, (old = btoa(number)) => otherBytes(old, random)) };
  }
  const element = (old: AttributeValue = { S: number }): AttributeValue =>
    "S" in old && old.S !== "" ? { S: text(old.S) } : { S: number };
  if ("L" in value) return { L: other(value.L, element) };
  if (!("M" in value)) return value;
  const members = Object.entries(value.M);
  const at = Math.max(
    0,
    members.findIndex(([, member]) => "S" in member && member.S !== ""),
  );
  const [name, member] = members[at] ?? ["other"];
  return { M: { ...value.M, [name]: element(member) } };
}

function drawnText({ length }: string, random: SeededRandom): string {
  const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  return Array.from({ length }, () => letters[random.below(letters.length)]).join("");
}

/** One more than the newest of the same thing. */
function nextVersion(
  entity: Entity,
  version: string,
  item: EntityValues,
  all: readonly EntityValues[],
): AttributeValue {
  const rest = entity.id.filter((name) => name !== version);
  const numbers = all
    .filter((one) =>
      rest.every((name) => JSON.stringify(one.get(name)) === JSON.stringify(item.get(name))),
    )
    .map((one) => {
      const value = one.get(version);
      return value !== undefined && "N" in value ? Number(value.N) : 0;
    });
  return { N: String(Math.max(0, ...numbers) + 1) };
}
