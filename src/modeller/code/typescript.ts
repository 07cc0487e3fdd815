import { printable } from "../../base/printable.ts";
import type { Model } from "../../model/model.ts";
import { Facts } from "../facts.ts";
import { generatedFrom, type OutputFile } from "../output/output-file.ts";
import type { Plan } from "../plans/plan.ts";
import { plansOf } from "../plans/planner.ts";
import { accessFile, indexFile, tablesFile } from "./access-file.ts";
import { entitiesFile } from "./entities-file.ts";
import { itemsFile } from "./items-file.ts";
import { keysFile } from "./keys-file.ts";
import { Names } from "./names.ts";
import { patternFiles } from "./patterns-files.ts";

/** The texts of the runtime, by the names of their files without an ending. */
export type RuntimeTexts = ReadonlyMap<string, string>;

/** Typed code for every pattern of a model, with the runtime that it needs; nothing if there is no design. */
export function typescriptFiles(
  model: Model,
  runtime: RuntimeTexts,
): { readonly files: readonly OutputFile[]; readonly missing: readonly string[] } | undefined {
  if (model.design === undefined) return undefined;
  const facts = Facts.of(model);
  const plans = new Map(
    [...plansOf(facts)].map(([id, plan]) => [id, { ...plan, problem: problemOf(facts, plan) }]),
  );
  const names = new Names(facts);
  const patterns = patternFiles(facts, plans, names);
  const own: readonly OutputFile[] = [
    { path: "access.ts", text: accessFile(facts) },
    { path: "entities.ts", text: entitiesFile(facts, names) },
    { path: "index.ts", text: indexFile(facts, plans, patterns) },
    { path: "items.ts", text: itemsFile(facts, names) },
    { path: "keys.ts", text: keysFile(facts, names) },
    { path: "tables.ts", text: tablesFile(facts, names) },
    ...patterns.map(({ file, text }) => ({ path: `patterns/${file}.ts`, text })),
  ];
  const header = `// ${generatedFrom(model.name)}\n\n`;
  const files = [...own, ...runtimeFor(own, runtime)].map(({ path, text }) => ({
    path,
    text: header + text,
  }));
  const missing = [...plans.values()].flatMap(({ pattern, problem }) =>
    problem === undefined
      ? []
      : [printable(`Pattern ${pattern.id} (${pattern.name}) has no function: ${problem}.`)],
  );
  return { files, missing };
}

/** Why a pattern has no function: it has no plan, or the client cannot carry what it takes. */
function problemOf({ model }: Facts, { pattern, problem }: Plan): string | undefined {
  if (problem !== undefined) return problem;
  const named = [...pattern.actions, ...pattern.together, ...pattern.with];
  const lost = named.find(({ entity }) => model.entities.get(entity)?.attributes.has("__proto__"));
  return lost && `the AWS SDK loses the attribute __proto__ of ${lost.entity}; call it otherwise`;
}

/** The files of the runtime that some files need, and those that these need. */
function runtimeFor(files: readonly OutputFile[], runtime: RuntimeTexts): readonly OutputFile[] {
  const needed = new Set<string>();
  const add = (name: string): void => {
    const text = runtime.get(name);
    // What a model says in a comment may look like an import too.
    if (needed.has(name) || text === undefined) return;
    needed.add(name);
    for (const [, other = ""] of text.matchAll(/from "\.\/([a-z0-9-]+)\.ts"/g)) add(other);
  };
  for (const { text } of files) {
    for (const [, name = ""] of text.matchAll(/from "\.{1,2}\/runtime\/([a-z0-9-]+)\.js"/g))
      add(name);
  }
  return [...needed].toSorted().map((name) => ({
    path: `runtime/${name}.ts`,
    // Whoever compiles it may not allow the other ending.
    text: (runtime.get(name) ?? "").replaceAll(/(from "\.\/[a-z0-9-]+)\.ts"/g, '$1.js"'),
  }));
}
