import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { UsageError } from "./usage-error.ts";

/** The text of a file that somebody named; if there is none, that is theirs to mend. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${reasonOf(error)}.`);
  }
}

export async function writeText(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${reasonOf(error)}.`);
  }
}

/** Nothing if there is no such file. */
export async function readTextIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (reasonOf(error) === "ENOENT") return undefined;
    throw new UsageError(`${file} cannot be read: ${reasonOf(error)}.`);
  }
}

/** Writes a whole file or none: who reads it meanwhile sees the old one or the new one. */
export async function replaceText(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${process.pid}.unfinished`;
  try {
    await writeFile(unfinished, text);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw new UsageError(`${file} cannot be written: ${reasonOf(error)}.`);
  }
}

function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
