import type { PlacementDocument, SplitDocument } from "../../src/model/document-design.ts";
import {
  attributeOf,
  type Draft,
  draftOf,
  firstOf,
  freshName,
  isAlways,
  placedIn,
  readsOf,
  tablesOf,
  withPlacement,
  withTable,
} from "./design-draft.ts";
import { partVariants } from "./part-variants.ts";
import type { Sabotage, Sabotaged } from "./sabotage.ts";

/** Mistakes in parts, in embedded entities and in guards of unique values. The right design has the same without the mistake. */

/** Breaks a design after a transformation that keeps it right: most designs have no part and embed nothing. */
function after(
  step: string,
  name: string,
  rules: readonly string[],
  breakIt: (draft: Draft, before: Draft) => Omit<Sabotaged, "right"> | undefined,
): Sabotage {
  return {
    name,
    rules,
    apply: (draft) => {
      const change = partVariants.find((one) => one.name === step)?.apply(draft);
      const right = change && draftOf(change.document, draft.random);
      const broken = right && breakIt(right, draft);
      return broken && right && { ...broken, right: right.document };
    },
  };
}

/** The part that a transformation has added. */
function addedPart(
  draft: Draft,
):
  | { readonly placed: ReturnType<typeof placedIn>[number]; readonly part: SplitDocument }
  | undefined {
  return firstOf(draft, placedIn(draft), (placed) => {
    const part = placed.placement.split?.at(-1);
    return part && { placed, part };
  });
}

function withPart(
  draft: Draft,
  placed: ReturnType<typeof placedIn>[number],
  part: SplitDocument,
  changed: SplitDocument | undefined,
): ReturnType<typeof withPlacement> {
  const { split = [], ...rest } = placed.placement;
  const parts = split.flatMap((one) =>
    one !== part ? [one] : changed === undefined ? [] : [changed],
  );
  const placement: PlacementDocument = { ...rest, ...(parts.length > 0 && { split: parts }) };
  return withPlacement(draft, placed, placement);
}

/** A read that returns an attribute of an entity. */
function readOfAttribute(
  draft: Draft,
  entity: string,
  names: readonly string[],
): string | undefined {
  const found = readsOf(draft, entity).find(({ actions: [action, more], status }) => {
    const isAsked = status !== "declined" && status !== "alternative";
    return isAsked && more === undefined && names.some((one) => action?.returns.includes(one));
  });
  return found?.id;
}

/** The key of a guard with another attribute in it. */
function rekeyedGuard(
  name: string,
  rules: readonly string[],
  change: (text: string, attribute: string, other: string) => string,
  why: (attribute: string) => string,
): Sabotage {
  return {
    name,
    rules,
    apply: (draft) =>
      firstOf(draft, tablesOf(draft), ({ table, document }) => {
        const { unique = [] } = document;
        return firstOf(draft, unique, (guard) => {
          const entity = draft.model.entities.get(guard.entity);
          if (entity === undefined) return undefined;
          const own = attributeOf(entity, guard.attribute);
          const others = [...entity.attributes.values()].filter(
            (one) =>
              one !== own &&
              one.type === own.type &&
              isAlways(one) &&
              !one.unique &&
              !entity.id.includes(one.name),
          );
          if (others.length === 0 || !own.unique) return undefined;
          const other = draft.random.pick(others).name;
          const key = Object.fromEntries(
            Object.entries(guard.key).map(([part, text]) => [
              part,
              change(text, guard.attribute, other),
            ]),
          );
          if (JSON.stringify(key) === JSON.stringify(guard.key)) return undefined;
          const changed = unique.map((one) => (one === guard ? { ...guard, key } : one));
          return {
            document: withTable(draft, table, { ...document, unique: changed }),
            what: `${guard.entity}.${guard.attribute} is guarded by ${JSON.stringify(key)}`,
            why: why(guard.attribute),
          };
        });
      }),
  };
}

