import type { ModelDocument } from "../../src/model/model-document.ts";
import { modelFrom } from "../../src/model/parse.ts";
import { type Json, jsonOf, repair } from "./document-repair.ts";
import { type Command, type Finding, type RunOptions, runModel } from "./run-model.ts";

/**
 * Makes a document smaller as long as the same finding comes of it. This is delta debugging (Zeller and Hildebrandt,
 * https://www.st.cs.uni-saarland.de/dd/): chunks of lists first, then every member, then simpler values.
 */

export interface Shrunk {
  readonly document: ModelDocument;
  /** How many documents were run. */
  readonly runs: number;
}

const runsMax = 400;

export async function shrink(
  document: ModelDocument,
  finding: Finding,
  options: RunOptions = {},
): Promise<Shrunk> {
  const shrinking = new Shrinking(document, finding, options);
  await shrinking.shrink();
  return { document: shrinking.document, runs: shrinking.runs };
}

type Path = readonly (string | number)[];

class Shrinking {
  document: ModelDocument;
  runs = 0;
  private readonly finding: Finding;
  private readonly options: RunOptions;
  /** Documents that were tried before. */
  private readonly tried = new Set<string>();

  constructor(document: ModelDocument, finding: Finding, options: RunOptions) {
    this.options = options;
    this.document = document;
    this.finding = finding;
  }

  async shrink(): Promise<void> {
    let size: number;
    do {
      size = JSON.stringify(this.document).length;
      await this.removeChunks(["patterns"]);
      for (const member of ["workflows", "overview", "ignore"]) await this.remove([[member]]);
      for (const id of Object.keys(this.document.patterns ?? {})) {
        await this.removeChunks(["patterns", id, "transaction"]);
      }
      await this.removeChunks(["entities"]);
      for (const name of Object.keys(this.document.entities)) {
        await this.removeChunks(["entities", name, "attributes"]);
      }
      await this.removeMembers();
      await this.simplifyValues();
    } while (JSON.stringify(this.document).length < size && this.runs < runsMax);
  }

  /** Removes halves, quarters and so on of a list or record, then single elements. */
  private async removeChunks(at: Path): Promise<void> {
    const length = (): number => keysAt(jsonOf(this.document), at).length;
    for (
      let size = Math.ceil(length() / 2);
      size >= 1;
      size = size === 1 ? 0 : Math.ceil(size / 2)
    ) {
      for (let from = 0; from < length(); ) {
        const keys = keysAt(jsonOf(this.document), at).slice(from, from + size);
        const isSmaller = await this.remove(keys.map((key) => [...at, key]));
        if (!isSmaller) from += size;
        if (this.runs >= runsMax) return;
      }
    }
  }

  /** Removes every member and element that the document can do without, the largest parts first. */
  private async removeMembers(): Promise<void> {
    const visit = async (at: Path): Promise<void> => {
      for (const key of keysAt(jsonOf(this.document), at).toReversed()) {
        const path = [...at, key];
        if (this.runs >= runsMax) return;
        if (!(await this.remove([path]))) await visit(path);
      }
    };
    await visit([]);
  }

  private async simplifyValues(): Promise<void> {
    const visit = async (at: Path): Promise<void> => {
      for (const key of keysAt(jsonOf(this.document), at)) {
        const path = [...at, key];
        for (const value of simplerValues(path, valueAt(jsonOf(this.document), path))) {
          if (this.runs >= runsMax) return;
          const candidate = jsonOf(this.document);
          setAt(candidate, path, value);
          if (await this.accept(candidate)) break;
        }
        await visit(path);
      }
    };
    await visit([]);
  }

  private async remove(paths: readonly Path[]): Promise<boolean> {
    const candidate = jsonOf(this.document);
    for (const path of paths.toReversed()) removeAt(candidate, path);
    return this.accept(candidate);
  }

  /** Takes a candidate if the reader accepts it and the finding is still there. */
  private async accept(candidate: { [name: string]: Json }): Promise<boolean> {
    const repaired = repair(candidate);
    const key = JSON.stringify(repaired);
    if (key === JSON.stringify(this.document) || this.tried.has(key)) return false;
    this.tried.add(key);
    const document = repaired as unknown as ModelDocument;
    if (this.runs >= runsMax) return false;
    const isReadable = modelFrom(document).model !== undefined;
    if (!isReadable && this.finding.command !== "check") return false;
    this.runs += 1;
    const { command, signature } = this.finding;
    const commands = new Set<Command>([command]);
    const options = { ...this.options, commands, until: signature };
    const { findings } = await runModel(document, options);
    if (!findings.some((one) => one.signature === signature)) return false;
    this.document = document;
    return true;
  }
}

/** Values that are simpler and mean something in the same place. */
function simplerValues(path: Path, value: Json | undefined): readonly Json[] {
  const member = path.at(-1);
  const isPattern = path[0] === "patterns" && path.length === 3;
  if (typeof value === "number") {
    return [1, 10, 100, 1_000].filter(
      (one) => one < value && String(one).length < String(value).length,
    );
  }
  if (typeof value === "string") {
    if (member === "bytes" || member === "retention" || member === "latency") return [10];
    if (isPattern && member === "name" && value.length > 1) return ["p"];
    return [];
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  if (member === "rps") return [1];
  if (member === "bytes") return [10];
  if (value.assumed !== undefined) return [value.assumed];
  const parent = path.at(-2);
  if (parent === "where" || parent === "condition") return ["equals", ...Object.keys(value)];
  return [];
}

function keysAt(document: Json, path: Path): readonly (string | number)[] {
  const value = valueAt(document, path);
  if (Array.isArray(value)) return [...value.keys()];
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

function valueAt(document: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    if (typeof value !== "object" || value === null) return undefined;
    return Object.hasOwn(value, key) ? value[key] : undefined;
  }, document);
}

function removeAt(document: Json, path: Path): void {
  const parent = valueAt(document, path.slice(0, -1));
  const key = path.at(-1) as string | number;
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else if (typeof parent === "object" && parent !== null) delete parent[key];
}

function setAt(document: Json, path: Path, value: Json): void {
  const parent = valueAt(document, path.slice(0, -1));
  const key = path.at(-1) as string | number;
  if (Array.isArray(parent)) parent[Number(key)] = value;
  else if (typeof parent === "object" && parent !== null) parent[key] = value;
}
