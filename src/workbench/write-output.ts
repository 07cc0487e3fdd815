import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { assert } from "../base/assert.ts";
import type { OutputFile } from "../modeller/output/output-file.ts";

export type { OutputFile };

/** Beside what was written: which files those were, and their SHA-256. So a file that somebody changed is known. */
export const recordName = ".keywright-output.json";

/** The folder cannot be written to; the message says why in one sentence. */
export class OutputError extends Error {}

/** What became of the files: either all of them are as they should be, or none was touched. */
export interface Written {
  readonly written: readonly string[];
  /** They were already as they should be. */
  readonly unchanged: readonly string[];
  /** They are not what was written here before: somebody's work. If there are any, nothing was written. */
  readonly kept: readonly string[];
}

/** By path, the hashes of what may lie there without being somebody's work. */
type Known = ReadonlyMap<string, readonly string[]>;

/**
 * Writes what a generator made. What a user changed, or what was there before, is not overwritten unless
 * `force` says so. Everything is written under other names first: what fails then leaves all as it was.
 */
export async function writeOutput(
  folder: string,
  files: readonly OutputFile[],
  { force = false }: { readonly force?: boolean } = {},
): Promise<Written> {
  for (const { path } of files) {
    assert(isBelow(path), `${path} is not below the folder that was asked for`);
  }
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const known = await readRecord(folder, force);
  const states = await Promise.all(sorted.map((file) => stateOf(folder, file, known)));
  const named = (state: State): readonly string[] =>
    sorted.filter((_, i) => states[i] === state).map(({ path }) => path);
  const unchanged = named("same");
  const kept = force ? [] : named("foreign");
  if (kept.length > 0) return { written: [], unchanged, kept };
  const changes = sorted.filter((_, i) => states[i] !== "same");
  await replaceAll(folder, sorted, changes, known);
  return { written: changes.map(({ path }) => path), unchanged, kept };
}

/** For people: what was written, or what was not and why. */
export function writtenText(folder: string, { written, unchanged, kept }: Written): string {
  if (kept.length > 0) {
    const lines = kept.map((path) => `  ${path}`).join("\n");
    return `Nothing is written to ${folder}, because these files were changed by somebody, or were not made by keywright:\n${lines}\n--force overwrites them.\n`;
  }
  const lines = [
    ...written.map((path) => `  ${path}`),
    ...unchanged.map((path) => `  ${path} (as it was)`),
  ];
  return `${folder}\n${lines.join("\n")}\n`;
}

function isBelow(path: string): boolean {
  return !path.includes("\\") && path.split("/").every((part) => !["", ".", ".."].includes(part));
}

type State = "absent" | "same" | "ours" | "foreign";

async function stateOf(folder: string, { path, text }: OutputFile, known: Known): Promise<State> {
  const there = await readIfThere(join(folder, path));
  if (there === undefined) return "absent";
  const hash = hashOf(there);
  if (hash === hashOf(text)) return "same";
  return known.get(path)?.includes(hash) ? "ours" : "foreign";
}

async function replaceAll(
  folder: string,
  files: readonly OutputFile[],
  changes: readonly OutputFile[],
  known: Known,
): Promise<void> {
  const begun: string[] = [];
  const after = new Map(known);
  for (const { path, text } of files) after.set(path, [hashOf(text)]);
  const between = new Map(after);
  for (const { path, text } of changes) {
    between.set(path, [...new Set([...(known.get(path) ?? []), hashOf(text)])]);
  }
  try {
    for (const { path, text } of changes) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      begun.push(unfinished(file));
      await writeFile(unfinished(file), text);
    }
    // If this ends between two files, both what was and what is to be are known as ours.
    await writeRecord(folder, between);
    for (const { path } of changes)
      await rename(unfinished(join(folder, path)), join(folder, path));
    await writeRecord(folder, after);
  } catch (error) {
    // What cannot be removed either is not what this is about.
    await Promise.allSettled(begun.map((file) => rm(file, { force: true })));
    throw new OutputError(`${folder} cannot be written to: ${reasonOf(error)}.`);
  }
}

function unfinished(file: string): string {
  return `${file}.keywright-unfinished`;
}

async function readRecord(folder: string, force: boolean): Promise<Known> {
  const file = join(folder, recordName);
  const bytes = await readIfThere(file);
  if (bytes === undefined) return new Map();
  const known = parseRecord(bytes.toString("utf8"));
  if (known !== undefined) return known;
  if (force) return new Map();
  throw new OutputError(`${file} is not as keywright writes it; --force does without it.`);
}

function parseRecord(text: string): Known | undefined {
  try {
    const { files } = JSON.parse(text) as { files: Record<string, string | readonly string[]> };
    return new Map(Object.entries(files).map(([path, hashes]) => [path, [hashes].flat()]));
  } catch {
    return undefined;
  }
}

async function writeRecord(folder: string, known: Known): Promise<void> {
  const entries = [...known].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = entries.map(([path, hashes]) => {
    const value = hashes.length === 1 ? hashes[0] : hashes;
    return `    ${JSON.stringify(path)}: ${JSON.stringify(value)}`;
  });
  const text = `{\n  "files": {\n${lines.join(",\n")}\n  }\n}\n`;
  const file = join(folder, recordName);
  if ((await readIfThere(file))?.toString("utf8") === text) return;
  await mkdir(folder, { recursive: true });
  await writeFile(unfinished(file), text);
  await rename(unfinished(file), file);
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new OutputError(`${file} cannot be read: ${reasonOf(error)}.`);
  }
}

function hashOf(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
