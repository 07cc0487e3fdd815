import type {
  PlacementDocument,
  TableDocument,
  UniqueDocument,
} from "../../src/model/document-design.ts";
import type { AttributeDocument } from "../../src/model/document-requirements.ts";
import type { ModelDocument } from "../../src/model/model-document.ts";
import type { Entity, Pattern } from "../../src/model/requirements.ts";
import { addedToId } from "../../src/modeller/key-identity.ts";
import {
  attributeOf,
  type Draft,
  firstOf,
  isAlways,
  isKeyType,
  type Placed,
  placedIn,
  readsOf,
  storedIn,
  tablesOf,
  withDesign,
  withPlacement,
  withTable,
} from "./design-draft.ts";
import { partSabotages } from "./part-sabotage.ts";
import { refusedSabotages } from "./refused-sabotage.ts";
import type { Sabotage } from "./sabotage.ts";
import { settingSabotages } from "./setting-sabotage.ts";
import { statedSabotages, transformSabotages } from "./stated-sabotage.ts";

/** Mistakes in tables, keys and what is stored: each loses items or values, or accepts what must be refused. */

/** Attributes that a text is made of. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/\{([^|}:]+)(?:\|[^}]*)?\}/g)].map(([, name = ""]) => name);
}

const isUniqueAlone = ({ attributes }: Entity, names: readonly string[]): boolean =>
  names.some((name) => attributes.get(name)?.unique);

/** Patterns that the design has to serve. */
function servedIn({ model }: Draft): readonly Pattern[] {
  return [...model.patterns.values()].filter(
    ({ status }) => status !== "declined" && status !== "alternative",
  );
}

/** Patterns that create an entity and must refuse one whose id exists. */
function creatorsOf(draft: Draft, entity: string): readonly Pattern[] {
  return servedIn(draft).filter(({ actions }) =>
    actions.some(
      (one) => one.kind === "create" && one.entity === entity && one.condition?.kind === "absent",
    ),
  );
}

/** The table with another key for its only entity; indexes that use the old one go. */
function rekeyed(
  { document, entity, placement }: Placed,
  texts: PlacementDocument["key"],
): TableDocument {
  const key = Object.fromEntries(
    Object.entries(document.key).filter(([name]) => texts[name] !== undefined),
  );
  return {
    ...document,
    key,
    entities: { ...document.entities, [entity.name]: { ...placement, key: texts } },
  };
}

const lostIdAttribute: Sabotage = {
  name: "lost-id-attribute",
  rules: ["key-does-not-identify"],
  apply: (draft) =>
    firstOf(draft, placedIn(draft), (placed) => {
      const { entity, placement, document, table } = placed;
      const { key } = placement;
      const named = Object.values(key).flatMap(namesIn);
      const lost = draft.random.pick(entity.id);
      const rest = named.filter((name) => name !== lost);
      if (entity.id.length < 2 || isUniqueAlone(entity, rest) || placement.split) return undefined;
      if (Object.keys(document.entities ?? {}).length > 1 || document.indexes) return undefined;
      const texts = Object.fromEntries(
        Object.entries(key).flatMap(([name, text]) => {
          const left = text.replaceAll(new RegExp(`#?\\{${lost}(\\|[^}]*)?\\}`, "g"), "");
          return left === "" ? [] : [[name, left] as const];
        }),
      );
      if (Object.keys(texts).length === 0 || JSON.stringify(texts) === JSON.stringify(key))
        return undefined;
      if (Object.keys(texts)[0] !== Object.keys(key)[0]) return undefined;
      return {
        document: withTable(draft, table, rekeyed(placed, texts)),
        what: `${table} without ${lost}: ${JSON.stringify(texts)}`,
        why: `two ${entity.name} that differ only in ${lost} overwrite each other`,
      };
    }),
};

