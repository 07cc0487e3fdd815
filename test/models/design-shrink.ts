import type { ModelDocument } from "../../src/model/model-document.ts";
import { modelFrom } from "../../src/model/parse.ts";
import { proveDesign, reportsOn } from "./design-trial.ts";
import { type Json, jsonOf, repair } from "./document-repair.ts";

/**
 * Makes a document with a right design smaller as long as the proof fails in the same way and the design stays right. That is
 * judged by what lint and the guards of unique values report, for a removal must not turn a right design into a wrong one.
 */

const runsMax = 250;
type Path = readonly (string | number)[];
/** Members without which a design that was right may be wrong. */
const essential = new Set(["by", "one", "elements", "only", "format", "digits"]);
type JsonRecord = { [name: string]: Json };

export async function shrinkDesign(
  document: ModelDocument,
  pattern: string,
  signature: string,
): Promise<{ readonly document: ModelDocument; readonly runs: number }> {
  const shrinking = new DesignShrinking(document, pattern, signature);
  await shrinking.run();
  return shrinking;
}

class DesignShrinking {
  document: ModelDocument;
  runs = 0;
  private readonly pattern: string;
  private readonly signature: string;
  private readonly errors: ReadonlySet<string>;
  private readonly tried = new Set<string>();

  constructor(document: ModelDocument, pattern: string, signature: string) {
    this.document = document;
    this.pattern = pattern;
    this.signature = signature;
    this.errors = new Set(reportsOn(document).lint.map(({ id }) => id));
  }

  async run(): Promise<void> {
    let size: number;
    do {
      size = JSON.stringify(this.document).length;
      for (const id of Object.keys(this.document.patterns ?? {})) {
        if (id !== this.pattern) await this.remove([["patterns", id]]);
      }
      for (const name of Object.keys(this.document.entities))
        await this.remove([["entities", name]]);
      await this.visit([]);
    } while (JSON.stringify(this.document).length < size && this.runs < runsMax);
  }

  private async visit(at: Path): Promise<void> {
    for (const key of keysAt(jsonOf(this.document), at).toReversed()) {
      if (this.runs >= runsMax) return;
      const path = [...at, key];
      if (!(await this.remove([path]))) await this.visit(path);
    }
  }

  private async remove(paths: readonly Path[]): Promise<boolean> {
    const candidate = jsonOf(this.document);
    for (const path of paths) removeAt(candidate, path);
    const repaired = repairDesign(repair(candidate));
    if (paths.some((path) => essential.has(String(path.at(-1))) || path.includes("id")))
      return false;
    const text = JSON.stringify(repaired);
    if (this.tried.has(text) || this.runs >= runsMax) return false;
    this.tried.add(text);
    const document = repaired as unknown as ModelDocument;
    if (document.patterns?.[this.pattern] === undefined || document.design === undefined)
      return false;
    if (modelFrom(document).model === undefined || !this.isRight(document)) return false;
    this.runs += 1;
    const { results } = await proveDesign(document, new Set([this.pattern]));
    if (results.get(this.pattern)?.signature !== this.signature) return false;
    this.document = document;
    return true;
  }

  private isRight(document: ModelDocument): boolean {
    const guards = Object.values(document.design?.tables ?? {}).flatMap(({ unique = [] }) =>
      unique.map(({ entity, attribute }) => `${entity}.${attribute}`),
    );
    const wanted = Object.entries(document.entities).flatMap(([name, { attributes, id }]) =>
      Object.entries(attributes).flatMap(([own, { unique }]) =>
        unique && !id.includes(own) ? [`${name}.${own}`] : [],
      ),
    );
    return (
      wanted.every((one) => guards.includes(one)) &&
      reportsOn(document).lint.every(({ id }) => this.errors.has(id))
    );
  }
}

/** Removes from the design what refers to parts that are gone. */
function repairDesign(document: JsonRecord): JsonRecord {
  const entities = recordOf(document.entities);
  const design = recordOf(document.design);
  const tables = recordOf(design.tables);
  const has = (name: Json | undefined): boolean => Object.hasOwn(entities, String(name));
  for (const [name, one] of Object.entries(tables)) {
    const table = recordOf(one);
    const placements = recordOf(table.entities);
    const hadAny = Object.keys(placements).length > 0;
    for (const entity of Object.keys(placements)) if (!has(entity)) delete placements[entity];
    for (const index of Object.values(recordOf(table.indexes))) {
      for (const member of ["sets", "only"]) {
        const record = recordOf(recordOf(index)[member]);
        for (const entity of Object.keys(record)) {
          if (!Object.hasOwn(placements, entity)) delete record[entity];
        }
      }
    }
    for (const [member, key] of [
      ["unique", "entity"],
      ["aggregates", "of"],
    ] as const) {
      const list = table[member];
      if (!Array.isArray(list)) continue;
      const kept = list.filter((each) => has(recordOf(each)[key]));
      if (kept.length === 0) delete table[member];
      else table[member] = kept;
    }
    if (hadAny && Object.keys(placements).length === 0) delete tables[name];
  }
  const plans = recordOf(design.plans);
  for (const id of Object.keys(plans)) {
    if (!Object.hasOwn(recordOf(document.patterns), id)) delete plans[id];
  }
  return document;
}

function recordOf(value: Json | undefined): JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function keysAt(document: Json, path: Path): readonly (string | number)[] {
  const value = path.reduce<Json | undefined>((one, key) => {
    if (Array.isArray(one)) return one[Number(key)];
    return recordOf(one)[key];
  }, document);
  return Array.isArray(value) ? [...value.keys()] : Object.keys(recordOf(value));
}

function removeAt(document: Json, path: Path): void {
  const parent = path.slice(0, -1).reduce<Json | undefined>((one, key) => {
    if (Array.isArray(one)) return one[Number(key)];
    return recordOf(one)[key];
  }, document);
  const key = path.at(-1) as string | number;
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete recordOf(parent)[key];
}
