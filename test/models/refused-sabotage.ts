import type { IndexDocument, PlacementDocument } from "../../src/model/document-design.ts";
import type { ModelDocument } from "../../src/model/model-document.ts";
import type { Attribute } from "../../src/model/requirements.ts";
import {
  type Draft,
  firstOf,
  freshName,
  indexesOf,
  isKeyType,
  type Placed,
  placedIn,
  tablesOf,
  withIndex,
  withPlacement,
  withTable,
} from "./design-draft.ts";
import type { Sabotage } from "./sabotage.ts";

/** Mistakes that DynamoDB refuses to create a table with, or that contradict the model: the reader has to refuse them. */

function refusal(
  name: string,
  why: string,
  make: (draft: Draft) => { readonly document: ModelDocument; readonly what: string } | undefined,
): Sabotage {
  return {
    name,
    rules: [],
    apply: (draft) => {
      const made = make(draft);
      return made && { ...made, why };
    },
  };
}

/** An entity and one of its attributes that fulfils a condition. */
function withAttribute<Result>(
  draft: Draft,
  isMeant: (attribute: Attribute, placed: Placed) => boolean,
  make: (placed: Placed, attribute: Attribute) => Result | undefined,
): Result | undefined {
  return firstOf(draft, placedIn(draft), (placed) => {
    const all = [...placed.entity.attributes.values()].filter((one) => isMeant(one, placed));
    return all.length === 0 ? undefined : make(placed, draft.random.pick(all));
  });
}

function addIndex(
  draft: Draft,
  placed: Placed,
  index: IndexDocument,
  what: string,
): { readonly document: ModelDocument; readonly what: string } {
  const name = freshName(draft, "Refused");
  return { document: withIndex(draft, placed, name, index), what };
}

const withKeyPart = (
  draft: Draft,
  placed: Placed,
  change: (text: string) => string,
): PlacementDocument => {
  const [name, text] = draft.random.pick(Object.entries(placed.placement.key));
  return { ...placed.placement, key: { ...placed.placement.key, [name]: change(text) } };
};

