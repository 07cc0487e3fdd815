import type { IndexDocument, PlanStepDocument } from "../../src/model/document-design.ts";
import type { ModelDocument } from "../../src/model/model-document.ts";
import type { Action, Attribute, Pattern } from "../../src/model/requirements.ts";
import {
  attributeOf,
  type Draft,
  draftOf,
  firstOf,
  freshName,
  indexesOf,
  isAlways,
  isKeyType,
  keyable,
  type Placed,
  type PlacedIndex,
  placedIn,
  withDesign,
  withIndex,
} from "./design-draft.ts";
import type { Sabotage, Sabotaged } from "./sabotage.ts";
import { type Stated, statablePlans, withSteps } from "./stated-plans.ts";

/**
 * Mistakes in access paths that the document states. The planner obeys a stated plan, so the mistake cannot be planned around:
 * without a stated plan, most of these would only make a pattern slower.
 */

/** A pattern whose plan is stated, and the first request of that plan. */
interface Planned extends Stated {
  readonly draft: Draft;
  readonly read: Pattern;
  readonly action: Action;
  readonly placed: Placed;
  readonly index: PlacedIndex | undefined;
}

type Broken = Pick<Sabotaged, "document" | "what" | "why">;

/** Breaks a design whose plan for a pattern is stated; what the planner would do is the right design. */
function stated(name: string, breakIt: (planned: Planned) => Broken | undefined): Sabotage {
  return {
    name,
    rules: [],
    apply: (draft) =>
      firstOf(draft, statablePlans(draft), (one): Sabotaged | undefined => {
        const right = withDesign(draft, withSteps(draft, one.pattern, one.steps));
        const pinned = draftOf(right, draft.random);
        const read = draft.model.patterns.get(one.pattern);
        const [action] = read?.actions ?? [];
        const [request] = one.requests;
        if (pinned === undefined || read === undefined || action === undefined) return undefined;
        const placed = placedIn(pinned).find(
          ({ entity, table }) => entity.name === action.entity && table === request?.table.name,
        );
        const index = indexesOf(pinned).find((each) => each.name === request?.index?.name);
        if (placed === undefined) return undefined;
        const broken = breakIt({ ...one, draft: pinned, read, action, placed, index });
        return broken && { ...broken, right, pattern: one.pattern };
      }),
  };
}

function withStep(
  { draft, pattern, steps }: Planned,
  change: Partial<PlanStepDocument>,
): ModelDocument {
  const [first, ...others] = steps;
  if (first === undefined) return draft.document;
  return withDesign(draft, withSteps(draft, pattern, [{ ...first, ...change }, ...others]));
}

function changedIndex({ draft }: Planned, one: PlacedIndex, index: IndexDocument): ModelDocument {
  return withIndex(draft, one, one.name, index);
}

const flat = (side: string | readonly string[] | undefined): readonly string[] =>
  [side ?? []].flat();

/** Attributes that a read sorts by and that can differ among its rows. */
function sortedBy({ action }: Planned): readonly string[] {
  const fixed = action.where.flatMap(({ attribute, operator }) =>
    operator === "equals" ? [attribute] : [],
  );
  return action.order.map(({ attribute }) => attribute).filter((one) => !fixed.includes(one));
}

/** Whether all attributes of an id are given, so that there is at most one row. */
function isOne({ action, placed }: Planned): boolean {
  const given = action.where.flatMap(({ attribute, operator }) =>
    operator === "equals" ? [attribute] : [],
  );
  const isUnique = given.some((name) => placed.entity.attributes.get(name)?.unique);
  return isUnique || placed.entity.id.every((name) => given.includes(name));
}

const isRange = ({ steps }: Planned): boolean => steps[0]?.operation === "Query";

