import type {
  AggregateDocument,
  ConsumerDocument,
  TableDocument,
} from "../../model/document-design.ts";
import type { Model } from "../../model/model.ts";
import type { Entity, Pattern } from "../../model/requirements.ts";
import { expiryAttributeOf } from "../expiry-attribute.ts";
import { Facts } from "../facts.ts";
import { countedBy, isSeenTo, type KeptNumber, keptNumbers } from "../kept-numbers.ts";
import { linkOf } from "../plans/links.ts";
import type { Layout } from "./drafts.ts";
import { entitiesOf, type Need, servedPatterns, unique } from "./needs.ts";
import type { Refusal } from "./refusal.ts";

export type Mode = "stream" | "schedule" | "transaction";

export const modes: readonly Mode[] = ["stream", "schedule", "transaction"];

/** A number that somebody has to keep, and how that can be done. */
export interface NumberToKeep extends KeptNumber {
  /** Attributes of what is counted that tell whose it is. */
  readonly links: readonly string[];
  /** What cannot keep it, and why. */
  readonly blocked: ReadonlyMap<Mode, string>;
  /** What stream records it follows. */
  readonly events: readonly string[];
  /** What is counted expires by itself: that is no change of the number. */
  readonly expires: boolean;
}

/** How one number is kept. */
export interface KeptWay {
  readonly number: NumberToKeep;
  readonly mode: Mode;
}

/** So often what has changed is counted anew. */
const schedule = "rate(1 minute)";

/** Numbers that no pattern sees to and no table that stays keeps already. */
export function numbersOf(model: Model, kept: readonly Layout[]): readonly NumberToKeep[] {
  const there = numbersIn(model, kept).map(({ name }) => name);
  const served = servedPatterns(model);
  return keptNumbers(model).flatMap((number): readonly NumberToKeep[] => {
    const writers = countedBy(served, number);
    const isDone = writers.length > 0 && writers.every((one) => isSeenTo(one, number));
    if (there.includes(number.name) || isDone) return [];
    return [numberOf(model, served, writers, number)];
  });
}

/** Numbers that tables which stay keep already, whether the requirements speak of them or not. */
export function numbersIn({ entities }: Model, kept: readonly Layout[]): readonly KeptNumber[] {
  const aggregates = kept.flatMap(({ tables }) =>
    [...tables.values()].flatMap((table) => table.aggregates ?? []),
  );
  return aggregates.flatMap(({ of, into, what = "count", attribute: summed }) => {
    const [name = "", own = ""] = into.split(".");
    const holder = entities.get(name);
    const attribute = holder?.attributes.get(own);
    if (holder === undefined || attribute === undefined) return [];
    return [{ name: into, holder, attribute, keeps: { what, of, attribute: summed } }];
  });
}

