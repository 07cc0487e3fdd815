import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** `from "./x"`, `import "./x"`, `import("./x")`, `require("./x")`: imports of the project's own files. */
const relativeImport = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g;

const endings = [
  "",
  ".js",
  ".mjs",
  ".cjs",
  ".ts",
  ".mts",
  ".cts",
  ".json",
  "/index.js",
  "/index.ts",
];

const filesMax = 500;

/**
 * A module and the files that it imports by relative paths, as far as its text shows them. Packages are
 * not among them: they change with an installation, and after one a server is started anew.
 */
export function moduleFiles(entry: string): readonly string[] {
  const found = new Set<string>([entry]);
  // The set grows while it is gone through.
  for (const file of found) {
    for (const path of importsOf(file)) {
      if (found.size < filesMax) found.add(path);
    }
  }
  return [...found];
}

function importsOf(file: string): string[] {
  if (file.endsWith(".json")) return [];
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return [...text.matchAll(relativeImport)].map(([, path = ""]) =>
    resolved(resolve(dirname(file), path)),
  );
}

/** An import may leave out the ending, or name a file that is not there yet. */
function resolved(path: string): string {
  const ending = endings.find((candidate) => isFile(path + candidate));
  // TypeScript may import ./x.ts by the name of what it becomes.
  if (ending === undefined && path.endsWith("js") && isFile(path.replace(/js$/, "ts"))) {
    return path.replace(/js$/, "ts");
  }
  return path + (ending ?? "");
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Changes when one of the files does. */
export function signatureOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
      return stat === undefined ? "none" : `${stat.mtimeNs}.${stat.size}.${stat.ino}`;
    })
    .join(" ");
}
