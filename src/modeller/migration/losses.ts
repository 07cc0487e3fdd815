import type { Path } from "../../document/path.ts";
import { pathText } from "../../document/path.ts";
import type { Index, Table } from "../../model/design.ts";
import { attributesOf } from "../../model/key-text.ts";
import type { Model } from "../../model/model.ts";
import { Facts } from "../facts.ts";
import { plansOf } from "../plans/planner.ts";
import type { StoredRecord } from "../records/record.ts";
import { holdsAttribute } from "./changes.ts";
import type { EntityMove } from "./moves.ts";
import type { Naming } from "./naming.ts";
import { renameQuestion } from "./questions.ts";
import type { MigrationFinding } from "./step.ts";
import { recordName } from "./target.ts";

export interface Compared {
  readonly old: Model;
  readonly next: Model;
  /** The new model with names that are free. */
  readonly target: Model;
  readonly naming: Naming;
  readonly moves: readonly EntityMove[];
}

type Finding = Omit<MigrationFinding, "accepted">;

/** What would be lost without anybody having said so. */
export function lossesOf(compared: Compared): readonly Finding[] {
  return [
    ...droppedEntities(compared),
    ...droppedAttributes(compared),
    ...changedTypes(compared),
    ...newGuards(compared),
    ...narrowKeys(compared),
    ...collidingKeys(compared),
    ...narrowedIndexes(compared),
    ...unservedPatterns(compared),
  ];
}

function error(
  rule: string,
  path: Path,
  message: string,
  places: Pick<Finding, "old" | "new">,
): Finding {
  return { id: `${rule}:${pathText(path)}`, severity: "error", message, ...places };
}

function isStored(model: Model, entity: string): boolean {
  const facts = Facts.of(model);
  return facts.itemsOf(entity).length > 0 || facts.hostsOf(entity).length > 0;
}

function droppedEntities({ old, next, naming }: Compared): readonly Finding[] {
  return [...old.entities.values()].flatMap((entity) => {
    const name = naming.newEntity(entity.name);
    if (!isStored(old, entity.name) || isStored(next, name)) return [];
    const other = next.entities.get(name);
    const what =
      other === undefined ? "is not in the new document" : "is in no table of the new document";
    const ask = other === undefined ? renameQuestion(old, next, entity.name, undefined) : "";
    return [
      error("entity-dropped", entity.path, `All ${entity.name} items are lost: it ${what}.${ask}`, {
        old: entity.path,
        new: other?.path ?? next.design?.tables.values().next().value?.path.slice(0, 2),
      }),
    ];
  });
}

function droppedAttributes({ old, next, naming }: Compared): readonly Finding[] {
  return [...old.entities.values()].flatMap((entity) => {
    const after = next.entities.get(naming.newEntity(entity.name));
    if (after === undefined || !isStored(next, after.name)) return [];
    return [...entity.attributes.values()].flatMap((attribute): readonly Finding[] => {
      const name = naming.newAttribute(entity.name, attribute.name);
      if (!holdsAttribute(old, entity.name, attribute.name)) return [];
      if (after.attributes.has(name) && holdsAttribute(next, after.name, name)) return [];
      if (isElsewhere(next, after.name, name)) return [];
      const isKnown = after.attributes.has(name);
      const what = isKnown
        ? "no item of the new design holds it"
        : "the new document does not have it";
      const ask = isKnown ? "" : renameQuestion(old, next, entity.name, attribute.name);
      return [
        error(
          "attribute-dropped",
          attribute.path,
          `The values of ${entity.name}.${attribute.name} are lost: ${what}.${ask}`,
          { old: attribute.path, new: after.attributes.get(name)?.path ?? after.path },
        ),
      ];
    });
  });
}

function isElsewhere(model: Model, entity: string, attribute: string): boolean {
  return [...(model.design?.tables.values() ?? [])].some(({ placements }) =>
    placements.get(entity)?.elsewhere.some((one) => one.attribute === attribute),
  );
}