const coarseTimeInKey: Sabotage = {
  name: "coarse-time-in-key",
  rules: ["key-does-not-identify"],
  apply: (draft) =>
    firstOf(draft, placedIn(draft), (placed) => {
      const { entity, placement, document, table } = placed;
      const time = entity.id.find((name) =>
        ["iso-time", "iso-date"].includes(attributeOf(entity, name).format ?? ""),
      );
      const [partition, sort] = Object.keys(document.key);
      if (time === undefined || sort === undefined || placement.key[sort] !== `{${time}}`)
        return undefined;
      if (Object.keys(document.entities ?? {}).length > 1 || document.indexes) return undefined;
      const key = { [partition ?? ""]: document.key[partition ?? ""] ?? "S", coarse: "S" as const };
      const texts = {
        [partition ?? ""]: placement.key[partition ?? ""] ?? "",
        coarse: `{${time}|month}`,
      };
      return {
        document: withTable(draft, table, {
          ...document,
          key,
          entities: { [entity.name]: { ...placement, key: texts } },
        }),
        what: `${table} by the month of ${time}`,
        why: `two ${entity.name} of one month overwrite each other`,
      };
    }),
};

/** A key attribute that is made, so that its text can be changed; undefined if there is none. */
function madeKey({ document, entity }: Placed): string | undefined {
  return Object.entries(document.key).find(
    ([name, type]) => type === "S" && !entity.attributes.has(name),
  )?.[0];
}

/** What belongs to an id for ever does no harm in a key: no caller hands in the same id with another value of it. */
function isAdded({ model }: Draft, entity: Entity, name: string): boolean {
  return addedToId(model, entity, [name]).length > 0;
}

const extraKeyAttribute: Sabotage = {
  name: "extra-key-attribute",
  rules: ["mutable-attribute-in-key", "id-not-unique"],
  apply: (draft) =>
    firstOf(draft, placedIn(draft), (placed) => {
      const { entity, placement } = placed;
      const made = madeKey(placed);
      const [free] = [...entity.attributes.values()].filter(
        (one) =>
          isKeyType(one) &&
          one.type !== "B" &&
          isAlways(one) &&
          isAdded(draft, entity, one.name) &&
          one.format !== undefined,
      );
      if (made === undefined || free === undefined) return undefined;
      if (creatorsOf(draft, entity.name).length === 0 || placement.split) return undefined;
      const key = { ...placement.key, [made]: `${placement.key[made]}#{${free.name}}` };
      return {
        document: withPlacement(draft, placed, { ...placement, key }),
        what: `${made} also has ${free.name}`,
        why: `a second ${entity.name} with the same id and another ${free.name} is not refused`,
      };
    }),
};

const randomShardInTableKey: Sabotage = {
  name: "random-shard-in-table-key",
  rules: ["key-does-not-identify"],
  apply: (draft) =>
    firstOf(draft, placedIn(draft), (placed) => {
      const { entity, placement } = placed;
      const made = madeKey(placed);
      if (made === undefined || creatorsOf(draft, entity.name).length === 0 || placement.split)
        return undefined;
      const key = { ...placement.key, [made]: `${placement.key[made]}#{shard:8}` };
      return {
        document: withPlacement(draft, placed, { ...placement, key }),
        what: `${made} has a random shard`,
        why: `a second ${entity.name} with the same id in another shard is not refused`,
      };
    }),
};

