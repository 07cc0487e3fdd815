import type { Path } from "../document/path.ts";
import type { Design, PlanStep, Table } from "./design.ts";
import type { DesignDocument, PlanStepDocument } from "./document-design.ts";
import { readKeyTexts } from "./read-keys.ts";
import { readTable } from "./read-tables.ts";
import { readWhere } from "./read-where.ts";
import { entriesOf, type Reading } from "./reading.ts";
import type { Entity, Pattern } from "./requirements.ts";

type Entities = ReadonlyMap<string, Entity>;
type Patterns = ReadonlyMap<string, Pattern>;

export function readDesign(
  reading: Reading,
  document: DesignDocument,
  entities: Entities,
  patterns: Patterns,
): Design {
  const surroundings = { entities, patterns, tables: document.tables };
  const tables = new Map(
    entriesOf(document.tables).map(([name, one]) => [
      name,
      readTable(reading, name, one, surroundings),
    ]),
  );
  const plans = new Map<string, readonly PlanStep[]>();
  for (const [id, { steps }] of entriesOf(document.plans)) {
    const path = ["design", "plans", id];
    const pattern = reading.find(patterns, id, "pattern", path, { isName: true });
    if (pattern === undefined) continue;
    const own = pattern.actions[0]?.entity;
    plans.set(
      id,
      steps.map((step, i) => readStep(reading, step, own, tables, entities, [...path, "steps", i])),
    );
  }
  const services = (document.services ?? []).map(({ name, for: ids = [], via, why }, i) => {
    for (const [j, id] of ids.entries()) {
      reading.find(patterns, String(id), "pattern", ["design", "services", i, "for", j]);
    }
    return { name, for: ids.map(String), via, why };
  });
  return {
    style: document.style ?? "natural",
    decisions: document.decisions ?? [],
    tables,
    plans,
    services,
    tradeoffs: document.tradeoffs ?? [],
  };
}

/** Without a table it is the only one that there is; without an entity the pattern's. */
function readStep(
  reading: Reading,
  document: PlanStepDocument,
  patternEntity: string | undefined,
  tables: ReadonlyMap<string, Table>,
  entities: Entities,
  path: Path,
): PlanStep {
  const { operation, index, order = "ascending", limit, note } = document;
  const table = stepTable(reading, document, tables, path);
  const found =
    index === undefined || table === undefined
      ? undefined
      : reading.find(table.indexes, index, `index of ${table.name}`, [...path, "index"]);
  if (index !== undefined && operation !== "Query" && operation !== "Scan") {
    reading.say([...path, "index"], "is for Query and Scan");
  }
  const name = document.entity ?? patternEntity;
  const entity =
    document.entity === undefined
      ? undefined
      : reading.find(entities, document.entity, "entity", [...path, "entity"]);
  const about = entity ?? (name === undefined ? undefined : entities.get(name));
  const key =
    about === undefined || document.key === undefined
      ? []
      : readKeyTexts(reading, document.key, about, [...path, "key"]);
  if (table !== undefined && (index === undefined || found !== undefined)) {
    const known = (
      found === undefined
        ? [table.partition, ...(table.sort ? [table.sort] : [])]
        : [...found.partition, ...found.sort]
    ).map((one) => one.name);
    for (const part of key) {
      if (known.includes(part.attribute)) continue;
      const what = `key attribute of ${index ?? table.name}`;
      reading.unknown(part.path, part.attribute, what, known, { isName: true });
    }
  }
  return {
    path,
    operation,
    table: table?.name,
    index,
    entity: name,
    key,
    filter:
      about === undefined ? [] : readWhere(reading, about, document.filter, [...path, "filter"]),
    order,
    limit,
    note,
  };
}

function stepTable(
  reading: Reading,
  { table, index }: PlanStepDocument,
  tables: ReadonlyMap<string, Table>,
  path: Path,
): Table | undefined {
  if (table !== undefined) return reading.find(tables, table, "table", [...path, "table"]);
  const having = [...tables.values()].filter(
    (one) => index === undefined || one.indexes.has(index),
  );
  if (having.length === 1) return having[0];
  if (index !== undefined && having.length === 0) {
    const known = [...tables.values()].flatMap(({ indexes }) => [...indexes.keys()]);
    reading.unknown([...path, "index"], index, "index", known);
  } else {
    reading.say(path, "needs 'table', as there are several that it could mean");
  }
  return undefined;
}
