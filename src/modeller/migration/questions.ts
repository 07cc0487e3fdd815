import { globalIndexesMax } from "../../api/limits.ts";
import { nearest } from "../../document/nearest.ts";
import { pathText } from "../../document/path.ts";
import type { Model } from "../../model/model.ts";
import { Facts } from "../facts.ts";
import { plansOf } from "../plans/planner.ts";
import { canMeet } from "../plans/structures.ts";
import type { Compared } from "./losses.ts";
import type { MigrationFinding } from "./step.ts";

/** Something new that looks like what is gone, as a question; "" if there is nothing. */
export function renameQuestion(
  old: Model,
  next: Model,
  entity: string,
  attribute: string | undefined,
): string {
  if (attribute === undefined) {
    const before = old.entities.get(entity);
    const added = [...next.entities.values()].filter(({ name }) => !old.entities.has(name));
    const like = added.find(
      ({ id, attributes }) =>
        JSON.stringify(id) === JSON.stringify(before?.id) ||
        [...attributes.keys()].every((name) => before?.attributes.has(name)),
    );
    const name =
      like?.name ??
      nearest(
        entity,
        added.map((one) => one.name),
      );
    return name === undefined ? "" : ` Was it renamed? Then say --rename ${entity}=${name}.`;
  }
  const [before, after] = [old.entities.get(entity), next.entities.get(entity)];
  const was = before?.attributes.get(attribute);
  const added = [...(after?.attributes.values() ?? [])].filter(
    ({ name, type, format }) =>
      !before?.attributes.has(name) && type === was?.type && format === was?.format,
  );
  const name =
    nearest(
      attribute,
      added.map((one) => one.name),
    ) ?? added[0]?.name;
  return name === undefined
    ? ""
    : ` Was it renamed? Then say --rename ${entity}.${attribute}=${name}.`;
}

type Finding = Omit<MigrationFinding, "accepted">;

/** What somebody should know or answer before anything is done; nothing is lost by it. */
export function questionsOf(compared: Compared): readonly Finding[] {
  return [
    ...renamedStructures(compared),
    ...droppedPatterns(compared),
    ...missingValues(compared),
    ...strangers(compared),
    ...weakened(compared),
    ...crowded(compared),
  ];
}

/** Tables and indexes that have another name and look alike: DynamoDB renames nothing. */
function renamedStructures({ old, next }: Compared): readonly Finding[] {
  const findings: Finding[] = [];
  for (const table of old.design?.tables.values() ?? []) {
    const after = next.design?.tables.get(table.name);
    if (after === undefined) {
      const like = [...(next.design?.tables.values() ?? [])].find(
        (one) =>
          !old.design?.tables.has(one.name) &&
          JSON.stringify([one.partition, one.sort]) ===
            JSON.stringify([table.partition, table.sort]) &&
          [...one.placements.keys()].join() === [...table.placements.keys()].join(),
      );
      if (like !== undefined) {
        findings.push({
          id: `looks-renamed:${pathText(table.path)}`,
          severity: "question",
          message: `Table ${table.name} looks renamed to ${like.name}. There is no renaming: all items are moved to a new table and the old one is deleted. Keep the old name if that is not worth it.`,
          old: table.path,
          new: like.path,
        });
      }
      continue;
    }
    for (const index of table.indexes.values()) {
      if (after.indexes.has(index.name)) continue;
      const like = [...after.indexes.values()].find(
        (one) =>
          !table.indexes.has(one.name) &&
          JSON.stringify([one.partition, one.sort, one.projection]) ===
            JSON.stringify([index.partition, index.sort, index.projection]),
      );
      if (like === undefined) continue;
      findings.push({
        id: `looks-renamed:${pathText(index.path)}`,
        severity: "question",
        message: `Index ${table.name}.${index.name} looks renamed to ${like.name}. There is no renaming: a new index is made and the old one is deleted. Keep the old name if that is not worth it.`,
        old: index.path,
        new: like.path,
      });
    }
  }
  return findings;
}

function droppedPatterns({ old, next }: Compared): readonly Finding[] {
  return [...old.patterns.values()].flatMap((pattern): readonly Finding[] => {
    if (next.patterns.has(pattern.id)) return [];
    const like = [...next.patterns.values()].find(
      ({ id, name }) => !old.patterns.has(id) && name === pattern.name,
    );
    const more =
      like === undefined
        ? "Nobody may ask for it any more when the new code is out; say `status: declined` to keep the reason."
        : `Pattern ${like.id} has the same name.`;
    return [
      {
        id: `pattern-dropped:${pathText(pattern.path)}`,
        severity: "warning",
        message: `Pattern ${pattern.id} (${pattern.name}) is not in the new document. ${more}`,
        old: pattern.path,
        new: like?.path,
      },
    ];
  });
}