const collidingKinds: Sabotage = {
  name: "colliding-kinds",
  rules: ["key-does-not-identify"],
  apply: (draft) =>
    firstOf(draft, placedIn(draft), (placed) => {
      const others = placedIn(draft).filter(
        ({ table, entity }) => table === placed.table && entity !== placed.entity,
      );
      return firstOf(draft, others, (other) => {
        const own = Object.values(placed.placement.key).flatMap(namesIn);
        const theirs = Object.values(other.placement.key).flatMap(namesIn);
        const shared = own.length === theirs.length;
        const types = (one: Placed, names: readonly string[]): string =>
          names
            .map(
              (name) =>
                `${attributeOf(one.entity, name).type} ${attributeOf(one.entity, name).format}`,
            )
            .join();
        if (!shared || types(placed, own) !== types(other, theirs) || placed.placement.split)
          return undefined;
        const key = Object.fromEntries(
          Object.entries(other.placement.key).map(([name, text]) => [
            name,
            theirs
              .reduce((all, from, i) => all.replaceAll(`{${from}`, `{\u0000${own[i]}`), text)
              .replaceAll("\u0000", ""),
          ]),
        );
        return {
          document: withPlacement(draft, placed, { ...placed.placement, key }),
          what: `${placed.entity.name} has the key of ${other.entity.name}`,
          why: "an item of one kind is taken for the other one, and overwrites it if their ids are the same",
        };
      });
    }),
};

function withUnique(
  draft: Draft,
  /** Other guards instead of one; undefined if they cannot be made. */
  change: (guard: UniqueDocument, home: string) => readonly UniqueDocument[] | undefined,
  what: string,
  why: string,
): ReturnType<Sabotage["apply"]> {
  return firstOf(draft, tablesOf(draft), ({ table, document }) => {
    const { unique = [], ...rest } = document;
    const guarded = unique.filter(({ entity, attribute }) => {
      const read = draft.model.entities.get(entity);
      const isAsked =
        read?.attributes.get(attribute)?.unique === true && !read.id.includes(attribute);
      const writers = servedIn(draft).filter(({ actions }) =>
        actions.some(
          (one) =>
            one.entity === entity &&
            (one.kind === "create" || one.changes.some((each) => each.attribute === attribute)),
        ),
      );
      return isAsked && writers.length > 0;
    });
    if (guarded.length === 0) return undefined;
    const chosen = draft.random.pick(guarded);
    const changed = change(chosen, table);
    if (changed === undefined) return undefined;
    const left = unique.flatMap((one) => (one === chosen ? changed : one));
    return {
      document: withTable(draft, table, { ...rest, ...(left.length > 0 && { unique: left }) }),
      what: `${chosen.entity}.${chosen.attribute}: ${what}`,
      why,
    };
  });
}

const lostGuard: Sabotage = {
  name: "lost-guard",
  rules: ["uniqueness-by-index"],
  apply: (draft) => withUnique(draft, () => [], "no guard", "a value that is taken is not refused"),
};

const guardOfNothing: Sabotage = {
  name: "guard-without-value",
  rules: ["key-does-not-identify"],
  apply: (draft) =>
    withUnique(
      draft,
      (guard, home) => {
        const target = draft.design.tables[guard.table ?? home];
        if (Object.values(target?.key ?? {}).some((type) => type !== "S")) return undefined;
        const key = Object.fromEntries(Object.keys(guard.key).map((name) => [name, "TAKEN"]));
        return [{ ...guard, key }];
      },
      "a guard with one key for all values",
      "a second value is refused",
    ),
};

const lostAttribute: Sabotage = {
  name: "lost-attribute",
  rules: [],
  apply: (draft) =>
    firstOf(draft, placedIn(draft), (placed) => {
      const { entity, placement } = placed;
      const stored = [...storedIn(draft, entity.name)];
      return firstOf(draft, readsOf(draft, entity.name), (pattern) => {
        const [action, more] = pattern.actions;
        if (more !== undefined || action?.entity !== entity.name) return undefined;
        const used = [...action.returns, ...action.where.map(({ attribute }) => attribute)];
        const free = used.filter((name) => !entity.id.includes(name) && stored.includes(name));
        const keys = JSON.stringify(placed.document);
        const lost = free.filter((name) => !keys.includes(name));
        if (lost.length === 0) return undefined;
        const name = draft.random.pick(lost);
        const stores = stored.filter((one) => one !== name);
        return {
          document: withPlacement(draft, placed, { ...placement, stores }),
          pattern: pattern.id,
          what: `${entity.name}.${name} is not stored`,
          why: `pattern ${pattern.id} asks for it`,
        };
      });
    }),
};