export const statedSabotages: readonly Sabotage[] = [
  stated("stated-order", (planned) => {
    if (!isRange(planned) || sortedBy(planned).length === 0 || isOne(planned)) return undefined;
    const order = planned.steps[0]?.order === "descending" ? "ascending" : "descending";
    return {
      document: withStep(planned, { order }),
      what: `${planned.pattern} is read ${order}`,
      why: "rows with different values come in the wrong order",
    };
  }),
  stated("stated-limit", (planned) => {
    const { limit } = planned.action;
    const wanted = typeof limit === "number" ? limit : Number.POSITIVE_INFINITY;
    if (!isRange(planned) || isOne(planned) || wanted < 2) return undefined;
    return {
      document: withStep(planned, { limit: 1 }),
      what: `${planned.pattern} is read with limit 1`,
      why: `${wanted} rows are wanted`,
    };
  }),
  stated("stated-filter", (planned) => {
    const { entity } = planned.placed;
    const asked = new Set(planned.action.where.map(({ attribute }) => attribute));
    const free = [...entity.attributes.values()].filter(
      ({ name, values = [], present }) =>
        !asked.has(name) && values.length > 1 && present.value > 0 && !entity.id.includes(name),
    );
    const [first] = planned.requests;
    const held = first?.record.memberships.find(({ index }) => index === first.index)?.attributes;
    const names = new Set((held ?? first?.record.attributes ?? []).map(({ name }) => name));
    const key = [...(first?.partition ?? []), ...(first?.sort ?? [])].map(
      (one) => one.attribute.name,
    );
    const [attribute] = free.filter(({ name }) => names.has(name) && !key.includes(name));
    const [value] = attribute?.values ?? [];
    if (!isRange(planned) || attribute === undefined || value === undefined) return undefined;
    return {
      document: withStep(planned, { filter: { [attribute.name]: { equals: value.value } } }),
      what: `${planned.pattern} is filtered by ${attribute.name} = ${value.value}`,
      why: "rows with another value are wanted, too",
    };
  }),
  stated("stated-table-without-key", (planned) => {
    const { index, steps, pattern, draft } = planned;
    if (index === undefined || steps[0]?.operation !== "Query") return undefined;
    const { index: _, ...first } = steps[0];
    const [table] = Object.keys(planned.placed.document.key);
    const given = planned.action.where.map(({ attribute }) => attribute);
    const text = planned.placed.placement.key[table ?? ""] ?? "";
    const isGiven = [...text.matchAll(/\{([^|}:]+)/g)].every(([, name = ""]) =>
      given.includes(name),
    );
    if (isGiven) return undefined;
    return {
      document: withDesign(draft, withSteps(draft, pattern, [first, ...steps.slice(1)])),
      what: `${pattern} queries the table`,
      why: "the partition key of the table is not known",
    };
  }),
  stated("stated-without-fetch", (planned) => {
    const { steps, pattern, draft } = planned;
    if (steps.length < 2) return undefined;
    return {
      document: withDesign(draft, withSteps(draft, pattern, steps.slice(0, 1))),
      what: `${pattern} does not fetch what its index lacks`,
      why: "attributes that are asked for are missing",
    };
  }),
  stated("stated-wrong-fetch-key", (planned) => {
    const { steps, pattern, draft } = planned;
    const [first, second] = steps;
    if (first === undefined || second?.key === undefined) return undefined;
    const key = Object.fromEntries(
      Object.entries(second.key).map(([name, text]) => [name, `X#${text}`]),
    );
    return {
      document: withDesign(draft, withSteps(draft, pattern, [first, { ...second, key }])),
      what: `${pattern} fetches by ${JSON.stringify(key)}`,
      why: "no item has such a key",
    };
  }),
  stated("strong-read-of-global-index", (planned) => {
    const { index, read, draft } = planned;
    if (index === undefined || index.index.local || read.consistency === "strong") return undefined;
    const { patterns = {} } = draft.document;
    const pattern = patterns[read.id];
    if (pattern === undefined) return undefined;
    return {
      document: {
        ...draft.document,
        patterns: { ...patterns, [read.id]: { ...pattern, consistency: "strong" } },
      },
      what: `${read.id} is strongly consistent`,
      why: "DynamoDB refuses a strongly consistent read of a global index",
    };
  }),
  stated("projection-without-attribute", (planned) => {
    const { index, action, placed, draft } = planned;
    if (index === undefined || index.index.local || planned.steps.length > 1) return undefined;
    const keys = JSON.stringify([
      index.index.key,
      index.index.sets,
      placed.document.key,
      placed.placement.key,
    ]);
    // The items of a sparse index meet its conditions, and nobody asks for these attributes again.
    const met = index.index.only?.[placed.entity.name] ?? {};
    const asked = action.where.flatMap(({ attribute }) => (attribute in met ? [] : [attribute]));
    const used = [...action.returns, ...asked].filter(
      (name) =>
        !keys.includes(`"${name}"`) &&
        !keys.includes(`{${name}`) &&
        !placed.entity.id.includes(name),
    );
    if (used.length === 0) return undefined;
    const lost = draft.random.pick(used);
    const { projection = "all" } = index.index;
    const all = typeof projection === "string" ? [...placed.entity.attributes.keys()] : projection;
    const rest = all.filter((name) => name !== lost);
    if (projection === "keys") return undefined;
    const document = changedIndex(planned, index, {
      ...index.index,
      projection: rest.length === 0 ? "keys" : rest,
    });
    return { document, what: `${index.name} lacks ${lost}`, why: `${lost} is asked for` };
  }),
  stated("swapped-index-key", (planned) => {
    const { index } = planned;
    const { key } = index?.index ?? {};
    if (index === undefined || index.index.local || key?.sort === undefined) return undefined;
    const { partition = [], sort } = key;
    const given = planned.action.where
      .filter(({ operator }) => operator === "equals" || operator === "one-of")
      .map(({ attribute }) => attribute);
    if (index.index.sets !== undefined || flat(sort).every((name) => given.includes(name)))
      return undefined;
    return {
      document: changedIndex(planned, index, {
        ...index.index,
        key: { partition: sort, sort: partition },
      }),
      what: `${index.name} by ${flat(sort)}, then ${flat(partition)}`,
      why: "the partition key is not known",
    };
  }),
  stated("optional-index-key", (planned) => {
    const { index, placed, action, draft } = planned;
    if (index === undefined || index.index.local) return undefined;
    const sort = flat(index.index.key.sort);
    const asked = action.where.map(({ attribute }) => attribute);
    const used = [...sort, ...flat(index.index.key.partition), ...asked];
    const [optional] = keyable(draft, placed).filter(
      (one) => !isAlways(one) && !used.includes(one.name),
    );
    if (optional === undefined || sort.length >= 4) return undefined;
    const key = { ...index.index.key, sort: [...sort, optional.name] };
    return {
      document: changedIndex(planned, index, { ...index.index, key }),
      what: `${index.name} is also sorted by ${optional.name}`,
      why: `items without ${optional.name} are not in it`,
    };
  }),
  stated("wrong-sparse-condition", (planned) => {
    const { index, placed, action, draft } = planned;
    if (index === undefined || index.index.local || index.index.only !== undefined)
      return undefined;
    const asked = action.where.map(({ attribute }) => attribute);
    const [listed] = [...placed.entity.attributes.values()].filter(
      ({ name, values = [] }) => values.length > 1 && !asked.includes(name),
    );
    const [own, ...others] = flat(index.index.key.partition);
    if (listed === undefined || own === undefined || index.index.sets !== undefined)
      return undefined;
    if (Object.keys(placed.document.entities ?? {}).length > 1) return undefined;
    const made = freshName(draft, "marked");
    if (!isKeyType(attributeOf(placed.entity, own))) return undefined;
    const sets = { [placed.entity.name]: { [made]: `{${own}}` } };
    const only = {
      [placed.entity.name]: { [listed.name]: { equals: listed.values?.[0]?.value ?? "" } },
    };
    const key = { ...index.index.key, partition: others.length === 0 ? made : [made, ...others] };
    return {
      document: changedIndex(planned, index, { ...index.index, key, sets, only }),
      what: `${index.name} has only ${JSON.stringify(only)}`,
      why: "items with another value are wanted, too",
    };
  }),
  stated("lost-sort-attribute", (planned) => {
    const { index } = planned;
    const wanted = sortedBy(planned);
    if (index === undefined || index.index.local || isOne(planned)) return undefined;
    const sort = flat(index.index.key.sort);
    const left = sort.filter((name) => !wanted.includes(name));
    if (left.length === sort.length || index.index.sets !== undefined) return undefined;
    const { sort: _, ...key } = index.index.key;
    return {
      document: changedIndex(planned, index, {
        ...index.index,
        key: { ...key, ...(left.length > 0 && { sort: left }) },
      }),
      what: `${index.name} is not sorted by ${wanted}`,
      why: "rows come in another order than the one that is asked for",
    };
  }),
];