/** Indexes over attributes that existing items do not have. */
function missingValues({ old, target, naming }: Compared): readonly Finding[] {
  const findings: Finding[] = [];
  for (const record of Facts.of(target).records) {
    const before = old.entities.get(naming.oldEntity(record.entity.name));
    if (before === undefined || record.role !== "item") continue;
    const known = new Set(
      [...before.attributes.keys()].map((one) => naming.newAttribute(before.name, one)),
    );
    for (const { index, partition, sort } of record.memberships) {
      const lacking = new Set(
        [...partition, ...sort].flatMap(({ text }) =>
          text.segments.flatMap((segment) =>
            segment.kind === "attribute" &&
            !known.has(segment.attribute) &&
            record.entity.attributes.get(segment.attribute)?.copyOf === undefined
              ? [segment.attribute]
              : [],
          ),
        ),
      );
      if (lacking.size === 0) continue;
      findings.push({
        id: `needs-value:${pathText(index.path)}`,
        severity: "question",
        message: `No ${record.entity.name} has ${[...lacking].join(", ")} yet, so none is in ${index.name} until somebody gives it a value: which one do existing items get?`,
        old: before.path,
        new: index.path,
      });
    }
  }
  return findings;
}

/** Old readers of whole ranges that would meet items of kinds they do not know. */
function strangers({ old, target, naming, moves }: Compared): readonly Finding[] {
  const added = moves.flatMap(({ moves: list }) =>
    list.flatMap(({ before, after }) => (before === undefined && after ? [after] : [])),
  );
  const findings: Finding[] = [];
  for (const [id, plan] of plansOf(Facts.of(old))) {
    for (const request of plan.requests) {
      if (request.kind !== "read" || request.index !== undefined) continue;
      if (request.operation !== "Query" && request.operation !== "Scan") continue;
      const text = request.partition[0]?.text;
      const met = added.find(
        ({ table, key }) =>
          table.name === request.table.name &&
          request.sort.length === 0 &&
          (text === undefined || (key[0] !== undefined && canMeet(text, key[0].text))),
      );
      if (met === undefined || !target.design?.tables.has(request.table.name)) continue;
      findings.push({
        id: `strangers:patterns.${id}`,
        severity: "warning",
        message: `Pattern ${id} of the old code reads all that lies under one key of ${request.table.name} and will meet ${met.name} items there. Let it pass over kinds that it does not know, before anything else.`,
        old: plan.pattern.path,
        new: target.entities.get(naming.newEntity(met.entity.name))?.path,
      });
    }
  }
  return [...new Map(findings.map((one) => [one.id, one])).values()];
}

/** Safety that the new document takes away. */
function weakened({ old, next }: Compared): readonly Finding[] {
  return [...(old.design?.tables.values() ?? [])].flatMap((table) => {
    const after = next.design?.tables.get(table.name);
    if (after === undefined) return [];
    const less: [string, string][] = [];
    if ((after.pitrDays ?? 0) < (table.pitrDays ?? 0)) {
      const days = after.pitrDays === undefined ? "no longer at all" : `now of ${after.pitrDays}`;
      less.push([
        "pitr",
        `it could be restored to any second of ${table.pitrDays} days, and ${days}`,
      ]);
    }
    if (table.backups !== undefined && after.backups === undefined) {
      less.push(["backups", "no backups are made any more"]);
    }
    if (after.ttl !== undefined && table.ttl === undefined) {
      less.push(["ttl", `items whose ${after.ttl.attribute} is over are deleted at once`]);
    }
    return less.map(
      ([name, what]): Finding => ({
        id: `weakened:${pathText(table.path)}.${name}`,
        severity: "warning",
        message: `Table ${table.name}: ${what}.`,
        old: table.path,
        new: after.path,
      }),
    );
  });
}

/** Tables that would have more indexes at once than the service allows. */
function crowded({ old, target }: Compared): readonly Finding[] {
  return [...(target.design?.tables.values() ?? [])].flatMap((table): readonly Finding[] => {
    const before = old.design?.tables.get(table.name);
    if (before === undefined) return [];
    const global = [...before.indexes.values(), ...table.indexes.values()].filter(
      (one) => !one.local,
    );
    const count = new Set(global.map(({ name }) => name)).size;
    if (count <= globalIndexesMax) return [];
    return [
      {
        id: `too-many-indexes:${pathText(table.path)}`,
        severity: "warning",
        message: `Table ${table.name} has ${count} indexes while old and new ones stand side by side, and ${globalIndexesMax} are allowed: ask for a higher quota, or change a few at a time.`,
        old: before.path,
        new: table.path,
      },
    ];
  });
}