/** The document with another statement about an attribute. */
function withAttribute(
  { document }: Draft,
  entity: string,
  name: string,
  change: Partial<AttributeDocument>,
): ModelDocument | undefined {
  const own = document.entities[entity];
  const attribute = own?.attributes[name];
  if (own === undefined || attribute === undefined) return undefined;
  const attributes = { ...own.attributes, [name]: { ...attribute, ...change } };
  return { ...document, entities: { ...document.entities, [entity]: { ...own, attributes } } };
}

const largeItem: Sabotage = {
  name: "item-above-400-KB",
  rules: ["item-too-large", "sizes-below-limits", "blob-in-item"],
  apply: (draft) =>
    firstOf(draft, placedIn(draft), ({ entity }) => {
      const stored = storedIn(draft, entity.name);
      const keys = JSON.stringify(draft.design);
      const [name] = [...entity.attributes.values()]
        .filter(
          (one) =>
            one.type === "S" &&
            one.format === undefined &&
            one.values === undefined &&
            one.copyOf === undefined,
        )
        .map((one) => one.name)
        .filter(
          (one) =>
            stored.has(one) &&
            !keys.includes(`{${one}`) &&
            !keys.includes(`"${one}"`) &&
            !entity.id.includes(one),
        );
      if (name === undefined) return undefined;
      const document = withAttribute(draft, entity.name, name, { bytes: "500 KB", unique: false });
      return (
        document && {
          document,
          what: `${entity.name}.${name} has 500 KB`,
          why: "DynamoDB refuses the item",
        }
      );
    }),
};

const longKey: Sabotage = {
  name: "key-above-limit",
  rules: ["key-too-long", "sizes-below-limits"],
  apply: (draft) =>
    firstOf(draft, placedIn(draft), ({ entity, placement }) => {
      const named = Object.values(placement.key).flatMap(namesIn);
      const name = named.find((one) => {
        const { type, format, values } = attributeOf(entity, one);
        return type === "S" && format === undefined && values === undefined;
      });
      if (name === undefined) return undefined;
      const document = withAttribute(draft, entity.name, name, { bytes: 3_000 });
      return (
        document && {
          document,
          what: `${entity.name}.${name} has 3,000 bytes`,
          why: "DynamoDB refuses a partition key above 2,048 and a sort key above 1,024 bytes",
        }
      );
    }),
};

const wrongEmbedKey: Sabotage = {
  name: "embedded-by-other-attribute",
  rules: ["key-does-not-identify"],
  apply: (draft) =>
    firstOf(draft, placedIn(draft), (placed) => {
      const { placement } = placed;
      return firstOf(draft, placement.embeds ?? [], (embed) => {
        const child = draft.model.entities.get(embed.entity);
        const others = [...(child?.attributes.values() ?? [])].filter(
          (one) =>
            ["S", "N"].includes(one.type) &&
            isAlways(one) &&
            !one.unique &&
            !child?.id.includes(one.name),
        );
        if (embed.by === undefined || others.length === 0) return undefined;
        const by = draft.random.pick(others).name;
        const embeds = (placement.embeds ?? []).map((one) =>
          one === embed ? { ...one, by } : one,
        );
        return {
          document: withPlacement(draft, placed, { ...placement, embeds }),
          what: `${embed.entity} is embedded by ${by}`,
          why: `two of one parent with the same ${by} overwrite each other`,
        };
      });
    }),
};

