import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { exampleModel } from "./examples.test-support.ts";
import { filesOf } from "./typescript.test-support.ts";

const golden = fileURLToPath(new URL("../golden/typescript/", import.meta.url));

/** The files that were looked at by eye: KEYWRIGHT_GOLDEN=update writes them anew. */
describe("TypeScript", () => {
  it.each(["online-shop", "game-leaderboard"])("of %s is as it was", (name) => {
    const folder = join(golden, name);
    // The runtime is a room of this project and has its own tests. As text, so that nothing takes them for code.
    const files = filesOf(exampleModel(name))
      .filter(({ path }) => !path.startsWith("runtime/"))
      .map(({ path, text }) => ({ path: `${path}.txt`, text }));
    if (process.env.KEYWRIGHT_GOLDEN === "update") {
      rmSync(folder, { recursive: true, force: true });
      for (const { path, text } of files) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
    }
    const there = readdirSync(folder, { recursive: true, encoding: "utf8" });
    expect(there.filter((path) => path.endsWith(".txt")).toSorted()).toEqual(
      files.map(({ path }) => path).toSorted(),
    );
    for (const { path, text } of files) {
      expect(text, path).toBe(readFileSync(join(folder, path), "utf8"));
    }
  });

  it("brings the helpers as they are", () => {
    const runtime = filesOf(exampleModel("online-shop")).filter(({ path }) =>
      path.startsWith("runtime/"),
    );
    expect(runtime.length).toBeGreaterThan(15);
    for (const { path, text } of runtime) {
      const source = path.replace("runtime/", "src/patterns/");
      const own = readFileSync(new URL(`../../${source}`, import.meta.url), "utf8");
      expect(text.slice(text.indexOf("\n\n") + 2).replaceAll('.js"', '.ts"'), path).toBe(own);
    }
  });
});
