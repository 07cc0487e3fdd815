import { expect, test } from "vitest";
import { examples, modelOf } from "../../src/model/model.test-support.ts";
import type { ModelDocument } from "../../src/model/model-document.ts";
import { modelFrom } from "../../src/model/parse.ts";
import { migrationOf } from "../../src/modeller/migration/migration.ts";
import { rehearseMigration } from "../../src/workbench/model-rehearse.ts";

/** The same document with all tables under other names: everything has to move. */
function moved(document: ModelDocument): ModelDocument {
  const names = Object.keys(document.design?.tables ?? {});
  const text = JSON.stringify(document.design, (key, value: unknown) =>
    key === "table" && names.includes(String(value)) ? `${String(value)}New` : value,
  );
  const design = JSON.parse(text) as NonNullable<ModelDocument["design"]>;
  const tables = Object.entries(design.tables).map(([name, table]) => [`${name}New`, table]);
  return { ...document, design: { ...design, decisions: [], tables: Object.fromEntries(tables) } };
}

/** Examples whose items cannot be worked out from one entity alone, and why. */
const hindered = new Map<string, RegExp>([
  ["device-readings.yaml", /Readings has a table for each month/],
  ["documents.yaml", /Revision \(latest\) is a copy of the newest version/],
  ["marketplace.yaml", /basket of Session holds other entities/],
  ["voting.yaml", /the key of Reaction is drawn/],
]);

test.each(examples)("%s moves to other tables", { timeout: 180_000 }, async (file, text) => {
  const old = modelOf(text);
  const { model, complaints } = modelFrom(moved({ ...old.document, ignore: [] }));
  expect(complaints).toEqual([]);
  if (model === undefined) return;
  const migration = migrationOf(old, model);
  const rehearsal = await rehearseMigration(migration, { items: 150 });
  const why = hindered.get(file);
  if (why !== undefined) {
    expect(rehearsal.hindrances.join()).toMatch(why);
    return;
  }
  expect(rehearsal.hindrances).toEqual([]);
  const wrong = [...rehearsal.steps, ...rehearsal.back].flatMap((step) => step.wrong);
  expect(wrong).toEqual([]);
  expect(rehearsal.back).toHaveLength(1);
});