const oneOfSeveral: Sabotage = {
  name: "embedded-once-of-several",
  rules: ["key-does-not-identify"],
  apply: (draft) =>
    firstOf(draft, placedIn(draft), (placed) => {
      const { placement } = placed;
      return firstOf(draft, placement.embeds ?? [], (embed) => {
        if (embed.by === undefined) return undefined;
        const { by: _, ...rest } = embed;
        const embeds = (placement.embeds ?? []).map((one) =>
          one === embed ? { ...rest, one: true } : one,
        );
        return {
          document: withPlacement(draft, placed, { ...placement, embeds }),
          what: `one ${embed.entity} is embedded`,
          why: "a second one of the same parent overwrites the first one",
        };
      });
    }),
};

const periodOfOtherTime: Sabotage = {
  name: "period-of-no-id",
  rules: ["id-not-unique"],
  apply: (draft) =>
    firstOf(draft, placedIn(draft), (placed) => {
      const { document, entity, table } = placed;
      const [time] = [...entity.attributes.values()].filter(
        (one) =>
          one.format?.startsWith("iso-") && isAlways(one) && isAdded(draft, entity, one.name),
      );
      const isAlone = Object.keys(document.entities ?? {}).length === 1;
      if (time === undefined || !isAlone || creatorsOf(draft, entity.name).length === 0)
        return undefined;
      if (document.versioning || document.dax || document.unique) return undefined;
      const periods = { every: "month" as const, attribute: time.name, keep: 2 };
      return {
        document: withTable(draft, table, { ...document, periods }),
        what: `${table} for each month of ${time.name}`,
        why: `a second ${entity.name} with the same id in another month is not refused`,
      };
    }),
};

const lostAggregate: Sabotage = {
  name: "lost-aggregate",
  rules: ["number-not-kept", "copies-kept"],
  apply: (draft) =>
    firstOf(draft, tablesOf(draft), ({ table, document }) => {
      const { aggregates = [], ...rest } = document;
      if (aggregates.length === 0) return undefined;
      const lost = draft.random.pick(aggregates);
      const left = aggregates.filter((one) => one !== lost);
      return {
        document: withTable(draft, table, {
          ...rest,
          ...(left.length > 0 && { aggregates: left }),
        }),
        what: `nothing keeps ${lost.into}`,
        why: "the number stays as it was",
      };
    }),
};

const lostPlacement: Sabotage = {
  name: "lost-placement",
  rules: [],
  apply: (draft) =>
    firstOf(draft, placedIn(draft), ({ table, document, entity }) => {
      const [pattern] = [...draft.model.patterns.values()].filter(
        ({ actions, status }) =>
          actions.some((one) => one.entity === entity.name) &&
          status !== "declined" &&
          status !== "alternative",
      );
      const isNamed = JSON.stringify({
        ...draft.design,
        tables: { ...draft.design.tables, [table]: { ...document, entities: {} } },
      }).includes(entity.name);
      if (pattern === undefined || isNamed || document.indexes || document.ttl || document.unique)
        return undefined;
      const { [entity.name]: _, ...entities } = document.entities ?? {};
      const { [table]: __, ...others } = draft.design.tables;
      const tables =
        Object.keys(entities).length === 0
          ? others
          : { ...others, [table]: { ...document, entities } };
      if (Object.keys(tables).length === 0) return undefined;
      return {
        document: withDesign(draft, { ...draft.design, tables }),
        pattern: pattern.id,
        what: `${entity.name} is in no table`,
        why: `pattern ${pattern.id} is about it`,
      };
    }),
};

export const sabotages: readonly Sabotage[] = [
  lostIdAttribute,
  coarseTimeInKey,
  extraKeyAttribute,
  randomShardInTableKey,
  collidingKinds,
  lostGuard,
  guardOfNothing,
  lostAttribute,
  largeItem,
  longKey,
  wrongEmbedKey,
  oneOfSeveral,
  periodOfOtherTime,
  lostAggregate,
  lostPlacement,
  ...partSabotages,
  ...settingSabotages,
  ...statedSabotages,
  ...transformSabotages,
  ...refusedSabotages,
];
