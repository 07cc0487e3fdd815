import { type Path, pathText } from "../../document/path.ts";
import type { Model } from "../../model/model.ts";
import { Facts } from "../facts.ts";
import type { StoredRecord } from "../records/record.ts";
import { type Difference, differencesOf } from "./differences.ts";
import type { EntityMove } from "./moves.ts";
import type { Naming } from "./naming.ts";
import type { Change, ChangeKind, NewName } from "./step.ts";

export interface Differing {
  readonly old: Model;
  readonly next: Model;
  readonly naming: Naming;
  readonly newNames: readonly NewName[];
  readonly moves: readonly EntityMove[];
}

/** What the two documents say differently, and what that means for the database. */
export function changesOf(differing: Differing): readonly Change[] {
  return differencesOf(differing.old.document, differing.next.document).map((one) => ({
    path: one.path,
    how: one.how,
    kind: kindOf(differing, one),
    text: textOf(one),
  }));
}

const settings: ReadonlySet<string> = new Set([
  "billing",
  "class",
  "ttl",
  "stream",
  "consumers",
  "pitr",
  "backups",
  "encryption",
  "deletionProtection",
  "dax",
  "prewarm",
  "maximum",
  "replicas",
  "tags",
]);

function kindOf(differing: Differing, { path, how }: Difference): ChangeKind {
  const [top, second, ...rest] = path.map(String);
  if (top === "entities") return entityKind(differing, path, how);
  if (top === "patterns") return rest.length === 0 && how === "removed" ? "destructive" : "none";
  if (top !== "design") return "none";
  if (second === undefined) return how === "added" ? "additive" : "destructive";
  if (second !== "tables") return "none";
  const [table, part, name, ...inner] = rest;
  if (table === undefined) return how === "added" ? "additive" : "destructive";
  const forked = differing.newNames.find((one) => one.table === table);
  if (part === undefined) return tableKind(differing, table, how);
  if (part === "purpose") return "none";
  if (settings.has(part)) return "setting";
  if (part === "indexes" && name !== undefined) {
    return indexKind(differing, table, name, inner, how);
  }
  if (forked !== undefined && forked.index === undefined) return "rebuild";
  if (part === "entities" && name !== undefined) {
    if (how === "removed" && inner.length === 0 && !differing.next.entities.has(name))
      return "destructive";
    return isMoved(differing, differing.naming.newEntity(name)) ? "backfill" : "additive";
  }
  if (part === "unique") return how === "removed" ? "destructive" : "backfill";
  if (part === "versioning" || part === "discriminator") return "backfill";
  return "none";
}

function isMoved({ moves }: Differing, entity: string): boolean {
  return moves.some((one) => one.entity === entity);
}

function entityKind(
  { old, next, naming }: Differing,
  path: Path,
  how: Difference["how"],
): ChangeKind {
  const [, entity = "", member, attribute, ...inner] = path.map(String);
  if (member === undefined) {
    if (how === "added") return "additive";
    const isStored = Facts.of(old).records.some((one) => one.entity.name === entity);
    return isStored && !next.entities.has(naming.newEntity(entity)) ? "destructive" : "none";
  }
  if (member !== "attributes" || attribute === undefined || inner.length > 0) {
    return inner[0] === "type" ? "rebuild" : "none";
  }
  if (how === "removed") {
    if (naming.isRenamed(entity, attribute)) return "backfill";
    return holdsAttribute(old, entity, attribute) ? "destructive" : "none";
  }
  return "none";
}

/** Whether items of an entity hold one of its attributes. */
export function holdsAttribute(model: Model, entity: string, attribute: string): boolean {
  const holds = ({ attributes }: StoredRecord): boolean =>
    attributes.some(
      ({ content }) =>
        (content.kind === "attribute" && content.attribute.name === attribute) ||
        (content.kind === "key" && content.text.native === attribute) ||
        (content.kind === "embedded" && content.entity.name === entity),
    );
  const facts = Facts.of(model);
  return facts.records.some(
    (one) => (one.entity.name === entity || facts.hostsOf(entity).includes(one)) && holds(one),
  );
}

function tableKind(
  { old, next, naming }: Differing,
  table: string,
  how: Difference["how"],
): ChangeKind {
  if (how === "added") {
    const placed = [...(next.design?.tables.get(table)?.placements.keys() ?? [])];
    return placed.some((name) => old.entities.has(naming.oldEntity(name))) ? "rebuild" : "additive";
  }
  return "destructive";
}

function indexKind(
  { newNames, next, old }: Differing,
  table: string,
  name: string,
  inner: readonly string[],
  how: Difference["how"],
): ChangeKind {
  if (inner.length === 0 && how === "removed") return "destructive";
  const [member] = inner;
  if (member === "purpose") return "none";
  if (member === "throughput" || member === "maximum" || member === "prewarm") return "setting";
  const isForked = newNames.some(
    (one) => one.table === table && (one.index === undefined || one.index === name),
  );
  if (isForked) return "rebuild";
  const index = next.design?.tables.get(table)?.indexes.get(name);
  const isMade = [...(index?.members.values() ?? [])].some(
    ({ entity, sets }) => sets.length > 0 && old.entities.has(entity),
  );
  return isMade ? "backfill" : "additive";
}

const textMax = 60;

function textOf({ path, how, old, new: next }: Difference): string {
  const name = pathText(path);
  if (how === "changed") return `${name}: ${short(old)} becomes ${short(next)}`;
  const value = how === "added" ? next : old;
  const isPart = typeof value === "object" && typeof path.at(-1) !== "number";
  return `${name}${isPart ? "" : `: ${short(value)}`}`;
}

function short(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const signs = [...text];
  return signs.length <= textMax ? text : `${signs.slice(0, textMax - 1).join("")}…`;
}
