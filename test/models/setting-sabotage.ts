import type { TableDocument } from "../../src/model/document-design.ts";
import { isExpiryName } from "../../src/modeller/expiry-attribute.ts";
import { Facts } from "../../src/modeller/facts.ts";
import { evaluatedIn } from "../../src/modeller/lint/requests.ts";
import { plansOf } from "../../src/modeller/plans/planner.ts";
import {
  type Draft,
  draftOf,
  firstOf,
  indexesOf,
  placedIn,
  tablesOf,
  withIndex,
  withTable,
} from "./design-draft.ts";
import type { Sabotage } from "./sabotage.ts";

/** Mistakes in how tables are run and paid for: no answer is wrong, but items stay, go, or are read at a price that nobody wants. */

/** Entities of a table that expire by its TTL. */
function expiringIn({ model }: Draft, table: string): readonly string[] {
  const entities = model.design?.tables.get(table)?.ttl?.entities ?? [];
  return entities.filter((name) => model.entities.get(name)?.retentionMs !== undefined);
}

const lostTtl: Sabotage = {
  name: "lost-ttl",
  rules: ["retention-without-ttl", "ttl-for-expiring-data"],
  apply: (draft) =>
    firstOf(draft, tablesOf(draft), ({ table, document }) => {
      const { ttl, ...rest } = document;
      if (ttl === undefined || expiringIn(draft, table).length === 0) return undefined;
      // A pattern that deletes what has expired does the same.
      const isDeleted = expiringIn(draft, table).every((name) =>
        [...draft.model.patterns.values()].some(({ actions }) =>
          actions.some(({ kind, entity }) => kind === "delete" && entity === name),
        ),
      );
      if (isDeleted || document.periods !== undefined) return undefined;
      return {
        document: withTable(draft, table, rest),
        what: `${table} has no ttl`,
        why: "entities with a retention stay for ever",
      };
    }),
};

const wrongTtl: Sabotage = {
  name: "ttl-by-other-number",
  rules: ["ttl-in-milliseconds", "ttl-without-time"],
  apply: (draft) =>
    firstOf(draft, placedIn(draft), ({ table, document, entity }) => {
      const numbers = [...entity.attributes.values()].filter(
        ({ name, type, format, values }) =>
          type === "N" && format !== "epoch-seconds" && values === undefined && !isExpiryName(name),
      );
      if (numbers.length === 0 || document.ttl !== undefined) return undefined;
      const { name } = draft.random.pick(numbers);
      return {
        document: withTable(draft, table, {
          ...document,
          ttl: { attribute: name, entities: [entity.name] },
        }),
        what: `${table} expires by ${entity.name}.${name}`,
        why: "the number is no time in seconds, so nothing expires when it should",
      };
    }),
};

/** What the tools must say about a pattern that reads everything now and did not before. */
const droppedIndex: Sabotage = {
  name: "dropped-index",
  rules: ["scan-in-pattern", "no-scans"],
  apply: (draft) =>
    firstOf(draft, indexesOf(draft), (one) => {
      if (draft.design.plans !== undefined) return undefined;
      const document = withIndex(draft, one, one.name, undefined);
      const next = draftOf(document, draft.random);
      if (next === undefined) return undefined;
      const [before, after] = [scansIn(draft), scansIn(next)];
      const added = [...after].filter((id) => !before.has(id));
      if (added.length === 0) return undefined;
      return {
        document,
        what: `without ${one.name}`,
        why: `${added.join(", ")} can only be answered by a Scan`,
      };
    }),
};

/** A Scan that ends early, reads a page or two or is rare can be cheaper than any index. */
const scannedMin = 20_000;

/** Patterns that are often asked and read all of a large table. */
function scansIn({ model }: Draft): ReadonlySet<string> {
  return new Set(
    [...plansOf(Facts.of(model))].flatMap(([id, { requests, pattern }]) => {
      const isOften = (pattern.rps?.average?.value ?? 0) >= 1;
      const scans = requests.some(
        (one) => one.kind === "read" && one.operation === "Scan" && evaluatedIn(one) > scannedMin,
      );
      return scans && isOften ? [id] : [];
    }),
  );
}

const tooLittle: Sabotage = {
  name: "too-little-throughput",
  rules: ["peak-above-capacity", "index-underprovisioned"],
  apply: (draft) =>
    firstOf(draft, tablesOf(draft), ({ table, document }) => {
      const { billing = "on-demand", maximum: _, prewarm: __, ...rest } = document;
      if (billing !== "on-demand" || document.periods || document.dax) return undefined;
      const reads = [...plansOf(Facts.of(draft.model)).values()].filter(
        ({ pattern, requests }) =>
          (pattern.rps?.peak?.value ?? 0) >= 100 &&
          requests.some(
            (one) => one.kind === "read" && one.table.name === table && one.index === undefined,
          ),
      );
      const [busy] = reads;
      if (busy === undefined) return undefined;
      const provisioned = { read: 1, write: 1 };
      const changed: TableDocument = { ...rest, billing: { provisioned } };
      return {
        document: withTable(draft, table, changed),
        what: `${table} has 1 RCU and 1 WCU`,
        why: `${busy.pattern.id} reads it ${busy.pattern.rps?.peak?.value} times per second at peak`,
      };
    }),
};

const staleNumber: Sabotage = {
  name: "number-that-may-be-behind",
  rules: ["number-not-kept"],
  apply: (draft) =>
    firstOf(draft, tablesOf(draft), ({ table, document }) => {
      const { aggregates = [] } = document;
      const [chosen] = aggregates.filter(({ into, by }) => {
        const [entity = "", attribute = ""] = into.split(".");
        const described = draft.model.entities.get(entity)?.attributes.get(attribute);
        return by === "transaction" && described?.staleness === "refused" && described.keeps;
      });
      if (chosen === undefined) return undefined;
      const later = aggregates.map((one) =>
        one === chosen ? { ...one, by: { schedule: "rate(1 day)" } } : one,
      );
      return {
        document: withTable(draft, table, { ...document, aggregates: later }),
        what: `${chosen.into} is kept once a day`,
        why: "the model refuses that it is behind",
      };
    }),
};

const otherNumber: Sabotage = {
  name: "aggregate-of-other-kind",
  rules: ["number-not-kept"],
  apply: (draft) =>
    firstOf(draft, tablesOf(draft), ({ table, document }) => {
      const { aggregates = [] } = document;
      const [chosen] = aggregates.filter(({ into, what = "count", attribute }) => {
        const [entity = "", name = ""] = into.split(".");
        const described = draft.model.entities.get(entity)?.attributes.get(name);
        return described?.keeps !== undefined && what !== "count" && attribute !== undefined;
      });
      if (chosen === undefined) return undefined;
      const { attribute: _, ...rest } = chosen;
      const changed = aggregates.map((one) =>
        one === chosen ? { ...rest, what: "count" as const } : one,
      );
      return {
        document: withTable(draft, table, { ...document, aggregates: changed }),
        what: `${chosen.into} is a count`,
        why: `the model states a ${chosen.what}`,
      };
    }),
};

export const settingSabotages: readonly Sabotage[] = [
  lostTtl,
  wrongTtl,
  droppedIndex,
  tooLittle,
  staleNumber,
  otherNumber,
];
