import type { Issue } from "../document/path.ts";
import type { Model } from "./model.ts";
import type { ModelDocument } from "./model-document.ts";
import { quantityOf } from "./quantities.ts";
import { checkContradictions } from "./read-contradictions.ts";
import { readDesign } from "./read-design.ts";
import { readEntities, readRelation } from "./read-entities.ts";
import { checkKept } from "./read-kept-numbers.ts";
import { checkLinks } from "./read-links.ts";
import { readPattern, readWorkflow } from "./read-patterns.ts";
import { entriesOf, Reading } from "./reading.ts";

/** Makes a model of a document that fits the schema, and says what does not fit together. */
export function readModel(document: ModelDocument): {
  readonly model: Omit<Model, "place">;
  readonly issues: readonly Issue[];
} {
  const reading = new Reading();
  const { overview, relations = [] } = document;
  const entities = readEntities(reading, document);
  const patterns = new Map(
    entriesOf(document.patterns).map(([id, one]) => [id, readPattern(reading, id, one, entities)]),
  );
  const workflows = new Map(
    entriesOf(document.workflows).map(([name, one]) => [
      name,
      readWorkflow(reading, name, one, patterns),
    ]),
  );
  const read = relations.map((one, i) => readRelation(reading, one, ["relations", i], entities));
  checkKept(reading, entities, read);
  checkLinks(reading, entities, read, patterns.values());
  checkContradictions(reading, entities, patterns.values());
  const model = {
    name: document.name,
    overview: {
      domain: overview?.domain,
      context: overview?.context ?? [],
      compliance: overview?.compliance ?? [],
      users: quantityOf(overview?.scale?.users),
      requests: quantityOf(overview?.scale?.requests),
      region: overview?.region,
    },
    entities,
    relations: read,
    patterns,
    workflows,
    design: document.design && readDesign(reading, document.design, entities, patterns),
    ignore: (document.ignore ?? []).map(({ rule, on, reason }) => ({ rule, on, reason })),
    document,
  };
  return { model, issues: reading.issues };
}