export const refusedSabotages: readonly Sabotage[] = [
  refusal("ttl-on-text", "DynamoDB expires items by a number only", (draft) =>
    withAttribute(
      draft,
      ({ type }) => type !== "N",
      (placed, { name }) => ({
        document: withTable(draft, placed.table, {
          ...placed.document,
          ttl: { attribute: name, entities: [placed.entity.name] },
        }),
        what: `ttl ${name}`,
      }),
    ),
  ),
  refusal("index-on-document", "keys have the types S, N and B", (draft) =>
    withAttribute(
      draft,
      (attribute) => !isKeyType(attribute),
      (placed, { name }) =>
        addIndex(draft, placed, { key: { partition: name } }, `an index by ${name}`),
    ),
  ),
  refusal("too-many-indexes", "a table can have 20 global indexes", (draft) =>
    withAttribute(draft, isKeyType, (placed, { name }) => {
      const indexes = Object.fromEntries(
        Array.from({ length: 21 }, (_, i): [string, IndexDocument] => [
          `Extra${i}`,
          { key: { partition: name } },
        ]),
      );
      return {
        document: withTable(draft, placed.table, { ...placed.document, indexes }),
        what: "21 indexes",
      };
    }),
  ),
  refusal("too-many-local-indexes", "a table can have 5 local indexes", (draft) =>
    withAttribute(
      draft,
      (one, { document }) => isKeyType(one) && Object.keys(document.key).length === 2,
      (placed, { name }) => {
        const indexes = Object.fromEntries(
          Array.from({ length: 6 }, (_, i): [string, IndexDocument] => [
            `Extra${i}`,
            { local: true, key: { sort: name } },
          ]),
        );
        return {
          document: withTable(draft, placed.table, { ...placed.document, indexes }),
          what: "6 local indexes",
        };
      },
    ),
  ),
  refusal("local-index-without-sort-key", "a local index needs a table with a sort key", (draft) =>
    withAttribute(
      draft,
      (one, { document }) => isKeyType(one) && Object.keys(document.key).length === 1,
      (placed, { name }) =>
        addIndex(draft, placed, { local: true, key: { sort: name } }, "a local index"),
    ),
  ),
  refusal("wrong-key-type", "an item whose key has another type is refused", (draft) =>
    firstOf(draft, placedIn(draft), (placed) => {
      const [name] = Object.keys(placed.document.key);
      const type = placed.document.key[name ?? ""];
      if (name === undefined) return undefined;
      const key = {
        ...placed.document.key,
        [name]: type === "N" ? ("S" as const) : ("N" as const),
      };
      return {
        document: withTable(draft, placed.table, { ...placed.document, key }),
        what: `${placed.table}.${name} has type ${key[name]}`,
      };
    }),
  ),
  refusal("unknown-attribute-in-key", "no item has the attribute", (draft) =>
    firstOf(draft, placedIn(draft), (placed) => ({
      document: withPlacement(
        draft,
        placed,
        withKeyPart(draft, placed, (text) => `${text}#{noSuchAttribute}`),
      ),
      what: "a key with an attribute that does not exist",
    })),
  ),
  refusal("optional-attribute-in-key", "items without it have no key", (draft) =>
    withAttribute(
      draft,
      (one, { document, entity }) =>
        one.present.value < 1 &&
        isKeyType(one) &&
        one.type !== "B" &&
        !entity.id.includes(one.name) &&
        Object.keys(document.key).some((name) => !entity.attributes.has(name)),
      (placed, { name }) => {
        const [made = ""] = Object.keys(placed.document.key).filter(
          (one) => !placed.entity.attributes.has(one),
        );
        const key = {
          ...placed.placement.key,
          [made]: `${placed.placement.key[made]}#{${name}}`,
        };
        return {
          document: withPlacement(draft, placed, { ...placed.placement, key }),
          what: `${made} has ${name}`,
        };
      },
    ),
  ),
  refusal("wrong-transform", "the value has no such form", (draft) =>
    withAttribute(
      draft,
      ({ type, format }) => type === "S" && format === undefined,
      (placed, { name }) => {
        const gsk = freshName(draft, "gsk");
        const transform = draft.random.pick(["pad:4", "day", "descending"]);
        const sets = { [placed.entity.name]: { [gsk]: `X#{${name}|${transform}}` } };
        return addIndex(draft, placed, { key: { partition: gsk }, sets }, `{${name}|${transform}}`);
      },
    ),
  ),
  refusal("condition-without-key", "every item has the key, so none can be left out", (draft) =>
    withAttribute(draft, isKeyType, (placed, { name }) => {
      const only = { [placed.entity.name]: { [name]: { exists: true } } };
      return addIndex(draft, placed, { key: { partition: name }, only }, `only with ${name}`);
    }),
  ),
  refusal("same-name-twice", "one attribute would overwrite the other", (draft) =>
    withAttribute(
      draft,
      ({ name }, { entity, placement }) =>
        !entity.id.includes(name) && placement.names === undefined,
      (placed, { name }) => ({
        document: withPlacement(draft, placed, {
          ...placed.placement,
          names: { [name]: placed.entity.id[0] ?? "" },
        }),
        what: `${name} is stored as ${placed.entity.id[0]}`,
      }),
    ),
  ),
  refusal("split-id", "the id is in every part", (draft) =>
    firstOf(draft, placedIn(draft), (placed) => {
      const { key, split = [] } = placed.placement;
      const attributes = placed.entity.id;
      return {
        document: withPlacement(draft, placed, {
          ...placed.placement,
          split: [...split, { name: "idPart", key, attributes }],
        }),
        what: "the id in a part",
      };
    }),
  ),
  refusal("plan-with-unknown-index", "the request would be refused", (draft) =>
    firstOf(draft, tablesOf(draft), ({ table }) => {
      const pattern = [...draft.model.patterns.values()].find(({ kind }) => kind === "read");
      if (pattern === undefined) return undefined;
      const steps = [{ operation: "Query" as const, table, index: "NoSuchIndex" }];
      const design = { ...draft.design, plans: { [pattern.id]: { steps } } };
      return { document: { ...draft.document, design }, what: "a plan with an unknown index" };
    }),
  ),
  refusal("projection-of-unknown-attribute", "no item has the attribute", (draft) =>
    firstOf(draft, indexesOf(draft), (one) => ({
      document: withIndex(draft, one, one.name, { ...one.index, projection: ["noSuchAttribute"] }),
      what: "a projection of an attribute that does not exist",
    })),
  ),
];
