import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

export interface SourceFile {
  /** From the root, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** All source files below a folder. */
export function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return {
        path: relative(root, path).replaceAll("\\", "/"),
        text: readFileSync(path, "utf8"),
      };
    });
}

export function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** The rows of the first Markdown table below a heading, as lists of cells. */
export function tableBelow(document: string, heading: string): string[][] {
  const section = document.split(`\n${heading}\n`)[1]?.split(/\n## /)[0] ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** What a file imports from other files of `src`, as paths from the root. */
export function importsOf({ path, text }: SourceFile): string[] {
  const found: string[] = [];
  for (const [, target = ""] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)) {
    found.push(relative(root, join(root, path, "..", target)).replaceAll("\\", "/"));
  }
  return found;
}