/** Orders of a read by one attribute that an index can be made for, below a partition that is known. */
function orderedReads(draft: Draft): readonly {
  readonly pattern: Pattern;
  readonly action: Action;
  readonly placed: Placed;
  readonly by: Attribute;
  readonly partition: Attribute;
}[] {
  return [...draft.model.patterns.values()].flatMap((pattern) => {
    const [action, more] = pattern.actions;
    if (action === undefined || more !== undefined || pattern.kind !== "read") return [];
    if (pattern.together.length > 0 || pattern.consistency === "strong" || pattern.batch) return [];
    const placed = placedIn(draft).find(({ entity }) => entity.name === action.entity);
    const [order, second] = action.order;
    if (placed === undefined || order === undefined || second !== undefined) return [];
    const by = placed.entity.attributes.get(order.attribute);
    const all = keyable(draft, placed).filter(isAlways);
    const [equal] = action.where.filter(({ operator }) => operator === "equals");
    const partition = all.find(({ name }) => name === equal?.attribute);
    const given = action.where.map(({ attribute }) => attribute);
    if (by === undefined || partition === undefined || !all.includes(by) || given.includes(by.name))
      return [];
    if (placed.entity.id.every((name) => given.includes(name)) || partition.unique) return [];
    return [{ pattern, action, placed, by, partition }];
  });
}

