import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root, type SourceFile, sourceFiles } from "../tidy/source-files.ts";

// These files are copied as text into generated code, so they must stand on their own.

const files = sourceFiles("src/patterns").filter(
  ({ path }) => !/\.test(-support)?\.ts$/.test(path),
);
const importLines = /^import [^;]*? from "([^"]+)";\n/gm;

test("the files import nothing but each other, by name", () => {
  const known = new Set(files.map(({ path }) => `./${basename(path)}`));
  const strange = files.flatMap(({ path, text }) => {
    const targets = [...text.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(
      ([, target = ""]) => target,
    );
    const renamed =
      /^import [^;]*(\bas\b|\* )[^;]*;/m.test(text) || /^export (type )?[{*]/m.test(text);
    return [
      ...targets.filter((target) => !known.has(target)).map((target) => `${path}: ${target}`),
      ...(renamed ? [`${path} renames what it imports, or exports it again`] : []),
    ];
  });
  expect(strange).toEqual([]);
});

test("time, randomness and rests come from one file, so that all of them can be handed in", () => {
  const signs = /\bDate\.now\(|new Date\(\)|Math\.random|\bcrypto\b|\bsetTimeout\b|performance\./;
  const found = files.filter(({ text }) => signs.test(text)).map(({ path }) => basename(path));
  expect(found).toEqual(["platform.ts"]);
});

test("no two files give a name to different things, so all can stand in one", () => {
  const places = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    const declared =
      /^(?:export )?(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm;
    for (const [, name = ""] of text.matchAll(declared)) {
      places.set(name, (places.get(name) ?? new Set()).add(path));
    }
  }
  expect([...places].filter(([, paths]) => paths.size > 1)).toEqual([]);
});

/** Those that are imported come first: a class cannot extend what is declared below it. */
function inOrder(): readonly SourceFile[] {
  const ordered = new Set<SourceFile>();
  const visit = (file: SourceFile): void => {
    for (const [, target = ""] of file.text.matchAll(importLines)) {
      const imported = files.find(({ path }) => basename(path) === basename(target));
      if (imported !== undefined && !ordered.has(imported)) visit(imported);
    }
    ordered.add(file);
  };
  for (const file of files) visit(file);
  return [...ordered];
}

test("in one file they compile under the strictest options, without types of any platform, and run", async () => {
  const folder = await mkdtemp(join(tmpdir(), "keywright-patterns-"));
  try {
    const whole = inOrder()
      .map(({ text }) => text.replace(importLines, ""))
      .join("\n");
    await writeFile(join(folder, "runtime.ts"), whole);
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          target: "ES2022",
          lib: ["ES2022"],
          types: [],
          module: "NodeNext",
          outDir: "out",
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          noImplicitOverride: true,
          noImplicitReturns: true,
          noFallthroughCasesInSwitch: true,
          noPropertyAccessFromIndexSignature: true,
          noUnusedLocals: true,
          noUnusedParameters: true,
          verbatimModuleSyntax: true,
          erasableSyntaxOnly: true,
          isolatedModules: true,
        },
        files: ["runtime.ts"],
      }),
    );
    const run = promisify(execFile);
    const tsc = join(root, "node_modules", ".bin", "tsc");
    await run(tsc, ["-p", folder]).catch((error: { stdout: string }) =>
      expect.unreachable(error.stdout),
    );
    const program = `
      import { compositeKey, encodeToken, decodeToken, UnprocessedError, ulid } from "./out/runtime.js";
      const key = compositeKey("C#{id}#{n|pad:4}").of({ id: "a", n: 7 });
      console.log(key, decodeToken(encodeToken({ key }, "s"), "s").key, ulid().length);
      console.log(new UnprocessedError([]) instanceof Error);`;
    await writeFile(join(folder, "program.mjs"), program);
    const { stdout } = await run(process.execPath, [join(folder, "program.mjs")]);
    expect(stdout).toBe("C#a#0007 C#a#0007 26\ntrue\n");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
