import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RuntimeTexts } from "../modeller/code/typescript.ts";

/** The helpers that generated code comes with, as texts: those of `keywright/patterns`, as they are. */
export function runtimeTexts(): RuntimeTexts {
  const folder = runtimeFolder();
  return new Map(
    readdirSync(folder)
      .filter((file) => /^[a-z0-9-]+\.ts$/.test(file))
      .map((file) => [file.slice(0, -".ts".length), readFileSync(join(folder, file), "utf8")]),
  );
}

/** In the package they lie beside the code; in the project they are a room, and may be asked for from a bundle. */
function runtimeFolder(): string {
  const folders = ["./runtime", "../runtime", "../patterns", "../../src/patterns"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const found = folders.find((folder) => existsSync(join(folder, "access-reads.ts")));
  if (found === undefined) throw new Error("the runtime of generated code is not in the package");
  return found;
}
