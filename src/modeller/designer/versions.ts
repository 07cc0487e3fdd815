import type { DecisionDocument, TableDocument } from "../../model/document-design.ts";
import type { Model } from "../../model/model.ts";
import type { Action, Attribute, Entity, Together } from "../../model/requirements.ts";
import type { MoreWithout } from "./cache-decision.ts";
import type { Component } from "./component.ts";
import type { Layout } from "./drafts.ts";
import { record } from "./layouts.ts";
import { servedPatterns } from "./needs.ts";
import type { Choice } from "./pricing.ts";

/** A number at the end of an id, of which somebody asks for the newest. */
interface Versions {
  readonly version: Attribute;
  /** It is asked for in a transaction, which takes whole keys. */
  readonly byKey: boolean;
}

/** The number at the end of an id, if somebody asks for the newest of all that differ in it alone. */
function versionsOf(model: Model, entity: Entity): Versions | undefined {
  const version = entity.attributes.get(entity.id.at(-1) ?? "");
  if (entity.id.length < 2 || version?.type !== "N" || version.format !== undefined) {
    return undefined;
  }
  const others = entity.id.slice(0, -1);
  const wants = ({ entity: name, where, order, limit }: Action | Together): boolean =>
    name === entity.name &&
    limit === 1 &&
    order[0]?.attribute === version.name &&
    order[0].direction === "descending" &&
    where.every(({ attribute, operator }) => others.includes(attribute) && operator === "equals");
  const asking = servedPatterns(model).filter(
    ({ kind, actions, together }) => kind === "read" && [...actions, ...together].some(wants),
  );
  if (asking.length === 0) return undefined;
  return { version, byKey: asking.some(({ transaction }) => transaction) };
}

/** The same layouts, where they hold versions, and one more in which a copy of the newest has a key of its own. */
export function withVersions(model: Model, layouts: readonly Layout[]): readonly Layout[] {
  const told = layouts.map((layout) => {
    if (layout.kept) return layout;
    const [found] = layout.entities.flatMap((name) => {
      const entity = model.entities.get(name);
      const version = entity && versionsOf(model, entity)?.version;
      return version && isLast(layout, name, version) ? [{ name, version }] : [];
    });
    return found === undefined ? layout : asQuery(layout, found.name, found.version);
  });
  const [plain] = told.filter(({ versions, entities }) => versions && entities.length === 1);
  const entity = model.entities.get(plain?.entities[0] ?? "");
  const versions = entity && versionsOf(model, entity);
  if (plain === undefined || entity === undefined || versions === undefined) return told;
  if (!isOnlyAdded(model, entity)) return told;
  const copy = withCopy(plain, entity, versions.version);
  if (copy === undefined) return told;
  return versions.byKey ? [copy] : [...told, copy];
}

/** The table's key is in the order of versions. */
function isLast({ tables, main }: Layout, entity: string, { name }: Attribute): boolean {
  const table = tables.get(main);
  const [, sort] = Object.keys(table?.key ?? {});
  const text = table?.entities?.[entity]?.key[sort ?? ""] ?? "";
  return text.endsWith(`{${name}}`) || new RegExp(`\\{${name}\\|pad:\\d+\\}$`).test(text);
}

/** Whoever changes or takes away a version would have to know whether it is the newest. */
function isOnlyAdded(model: Model, { name }: Entity): boolean {
  return servedPatterns(model).every(({ actions, with: others, kind }) =>
    [...actions, ...others.map(({ entity }) => ({ entity, kind: actions[0]?.kind }))].every(
      (one) => one.entity !== name || kind === "read" || one.kind === "create",
    ),
  );
}

function asQuery(layout: Layout, entity: string, { name }: Attribute): Layout {
  const table = layout.tables.get(layout.main) as TableDocument;
  const versioning = { entity, attribute: name, latest: "query" } as const;
  return {
    ...layout,
    versions: "query",
    tables: new Map([...layout.tables, [layout.main, { ...table, versioning }]]),
  };
}

/** So many digits are assumed of numbers of which none are told. */
const digitsAssumed = 10;

function withCopy(layout: Layout, entity: Entity, version: Attribute): Layout | undefined {
  const table = layout.tables.get(layout.main) as TableDocument;
  const [partition = "", sort = ""] = Object.keys(table.key);
  const placement = table.entities?.[entity.name];
  const texts = placement?.key;
  const part = ["part", "itemPart", "sortKey"].find((name) => !entity.attributes.has(name));
  if (placement === undefined || texts === undefined || part === undefined) return undefined;
  if (version.canBeNegative) return undefined;
  const padded = `{${version.name}|pad:${version.digits ?? digitsAssumed}}`;
  // What is known of the id besides the version stands before it, or there is nothing else in the sort key.
  const before = (texts[sort] ?? "").replace(/\{[^{}]*\}$/, "");
  const key = record([
    [partition, texts[partition] ?? ""] as const,
    [part, `${entity.name.toUpperCase()}#${before}${padded}`] as const,
  ]);
  const latest = record([
    [partition, texts[partition] ?? ""] as const,
    [part, before === "" ? "LATEST" : `LATEST#${before.replace(/#$/, "")}`] as const,
  ]);
  const document: TableDocument = {
    ...table,
    key: record([[partition, table.key[partition] ?? "S"] as const, [part, "S"] as const]),
    entities: record([[entity.name, { ...placement, key }]]),
    versioning: {
      entity: entity.name,
      attribute: version.name,
      latest: "copy",
      key: latest,
    },
  };
  const words = `with a copy of the newest under a key of its own`;
  return {
    ...layout,
    id: `${layout.id} ${words}`,
    words: `${layout.words}, ${words}`,
    versions: "copy",
    variantOf: layout.variantOf ?? layout.id,
    tables: new Map([...layout.tables, [layout.main, document]]),
  };
}

/** How the newest version is found, and what the other way would cost. */
export function versionDecision(
  { options }: Component,
  { layout }: Choice,
  more: MoreWithout,
): readonly DecisionDocument[] {
  const { versions, main } = layout;
  const entity = layout.tables.get(main)?.versioning?.entity ?? "";
  if (versions === undefined || layout.kept) return [];
  const here = options.filter((one) => one.layout.entities.includes(entity));
  const those = here.filter((one) => (one.layout.versions === "copy") === (versions === "copy"));
  const dollars =
    those.length === here.length ? undefined : more(new Set(those.map((one) => one.layout.id)));
  const [own, other] = versions === "copy" ? [byCopy, byQuery] : [byQuery, byCopy];
  return [
    {
      about: `design.tables.${main}.versioning`,
      chosen: `the newest ${entity} is ${own}`,
      ...(dollars !== undefined && {
        rejected: [{ what: other, perMonth: Math.max(0, Math.round(dollars * 100) / 100) }],
      }),
      why: whyOf(versions, dollars),
    },
  ];
}

const byQuery = "the first of a query in descending order";
const byCopy = "a copy under a key of its own, written with each version";

function whyOf(versions: "copy" | "query", dollars: number | undefined): string {
  if (dollars !== undefined) return "it is the cheapest";
  return versions === "copy"
    ? "somebody reads it in a transaction, which takes whole keys"
    : "a copy could not follow what is changed or deleted";
}
