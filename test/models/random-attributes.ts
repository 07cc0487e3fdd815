import type { AttributeDocument, FormatName } from "../../src/model/document-requirements.ts";
import type { ModelRandom } from "./model-random.ts";

/** Draws attributes that are neither ids nor references: each has a role, and its name comes from the role. */

export interface NamedAttribute {
  readonly name: string;
  readonly attribute: AttributeDocument;
}

const names = {
  text: ["title", "nickname", "body", "remark", "given-name", "_origin", "year", "constructor"],
  state: ["status", "phase", "priority", "grade"],
  moment: ["createdAt", "dueOn", "seenAt", "expiresAt", "date"],
  identifier: ["traceId", "batchRef", "externalId"],
  measure: ["total", "price", "score", "rank", "weight"],
  counter: ["visits", "stock", "likes"],
  flag: ["isActive", "isPublic"],
  nothing: ["placeholder"],
  binary: ["thumbnail", "digest", "payload"],
  collection: ["tags", "phones", "parts", "settings", "history"],
  group: ["city", "category", "country", "language"],
  address: ["email", "loginName"],
  serial: ["serialNumber", "badge"],
} as const;

type Role = keyof typeof names;

const weights: Readonly<Record<Role, number>> = {
  text: 5,
  state: 4,
  moment: 4,
  identifier: 1,
  measure: 4,
  counter: 2,
  flag: 1.5,
  nothing: 0.2,
  binary: 0.7,
  collection: 2,
  group: 3,
  address: 1,
  serial: 0.4,
};

/** Every name that an attribute of this file may have. */
export const attributeNames: readonly string[] = Object.values(names).flat();

export function randomAttribute(random: ModelRandom): NamedAttribute {
  const role = random.weighted(weights);
  return { name: random.pick<string>(names[role]), attribute: attributeFor(random, role) };
}

/** A number that the version of an entity can be. */
export function versionAttribute(random: ModelRandom): AttributeDocument {
  return { type: "N", ...random.maybe(0.6, () => ({ digits: random.between(2, 6) })) };
}

function attributeFor(random: ModelRandom, role: Role): AttributeDocument {
  switch (role) {
    case "text":
      return finished(random, { type: "S", ...size(random, 0.5, 3.2) }, 0.25);
    case "state":
      return finished(random, stateAttribute(random), 0.1);
    case "moment":
      return finished(random, momentAttribute(random), 0.15);
    case "identifier":
      return finished(random, identifierAttribute(random), 0.2);
    case "measure":
      return finished(random, measureAttribute(random), 0.15);
    case "counter":
      return finished(random, { ...measureAttribute(random), counter: random.chance(0.9) }, 0.05);
    case "flag":
      return finished(random, { type: "BOOL" }, 0.1);
    case "nothing":
      return finished(random, { type: "NULL" }, 0.3);
    case "binary":
      return finished(random, { type: "B", ...size(random, 1, random.chance(0.1) ? 5.3 : 4) }, 0.2);
    case "collection":
      return finished(random, collectionAttribute(random), 0.2);
    case "group":
      return finished(random, groupAttribute(random), 0.1);
    case "address":
      return finished(random, addressAttribute(random), 0.1);
    case "serial":
      return finished(random, { type: "N", digits: random.between(6, 12), unique: true }, 0.1);
  }
}

function size(
  random: ModelRandom,
  lowExponent: number,
  highExponent: number,
): Pick<AttributeDocument, "bytes"> {
  return random.isMissing() ? {} : { bytes: random.bytes(lowExponent, highExponent) };
}