/** An index whose sort key is a transformed attribute, with a plan that relies on it; and the same without the transform. */
function transformed(
  name: string,
  rules: readonly string[],
  isMeant: (by: Attribute) => boolean,
  texts: (by: Attribute) => {
    readonly right: string;
    readonly wrong: string;
    readonly isTurned: boolean;
  },
  why: string,
): Sabotage {
  return {
    name,
    rules,
    apply: (draft) =>
      firstOf(draft, orderedReads(draft), ({ pattern, action, placed, by, partition }) => {
        if (!isMeant(by)) return undefined;
        const { right, wrong, isTurned } = texts(by);
        const gsk = freshName(draft, "gsk");
        const index = freshName(draft, "Transformed");
        const isDescending = (action.order[0]?.direction === "descending") !== isTurned;
        const make = (text: string): ModelDocument | undefined => {
          const document = withIndex(draft, placed, index, {
            key: { partition: partition.name, sort: gsk },
            sets: { [placed.entity.name]: { [gsk]: text } },
          });
          const next = draftOf(document, draft.random);
          if (next === undefined) return undefined;
          const step: PlanStepDocument = {
            operation: "Query",
            table: placed.table,
            index,
            entity: placed.entity.name,
            ...(isDescending && { order: "descending" as const }),
          };
          return withDesign(next, withSteps(next, pattern.id, [step]));
        };
        const [rightOne, wrongOne] = [make(right), make(wrong)];
        if (rightOne === undefined || wrongOne === undefined) return undefined;
        return {
          document: wrongOne,
          right: rightOne,
          pattern: pattern.id,
          what: `${index} is sorted by ${wrong} instead of ${right}`,
          why,
        };
      }),
  };
}

export const transformSabotages: readonly Sabotage[] = [
  transformed(
    "lost-pad",
    ["unpadded-number"],
    ({ type, format, digits = 0, values }) =>
      type === "N" && format === undefined && digits >= 2 && values === undefined,
    ({ name, digits = 0 }) => ({
      right: `N#{${name}|pad:${digits}}`,
      wrong: `N#{${name}}`,
      isTurned: false,
    }),
    "10 comes before 2",
  ),
  transformed(
    "lost-descending",
    [],
    ({ format }) => format?.startsWith("iso-") === true || format?.startsWith("epoch-") === true,
    ({ name }) => ({
      right: `T#{${name}|descending}`,
      wrong: `T#{${name}}`,
      isTurned: true,
    }),
    "rows come in the opposite order",
  ),
  transformed(
    "lost-precision",
    [],
    ({ format }) => format === "iso-time" || format?.startsWith("epoch-") === true,
    ({ name }) => ({
      right: `T#{${name}}`,
      wrong: `T#{${name}|month}`,
      isTurned: false,
    }),
    "rows of one month come in any order",
  ),
];