function numberOf(
  model: Model,
  served: readonly Pattern[],
  writers: readonly Pattern[],
  number: KeptNumber,
): NumberToKeep {
  const { keeps, holder } = number;
  const counted = model.entities.get(keeps.of) as Entity;
  const bound = linkOf(Facts.of(model), counted, holder, [], new Map(), 0);
  const links = [...bound.values()].flatMap((one) =>
    one.kind === "result" ? [one.attribute] : [],
  );
  const changing = (names: readonly string[]): readonly string[] =>
    served
      .filter(({ actions }) =>
        actions.some(
          (one) =>
            one.entity === keeps.of &&
            [...one.changes, ...one.adds, ...one.removes.map((attribute) => ({ attribute }))].some(
              ({ attribute }) => names.includes(attribute),
            ),
        ),
      )
      .map(({ id }) => id);
  const moving = changing(links);
  const altering = keeps.attribute === undefined ? [] : changing([keeps.attribute]);
  const goes = writers.some(
    ({ actions }) =>
      actions.some(({ kind, entity }) => kind === "delete" && entity === keeps.of) ||
      actions[0]?.kind === "delete",
  );
  const expires = expiryAttributeOf(counted) !== undefined;
  const blocked = new Map<Mode, string>();
  const block = (mode: Mode, why: string | undefined): void => {
    if (why !== undefined && !blocked.has(mode)) blocked.set(mode, why);
  };
  const isExtreme = keeps.what === "max" || keeps.what === "min";
  const seen = writers.find((one) => isSeenTo(one, number));
  if (seen !== undefined) {
    block("stream", `pattern ${seen.id} changes it, too, and it would count twice`);
    block("schedule", `pattern ${seen.id} changes it, too`);
  }
  if (moving.length > 0) {
    const why = `pattern ${moving[0]} gives a ${keeps.of} to another ${holder.name}`;
    block("transaction", why);
    block("stream", why);
  }
  if (isExtreme) {
    block("transaction", "a transaction can add, and cannot tell which is greater");
    if (goes || altering.length > 0) {
      block("stream", "which one is next is not known when one goes or changes");
    }
  }
  if (altering.length > 0) {
    const why = `pattern ${altering[0]} changes ${keeps.of}.${keeps.attribute}, and what it was is not known to it`;
    block("transaction", why);
  }
  block("transaction", severalAtOnce(counted, writers, number));
  if (expires) block("schedule", `a ${keeps.of} that has expired would not be counted any more`);
  return {
    ...number,
    links,
    blocked,
    expires,
    events: ["INSERT", ...(altering.length > 0 ? ["MODIFY"] : []), ...(goes ? ["REMOVE"] : [])],
  };
}

/** A transaction names an item once: who writes several that count for one cannot count them in it. */
function severalAtOnce(
  { name, id }: Entity,
  writers: readonly Pattern[],
  number: KeptNumber,
): string | undefined {
  for (const pattern of writers) {
    if (isSeenTo(pattern, number)) continue;
    const { actions, batch, with: others } = pattern;
    if (actions.some(({ entity }) => entity === number.holder.name)) {
      return `pattern ${pattern.id} names the ${number.holder.name} for something else, and a transaction names an item once`;
    }
    const isSeveral = actions.some(({ kind, entity, average, where }) => {
      if (entity !== name || (kind !== "create" && kind !== "delete")) return false;
      const known = where.flatMap(({ attribute, operator }) =>
        operator === "equals" ? [attribute] : [],
      );
      const isOne = kind === "create" || id.every((one) => known.includes(one));
      return average.value > 1 || (batch?.value ?? 1) > 1 || !isOne;
    });
    if (isSeveral || others.some(({ entity }) => entity === name)) {
      return `pattern ${pattern.id} writes several ${name} at once, and a transaction names an item once`;
    }
  }
  return undefined;
}

/** Numbers that nothing can keep. */
export function unkeepable(model: Model, kept: readonly Layout[]): readonly Refusal[] {
  return numbersOf(model, kept).flatMap((number): readonly Refusal[] => {
    const text = whyUnkeepable(model, number);
    return text === undefined ? [] : [{ path: number.attribute.path, text }];
  });
}

const byHand = "Remove keeps, and update it in the patterns";

function whyUnkeepable(model: Model, number: NumberToKeep): string | undefined {
  const { name, holder, attribute, keeps, links, blocked } = number;
  const counted = model.entities.get(keeps.of) as Entity;
  if (links.length < holder.id.length) {
    return `${name} is kept from ${keeps.of}, but no attribute of ${keeps.of} names its ${holder.name}. Add ${holder.id.join(", ")} to ${keeps.of} with a relation from ${holder.name}. Or: ${byHand}.`;
  }
  if (counted.attributes.get(keeps.attribute ?? "")?.keeps !== undefined) {
    return `${name} is derived from ${keeps.of}.${keeps.attribute}, which is derived itself. ${byHand}.`;
  }
  if (attribute.staleness === "refused" && blocked.has("transaction")) {
    return `${name} must not be stale (staleness: refused), but no transaction can keep it: ${blocked.get("transaction")}. State staleness: accepted. Or: ${byHand}.`;
  }
  if (modes.every((mode) => blocked.has(mode))) {
    return `${name} cannot be kept by a transaction, a stream or a schedule: ${unique([...blocked.values()]).join("; ")}. ${byHand}.`;
  }
  return undefined;
}