/** Members that go with every type. */
function finished(
  random: ModelRandom,
  attribute: AttributeDocument,
  optional: number,
): AttributeDocument {
  return {
    ...attribute,
    ...random.maybe(random.traits.isVerbose ? 0.3 : 0, () => ({ description: random.sentence() })),
    ...random.maybe(optional, () => ({ present: random.amount(random.share()) })),
    ...random.maybe(0.02, () => ({ present: 1 })),
    ...random.maybe(0.25, () => ({ mutable: random.chance(0.15) })),
    ...random.maybe(0.08, () => ({ personal: random.chance(0.9) })),
    ...random.maybe(attribute.type === "S" ? 0.01 : 0, () => ({ unique: false })),
  };
}

function stateAttribute(random: ModelRandom): AttributeDocument {
  if (random.chance(0.25)) {
    const values = random.pick([
      [1, 2, 3],
      [0, 1, 10, 2.5],
      { "1": 0.8, "2": 0.15, "3": 0.05 },
      { "-1": 0.5, "0": 0.25, "7": 0.25 },
    ]);
    return { type: "N", values, ...random.maybe(0.1, () => ({ digits: 2 })) };
  }
  const values = random.pick([
    ["open", "closed"],
    ["draft", "sent", "read", "archived"],
    ["only"],
    { active: 0.9, suspended: 0.1 },
    { new: 0.02, paid: 0.08, shipped: 0.9 },
    { "in progress": 0.5, "#done": 0.5 },
    { A: 1, B: 0 },
  ]);
  return { type: "S", values };
}

function momentAttribute(random: ModelRandom): AttributeDocument {
  const format = random.pick<FormatName>([
    "iso-date",
    "iso-time",
    "iso-time",
    "epoch-seconds",
    "epoch-milliseconds",
  ]);
  return { type: format.startsWith("epoch") ? "N" : "S", format };
}

function identifierAttribute(random: ModelRandom): AttributeDocument {
  return {
    type: random.chance(0.85) ? "S" : "B",
    format: random.pick<FormatName>(["ulid", "ksuid", "uuid"]),
    ...random.maybe(0.5, () => ({ distinct: random.amount(random.magnitude(1, 5)) })),
    ...random.maybe(0.2, () => ({ unique: true })),
  };
}

function measureAttribute(random: ModelRandom): AttributeDocument {
  return {
    type: "N",
    ...random.maybe(0.8, () => ({ digits: random.chance(0.03) ? 38 : random.between(1, 9) })),
    ...random.maybe(0.3, () => ({ distinct: random.amount(random.magnitude(0.5, 4)) })),
    ...random.maybe(0.1, () => ({ skew: randomSkew(random) })),
  };
}

function collectionAttribute(random: ModelRandom): AttributeDocument {
  const type = random.pick<AttributeDocument["type"]>(["L", "M", "SS", "NS", "BS", "L", "M", "SS"]);
  const average = random.magnitude(0, 1.3);
  return {
    type,
    ...(type === "NS" && random.chance(0.7)
      ? random.maybe(0.7, () => ({ digits: random.between(1, 9) }))
      : size(random, 0.5, 2.2)),
    ...random.maybe(0.75, () => ({
      elements: {
        average: random.amount(average),
        ...random.maybe(0.85, () => ({
          max: random.amount(Math.ceil(average * random.pick([1, 3, 10]))),
        })),
      },
    })),
  };
}

function groupAttribute(random: ModelRandom): AttributeDocument {
  return {
    type: "S",
    ...size(random, 0.3, 1.5),
    ...random.maybe(0.9, () => ({ distinct: random.amount(random.magnitude(0.5, 4)) })),
    ...random.maybe(0.25, () => ({ skew: randomSkew(random) })),
  };
}

function addressAttribute(random: ModelRandom): AttributeDocument {
  return { type: "S", ...size(random, 1, 1.8), unique: random.chance(0.9), personal: true };
}

export function randomSkew(random: ModelRandom): NonNullable<AttributeDocument["skew"]> {
  return random.chance(0.6)
    ? { hottest: random.amount(random.pick([0.001, 0.01, 0.05, 0.2])) }
    : { zipf: random.amount(random.pick([0.7, 0.9, 1.1])) };
}