export const partSabotages: readonly Sabotage[] = [
  after("split-part", "lost-part", [], (draft) => {
    const found = addedPart(draft);
    if (found === undefined) return undefined;
    const { placed, part } = found;
    const pattern = readOfAttribute(draft, placed.entity.name, part.attributes);
    if (pattern === undefined) return undefined;
    const read = draft.model.design?.tables.get(placed.table)?.placements.get(placed.entity.name);
    const document = withPart(draft, placed, part, undefined);
    const next = draftOf(document, draft.random);
    const again = next && placedIn(next).find(({ entity }) => entity.name === placed.entity.name);
    if (next === undefined || again === undefined) return undefined;
    return {
      document: withPlacement(next, again, {
        ...again.placement,
        stores: [...(read?.stores ?? [])],
      }),
      pattern,
      what: `${part.attributes.join(", ")} of ${placed.entity.name} are in no item`,
      why: `${pattern} asks for them`,
    };
  }),
  after("split-part", "part-over-its-item", ["key-does-not-identify"], (draft) => {
    const found = addedPart(draft);
    if (found === undefined) return undefined;
    const { placed, part } = found;
    const pattern = readOfAttribute(draft, placed.entity.name, part.attributes);
    return {
      document: withPart(draft, placed, part, { ...part, key: placed.placement.key }),
      ...(pattern !== undefined && { pattern }),
      what: `${part.name} of ${placed.entity.name} has the key of the item`,
      why: "the part and the item overwrite each other",
    };
  }),
  after("split-part", "part-without-id", ["key-does-not-identify"], (draft) => {
    const found = addedPart(draft);
    if (found === undefined) return undefined;
    const { placed, part } = found;
    const { entity } = placed;
    const lost = draft.random.pick(entity.id);
    const whole = Object.values(part.key).join(" ");
    const key = Object.fromEntries(
      Object.entries(part.key).map(([name, text]) => [
        name,
        placed.document.key[name] === "S"
          ? text.replaceAll(new RegExp(`\\{${lost}(\\|[^}]*)?\\}`, "g"), "ONE")
          : text,
      ]),
    );
    const isUnique = [...entity.attributes.values()].some(
      ({ name, unique }) => unique && name !== lost && whole.includes(`{${name}`),
    );
    if (JSON.stringify(key) === JSON.stringify(part.key) || isUnique) return undefined;
    return {
      document: withPart(draft, placed, part, { ...part, key }),
      what: `${part.name} of ${entity.name} is without ${lost}: ${JSON.stringify(key)}`,
      why: `the parts of two ${entity.name} overwrite each other`,
    };
  }),
  after("embedded-child", "embedded-in-list", ["embedded-but-apart"], (draft) =>
    firstOf(draft, placedIn(draft), (placed) => {
      const embeds = placed.placement.embeds ?? [];
      const [chosen] = embeds.filter(({ entity, by }) => {
        const changed = [...draft.model.patterns.values()].some(({ actions, status }) =>
          actions.some(
            (one) =>
              status !== "declined" &&
              status !== "alternative" &&
              one.entity === entity &&
              (one.kind === "update" || one.kind === "delete" || one.condition !== undefined),
          ),
        );
        return by !== undefined && changed;
      });
      if (chosen === undefined) return undefined;
      const { by: _, ...rest } = chosen;
      const changed = embeds.map((one) => (one === chosen ? rest : one));
      return {
        document: withPlacement(draft, placed, { ...placed.placement, embeds: changed }),
        what: `${chosen.entity} in a list`,
        why: "one of a list can neither be found nor changed",
      };
    }),
  ),
  {
    name: "embedded-in-stranger",
    rules: ["embedded-without-host"],
    apply: (draft) =>
      firstOf(draft, placedIn(draft), (placed) => {
        const { entity, placement } = placed;
        const strangers = [...draft.model.entities.values()].filter((one) => {
          const isLinked =
            entity.id.some((name) => one.attributes.has(name)) ||
            draft.model.relations.some(
              ({ from, to, via }) =>
                [from, to, via].includes(entity.name) && [from, to, via].includes(one.name),
            );
          return one !== entity && !isLinked;
        });
        if (strangers.length === 0) return undefined;
        const stranger = draft.random.pick(strangers);
        const as = freshName(draft, `inner${stranger.name}`);
        const embeds = [...(placement.embeds ?? []), { entity: stranger.name, as }];
        return {
          document: withPlacement(draft, placed, { ...placement, embeds }),
          what: `${stranger.name} in ${entity.name}`,
          why: `nothing in ${stranger.name} says which ${entity.name} it belongs to`,
        };
      }),
  },
  rekeyedGuard(
    "guard-of-other-attribute",
    ["key-does-not-identify"],
    (text, attribute, other) => text.replaceAll(`{${attribute}`, `{${other}`),
    (attribute) => `a second value is refused, and the same ${attribute} is not`,
  ),
  rekeyedGuard(
    "guard-with-more-than-value",
    ["uniqueness-by-index"],
    (text, attribute, other) => (text.includes(`{${attribute}`) ? `${text}#{${other}}` : text),
    (attribute) => `the same ${attribute} with another value beside it is not refused`,
  ),
  {
    name: "guards-with-one-key",
    rules: ["key-does-not-identify"],
    apply: (draft) => {
      const guards = tablesOf(draft).flatMap(({ table, document }) =>
        (document.unique ?? []).map((guard) => ({ table, document, guard })),
      );
      return firstOf(draft, guards, (one) => {
        const target = one.guard.table ?? one.table;
        const type = (entity: string, attribute: string): string | undefined =>
          draft.model.entities.get(entity)?.attributes.get(attribute)?.type;
        const own = type(one.guard.entity, one.guard.attribute);
        const others = guards.filter(
          ({ guard }) =>
            guard !== one.guard && own !== undefined && type(guard.entity, guard.attribute) === own,
        );
        const [other] = others;
        if (other === undefined) return undefined;
        const key = Object.fromEntries(
          Object.entries(one.guard.key).map(([name, text]) => [
            name,
            text.replaceAll(`{${one.guard.attribute}`, `{${other.guard.attribute}`),
          ]),
        );
        const unique = (other.document.unique ?? []).map((guard) =>
          guard === other.guard ? { ...guard, table: target, key } : guard,
        );
        return {
          document: withTable(draft, other.table, { ...other.document, unique }),
          what: `${other.guard.entity}.${other.guard.attribute} has the guards of ${one.guard.entity}.${one.guard.attribute}`,
          why: "a value of one attribute is refused because the other one has it",
        };
      });
    },
  },
];