function changedTypes({ old, next, naming }: Compared): readonly Finding[] {
  return [...old.entities.values()].flatMap((entity) => {
    const after = next.entities.get(naming.newEntity(entity.name));
    return [...entity.attributes.values()].flatMap((attribute): readonly Finding[] => {
      const other = after?.attributes.get(naming.newAttribute(entity.name, attribute.name));
      if (other === undefined || other.type === attribute.type) return [];
      if (!holdsAttribute(old, entity.name, attribute.name)) return [];
      return [
        error(
          "type-changed",
          attribute.path,
          `${entity.name}.${attribute.name} is ${attribute.type} in items that there are and ${other.type} in the new document: who reads it meets both. Give the new one another name.`,
          { old: attribute.path, new: other.path },
        ),
      ];
    });
  });
}

/** Values that nobody has kept unique so far may not be. */
function newGuards({ old, next, naming }: Compared): readonly Finding[] {
  const guards = Facts.of(old).records.filter(({ role }) => role === "unique");
  const known = new Set(guards.map((one) => recordName(naming, one)));
  return [...(next.design?.tables.values() ?? [])].flatMap(({ unique }) =>
    unique.flatMap(({ entity, attribute, path }): readonly Finding[] => {
      const before = old.entities.get(naming.oldEntity(entity));
      const names = [...(before?.attributes.keys() ?? [])];
      const was = names.find((one) => naming.newAttribute(before?.name ?? "", one) === attribute);
      if (known.has(`${entity}.${attribute}`) || before === undefined || was === undefined)
        return [];
      if (!isStored(old, before.name)) return [];
      return [
        error(
          "unique-may-be-violated",
          ["design", "unique", entity, attribute],
          `${entity}.${attribute} was not kept unique so far: of two items with one value only the first would get its guard. Look for such values before, and accept it when there are none.`,
          { old: before.attributes.get(was)?.path, new: path },
        ),
      ];
    }),
  );
}

/** Numbers that have more digits than their place in a key are not in order any more. */
function narrowKeys({ old, target, naming, moves }: Compared): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { moves: list } of moves) {
    for (const { after } of list) {
      if (after === undefined) continue;
      const before = old.entities.get(naming.oldEntity(after.entity.name));
      for (const { text, path } of madeTexts(after, target)) {
        for (const { attribute, transforms } of attributesOf(text)) {
          const pad = transforms.find((one) => one.kind === "pad");
          const name = [...(before?.attributes.keys() ?? [])].find(
            (one) => naming.newAttribute(before?.name ?? "", one) === attribute,
          );
          const was = name === undefined ? undefined : before?.attributes.get(name);
          const most = was === undefined ? undefined : digitsOf(was);
          if (pad?.kind !== "pad" || most === undefined || pad.digits >= most) continue;
          findings.push(
            error(
              "padding-too-narrow",
              path,
              `${after.entity.name}.${attribute} has up to ${most} digits and is padded to ${pad.digits}: longer numbers sort before shorter ones, or cannot be told apart from them.`,
              { old: was?.path, new: path },
            ),
          );
        }
      }
    }
  }
  return unlike(findings);
}

/** The digits that numbers have so far: what is stated, or the largest of the only values. */
function digitsOf({
  digits,
  values,
  type,
}: {
  readonly type: string;
  readonly digits: number | undefined;
  readonly values: readonly { readonly value: string | number }[] | undefined;
}): number | undefined {
  if (type !== "N") return undefined;
  if (values !== undefined) return Math.max(...values.map(({ value }) => String(value).length));
  return digits;
}