/**
 * How a number may be kept. What may be behind is never cheapest in a transaction, unless another number is in the
 * same item, and in the same transactions anyway.
 */
export function modesOf(
  { attribute, blocked, keeps, holder }: NumberToKeep,
  all: readonly NumberToKeep[],
): readonly Mode[] {
  if (attribute.staleness === "refused") return ["transaction"];
  const isBeside = all.some(
    (one) =>
      one.attribute.staleness === "refused" && one.holder === holder && one.keeps.of === keeps.of,
  );
  const behind = modes.filter((mode) => !blocked.has(mode) && (mode !== "transaction" || isBeside));
  return behind.length > 0 ? behind : ["transaction"];
}

/** The entities that a pattern is about, also by numbers that follow what it writes. */
export function concernedBy(pattern: Pattern, numbers: readonly KeptNumber[]): ReadonlySet<string> {
  const own = entitiesOf(pattern);
  if (pattern.kind === "read" || numbers.length === 0) return own;
  const holders = numbers.filter(({ keeps }) => own.has(keeps.of)).map(({ holder }) => holder.name);
  return new Set([...own, ...holders]);
}

/** Patterns that are about some entities, also by numbers that follow what they write. */
export function concerning(
  patterns: readonly Pattern[],
  entities: readonly string[],
  numbers: readonly KeptNumber[],
): readonly Pattern[] {
  const wanted = new Set(entities);
  return patterns.filter((one) => [...concernedBy(one, numbers)].some((name) => wanted.has(name)));
}

/** Entities of which one is counted and the other has the number. */
export function pairsOf(numbers: readonly KeptNumber[]): readonly (readonly string[])[] {
  return numbers.map(({ keeps, holder }) => [keeps.of, holder.name]);
}

/** Those on the other side of numbers. */
export function partnersOf(
  entities: readonly string[],
  numbers: readonly KeptNumber[],
): readonly string[] {
  return pairsOf(numbers)
    .filter((pair) => pair.some((one) => entities.includes(one)))
    .flat();
}

/** Entities, the entities that hold aggregates of them, and so on: a write of the first writes the others, too. */
export function withHolders(
  entities: readonly string[],
  numbers: readonly KeptNumber[],
): ReadonlySet<string> {
  const all = new Set(entities);
  // A Set is iterated with what is added meanwhile.
  for (const name of all) {
    for (const { keeps, holder } of numbers) if (keeps.of === name) all.add(holder.name);
  }
  return all;
}

/** What counting anew asks: all that belong to one who has the number. */
export function countingNeeds(ways: readonly KeptWay[]): readonly Need[] {
  return ways.flatMap(({ number: { name, keeps, links }, mode }): readonly Need[] => {
    if (mode !== "schedule") return [];
    return [
      {
        pattern: name,
        entity: keeps.of,
        equal: unique(links),
        ranged: [],
        order: [],
        asked: unique(links),
        returns: keeps.attribute === undefined ? [] : [keeps.attribute],
        strong: false,
        locates: false,
        tied: false,
        limited: false,
        scope: [],
        constants: [],
      },
    ];
  });
}

/** The same layout with what keeps the numbers that its entities count for. */
export function keepingLayout(layout: Layout, ways: readonly KeptWay[]): Layout {
  const own = ways.filter(({ number }) => layout.entities.includes(number.keeps.of));
  if (own.length === 0) return layout;
  const tables = [...layout.tables].map(([name, table]) => {
    const here = own.filter(({ number }) => Object.hasOwn(table.entities ?? {}, number.keeps.of));
    return [name, here.length === 0 ? table : keepingTable(table, here)] as const;
  });
  const said = own.map(({ number, mode }) => `${number.name} by ${mode}`).join(", ");
  return {
    ...layout,
    id: `${layout.id} keeping ${said}`,
    words: `${layout.words}, keeping ${said}`,
    tables: new Map(tables),
  };
}

