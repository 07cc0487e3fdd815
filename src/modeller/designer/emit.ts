import type { DesignDocument, IndexDocument, TableDocument } from "../../model/document-design.ts";
import type { Model } from "../../model/model.ts";
import type { Priced } from "../lint/bills.ts";
import { listText } from "../lint/words.ts";
import type { Plan } from "../plans/plan.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import { unlimited } from "./expiry.ts";
import { heldBy } from "./kept.ts";
import { plural, spoken } from "./keys.ts";
import { record } from "./layouts.ts";
import { entitiesOf, servedPatterns } from "./needs.ts";
import { numberTradeoffs } from "./numbers.ts";
import type { Choice } from "./pricing.ts";
import { servicesOf, withServiceStreams } from "./services.ts";

/** The design layer of a document, with names that say what they are; what each part is for comes later. */
export function emitted(model: Model, choices: readonly Choice[]): DesignDocument {
  const order = [...model.entities.keys()];
  const first = ({ layout }: Choice): number => order.indexOf(layout.entities[0] ?? "");
  const plain = choices
    .toSorted((a, b) => first(a) - first(b))
    .flatMap(({ layout, indexes }) => {
      const names = indexNames(indexes, layout);
      return [...layout.tables].map(([name, table]): [string, TableDocument] => {
        if (name !== layout.main || indexes.length === 0) return [name, table];
        const own = indexes.map((draft): [string, IndexDocument] => [
          names.get(draft) as string,
          draft.document,
        ]);
        const all = [...Object.entries(table.indexes ?? {}), ...own];
        return [name, { ...table, indexes: record(all) }];
      });
    });
  const tables = withServiceStreams(model, plain);
  const documents = tables.map(([, table]) => table);
  const services = servicesOf(model, documents);
  const tradeoffs = [
    ...idleTables(model, tables),
    ...unlimited(model.entities.values(), documents),
    ...numberTradeoffs(model, documents),
  ];
  return {
    style: "natural",
    tables: record(tables),
    ...(services.length > 0 && { services }),
    ...(tradeoffs.length > 0 && { tradeoffs }),
  };
}

/** Tables of entities that no pattern of DynamoDB uses, a sentence for each. */
function idleTables(
  model: Model,
  tables: readonly (readonly [string, TableDocument])[],
): readonly string[] {
  const used = new Set(servedPatterns(model).flatMap((pattern) => [...entitiesOf(pattern)]));
  const numbers = [...model.entities.values()].flatMap(({ name, attributes }) =>
    [...attributes.values()].flatMap(({ keeps }) => (keeps === undefined ? [] : [name, keeps.of])),
  );
  for (const name of numbers) used.add(name);
  return tables.flatMap(([name, table]) => {
    const held = heldBy(table);
    if (held.length === 0 || held.some((one) => used.has(one))) return [];
    return [
      `${name} stores ${listText(held)}, which no pattern reads or writes: the table costs only its storage.`,
    ];
  });
}

/** `OrdersByCustomer`; where two would be the same, also what they are sorted by. */
export function indexNames(
  indexes: readonly IndexDraft[],
  layout: Layout,
): ReadonlyMap<IndexDraft, string> {
  const taken = new Set(Object.keys(layout.tables.get(layout.main)?.indexes ?? {}));
  const names = new Map<IndexDraft, string>();
  for (const draft of indexes) {
    const { partition = [], sort = [] } = draft.document.key;
    // What is only there to spread a key says nothing of what is asked for.
    const made = Object.keys(draft.document.sets?.[draft.entity] ?? {});
    const asked = [partition].flat().filter((one) => !made.includes(one));
    const by = asked.map(spoken).join("And");
    const then = [sort].flat().map(spoken).join("And");
    const held = draft.label ?? plural(draft.entity);
    const first = by === "" ? then : by;
    const short = first === "" ? held : `${held}By${first}`;
    const long = by === "" || then === "" ? short : `${short}And${then}`;
    let name = taken.has(short) ? long : short;
    for (let n = 2; taken.has(name); n += 1) name = `${long}${n}`;
    taken.add(name);
    names.set(draft, name);
  }
  return names;
}

/** Says of each table and index what it is for: whom it holds, and who reads it. */
export function withPurposes(
  design: DesignDocument,
  model: Model,
  { plans, loads }: Pick<Priced, "plans" | "loads">,
): DesignDocument {
  const readers = (table: string, index: string): string => {
    const isHere = ({ requests }: Pick<Plan, "requests">): boolean =>
      requests.some(
        (one) => one.kind === "read" && one.table.name === table && one.index?.name === index,
      );
    return [
      ...[...plans.values()].filter(isHere).map(({ pattern }) => pattern.name),
      ...loads.background.filter(isHere).map(({ why }) => why),
    ].join("; ");
  };
  const tables = Object.entries(design.tables).map(([name, table]): [string, TableDocument] => {
    const held = heldBy(table);
    const said = held.flatMap((one) => model.entities.get(one)?.description ?? []);
    const purpose = said.length > 0 ? said.join("; ") : held.map(plural).join(" and ");
    const indexes = Object.entries(table.indexes ?? {}).map(
      ([one, index]): [string, IndexDocument] => [one, { purpose: readers(name, one), ...index }],
    );
    return [
      name,
      {
        purpose: table.purpose ?? purpose,
        ...table,
        ...(indexes.length > 0 && { indexes: record(indexes) }),
      },
    ];
  });
  return { ...design, tables: record(tables) };
}