/** What a kind of item's keys are made of, with their places. */
function madeTexts(
  record: StoredRecord,
  model: Model,
): readonly { readonly text: StoredRecord["key"][number]["text"]; readonly path: Path }[] {
  const table = model.design?.tables.get(record.table.name);
  const sets = [...(table?.indexes.values() ?? [])].flatMap(
    ({ members }) => members.get(record.entity.name)?.sets ?? [],
  );
  return [...record.key, ...sets];
}

function unlike(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((one) => [one.id, one])).values()];
}

/** Keys that no longer tell two items apart which the old ones told apart. */
function collidingKeys({ naming, moves, next, target }: Compared): readonly Finding[] {
  return moves.flatMap(({ entity, moves: list }) =>
    list.flatMap(({ after }): readonly Finding[] => {
      if (after === undefined || after.role !== "item") return [];
      const names = new Set(
        after.key.flatMap(({ text }) => attributesOf(text).map(({ attribute }) => attribute)),
      );
      const missing = after.entity.id.filter((name) => !names.has(name));
      const path = after.key[0]?.path;
      if (missing.length === 0 || path === undefined) return [];
      const before = naming.oldEntity(entity);
      return [
        error(
          "key-collides",
          path,
          `The key of ${entity} does not say its ${missing.join(", ")}: items of ${before} that differ in nothing else overwrite each other.`,
          { old: undefined, new: (target === next ? target : next).entities.get(entity)?.path },
        ),
      ];
    }),
  );
}

/** Attributes that a pattern takes from an index, and that the index does not have any more. */
function narrowedIndexes({ old, next, naming }: Compared): readonly Finding[] {
  const findings: Finding[] = [];
  for (const table of old.design?.tables.values() ?? []) {
    for (const index of table.indexes.values()) {
      const after = next.design?.tables.get(table.name)?.indexes.get(index.name);
      if (after === undefined) continue;
      for (const [id, plan] of plansOf(Facts.of(old))) {
        if (!next.patterns.has(id)) continue;
        for (const request of plan.requests) {
          if (request.kind !== "read" || request.index !== index) continue;
          const entity = request.record.entity.name;
          const lost = request.returns.filter(
            (name) =>
              isProjected(index, name) && !isProjected(after, naming.newAttribute(entity, name)),
          );
          const still = next.patterns.get(id)?.actions[0]?.returns ?? [];
          const wanted = lost.filter((name) => still.includes(naming.newAttribute(entity, name)));
          if (wanted.length === 0) continue;
          findings.push(
            error(
              "projection-narrowed",
              after.path,
              `Pattern ${id} takes ${wanted.join(", ")} from the index ${table.name}.${index.name}, which does not have it any more.`,
              { old: index.path, new: after.path },
            ),
          );
        }
      }
    }
  }
  return unlike(findings);
}

function isProjected({ projection, partition, sort }: Index, name: string): boolean {
  if (projection === "all") return true;
  if ([...partition, ...sort].some((key) => key.name === name)) return true;
  return projection !== "keys" && projection.includes(name);
}

/** Patterns that were served and are not any more, though both documents have them. */
function unservedPatterns({ old, next }: Compared): readonly Finding[] {
  const after = plansOf(Facts.of(next));
  return [...plansOf(Facts.of(old))].flatMap(([id, plan]): readonly Finding[] => {
    const other = after.get(id);
    const pattern = next.patterns.get(id);
    if (plan.problem !== undefined || other?.problem === undefined || pattern === undefined)
      return [];
    // That something is declined or served elsewhere is said in the document.
    if (pattern.status === "declined" || pattern.status === "alternative") return [];
    return [
      error(
        "pattern-unserved",
        pattern.path,
        `Pattern ${id} was served and is not any more: ${other.problem}.`,
        { old: old.patterns.get(id)?.path, new: pattern.path },
      ),
    ];
  });
}

/** Tables that the old document has and the new one has not. */
export function droppedTables(old: Model, target: Model): readonly Table[] {
  return [...(old.design?.tables.values() ?? [])].filter(
    ({ name }) => !target.design?.tables.has(name),
  );
}