function keepingTable(table: TableDocument, ways: readonly KeptWay[]): TableDocument {
  const aggregates = ways.map(({ number: { name, keeps }, mode }): AggregateDocument => {
    const { what, of, attribute } = keeps;
    const by = mode === "schedule" ? { schedule } : mode;
    return { of, into: name, ...(attribute !== undefined && { what, attribute }), by };
  });
  const streamed = ways.filter(({ mode }) => mode === "stream");
  const consumers = unique(streamed.map(({ number }) => number.keeps.of)).map((of) =>
    consumerOf(
      table,
      of,
      streamed.flatMap(({ number }) => (number.keeps.of === of ? [number] : [])),
    ),
  );
  const isOld = streamed.some(({ number }) => number.events.length > 1);
  const view = isOld || table.stream === "old-image" ? "new-and-old-images" : "new-image";
  const isWide = table.stream === "new-and-old-images";
  return {
    ...table,
    ...(streamed.length > 0 && {
      stream: isWide ? "new-and-old-images" : view,
      consumers: [...(table.consumers ?? []), ...consumers],
    }),
    aggregates: [...(table.aggregates ?? []), ...aggregates],
  };
}

/** As large as batches get, and some seconds: what counts for one is added up before it is written. */
const batch = 1_000;
const window = "5s";

function consumerOf(
  { key, entities = {} }: TableDocument,
  of: string,
  numbers: readonly NumberToKeep[],
): ConsumerDocument {
  const events = unique(numbers.flatMap((one) => one.events));
  const [sort] = Object.keys(key).slice(1);
  const text = sort === undefined ? "" : (entities[of]?.key[sort] ?? "");
  const start = text.slice(0, text.indexOf("{") < 0 ? undefined : text.indexOf("{"));
  const isShared = Object.keys(entities).length > 1 && sort !== undefined && start !== "";
  const isExpiring = numbers.some(({ expires }) => expires) && events.includes("REMOVE");
  return {
    name: `${of.toLowerCase()}-numbers`,
    purpose: `keeps ${numbers.map(({ name }) => name).join(", ")}`,
    batch,
    window,
    filter: {
      eventName: events,
      ...(isShared && { dynamodb: { Keys: { [sort]: { S: [{ prefix: start }] } } } }),
      // What expires is deleted by the service: that is no change of the number.
      ...(isExpiring && { userIdentity: { type: [{ exists: false }] } }),
    },
    start: "trim-horizon",
    bisect: true,
  };
}

/** What is given up for numbers that are kept, in sentences. */
export function numberTradeoffs(model: Model, tables: readonly TableDocument[]): readonly string[] {
  const numbers = new Map(keptNumbers(model).map((one) => [one.name, one]));
  const served = servedPatterns(model);
  return tables.flatMap(({ aggregates = [] }) =>
    aggregates.flatMap(({ of, into, what = "count", by }): readonly string[] => {
      const number = numbers.get(into);
      if (number === undefined) return [];
      if (by === "stream") {
        const twice =
          what === "count" || what === "sum" ? ", and a record that comes twice counts twice" : "";
        return [`${into} is some seconds behind${twice}`];
      }
      if (by !== "transaction") return [`${into} is up to a minute behind`];
      const open = countedBy(served, number).filter(({ actions }) =>
        actions.some(
          ({ entity, kind, condition }) =>
            entity === of && kind === "create" && condition?.kind !== "absent",
        ),
      );
      return open.map(
        ({ id }) =>
          `a ${of} that pattern ${id} puts again counts twice in ${into}: it has no condition: absent`,
      );
    }),
  );
}
