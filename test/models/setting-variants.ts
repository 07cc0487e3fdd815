import type { TableDocument } from "../../src/model/document-design.ts";
import {
  type Draft,
  firstOf,
  freshName,
  type Transformation,
  tablesOf,
  withDesign,
  withTable,
} from "./design-draft.ts";

/** Transformations of how tables are run. None of them is about keys or items, so no request and no answer changes. */

type Setting = (draft: Draft, document: TableDocument) => Partial<TableDocument> | undefined;

const settings: Readonly<Record<string, Setting>> = {
  provisioned: ({ random }, { billing = "on-demand", maximum, prewarm, periods }) =>
    billing !== "on-demand" || maximum || prewarm || periods
      ? undefined
      : {
          billing: {
            provisioned: {
              read: random.pick([5, 100, 4_000]),
              write: random.pick([5, 100, 4_000]),
              ...(random.chance(0.5) && { autoScaling: { read: { min: 5, max: 4_000 } } }),
            },
          },
        },
  "infrequent-access": () => ({ class: "infrequent-access" }),
  maximum: (_, { billing = "on-demand" }) =>
    billing === "on-demand" ? { maximum: { read: 4_000, write: 4_000 } } : undefined,
  prewarm: (_, { billing = "on-demand" }) =>
    billing === "on-demand" ? { prewarm: { read: 12_000, write: 4_000 } } : undefined,
  recovery: ({ random }) => ({
    pitr: random.chance(0.5) ? true : { days: 7 },
    backups: { every: "1d", keep: "30d" },
  }),
  encryption: ({ random }) => ({ encryption: random.pick(["owned", "managed"] as const) }),
  protection: () => ({ deletionProtection: true, tags: { team: "orders" } }),
  replicas: (_, { stream, dax }) =>
    dax === undefined
      ? { replicas: ["eu-west-1"], stream: stream ?? "new-and-old-images" }
      : undefined,
  stream: ({ random }, { stream, consumers }) => ({
    stream: stream ?? random.pick(["new-and-old-images", "new-image", "keys-only"] as const),
    consumers: [
      ...(consumers ?? []),
      { name: "export", purpose: "to the data lake", batch: 50, window: "5s", retries: 3 },
    ],
  }),
  cache: (_, { dax }) =>
    dax === undefined ? { dax: { node: "dax.r5.large", nodes: 3, hitRate: 0.9 } } : undefined,
  purpose: () => ({ purpose: "what the team agreed on" }),
};

export const tableSetting: Transformation = {
  name: "table-setting",
  apply: (draft) =>
    firstOf(draft, tablesOf(draft), ({ table, document }) => {
      const name = draft.random.pick(Object.keys(settings));
      const change = settings[name]?.(draft, document);
      if (change === undefined) return undefined;
      return {
        document: withTable(draft, table, { ...document, ...change }),
        what: `${table}: ${name}`,
      };
    }),
};

/** Tables and indexes are only called otherwise; what a plan names is called otherwise, too. */
export const renamedTable: Transformation = {
  name: "renamed-table",
  apply: (draft) =>
    firstOf(draft, tablesOf(draft), ({ table }) => {
      if (draft.design.plans !== undefined) return undefined;
      const name = freshName(draft, "Renamed");
      const tables = Object.fromEntries(
        Object.entries(draft.design.tables).map(([own, one]) => {
          const unique = one.unique?.map((guard) =>
            guard.table === table ? { ...guard, table: name } : guard,
          );
          return [own === table ? name : own, unique === undefined ? one : { ...one, unique }];
        }),
      );
      return {
        document: withDesign(draft, { ...draft.design, tables }),
        what: `${table} is called ${name}`,
      };
    }),
};

/** The attribute is the same, and so are the entities that have it. */
export const longTtl: Transformation = {
  name: "ttl-of-named-entities",
  apply: (draft) =>
    firstOf(draft, tablesOf(draft), ({ table, document }) => {
      if (typeof document.ttl !== "string") return undefined;
      const entities = draft.model.design?.tables.get(table)?.ttl?.entities ?? [];
      if (entities.length === 0) return undefined;
      return {
        document: withTable(draft, table, {
          ...document,
          ttl: { attribute: document.ttl, entities: [...entities] },
        }),
        what: `${table} says of which entities its ttl is`,
      };
    }),
};

export const settingVariants: readonly Transformation[] = [tableSetting, renamedTable, longTtl];
