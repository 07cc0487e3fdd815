// Bundles the command line and the library into dist/. Dependencies stay outside: npm installs them.
import { chmod, copyFile, cp, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

await rm(new URL("../dist", import.meta.url), { recursive: true, force: true });
const settings = {
  absWorkingDir: root,
  outdir: "dist",
  bundle: true,
  format: "esm",
  target: "node20.19",
  // Names stay, for stack traces; half the text is parsed in half the time at every start.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: "linked",
  logLevel: "warning",
};
await build({
  ...settings,
  entryPoints: { cli: "src/cli/main.ts", index: "src/index.ts" },
  splitting: true,
  platform: "node",
  packages: "external",
  chunkNames: "chunks/[name]-[hash]",
});
// One file that imports nothing: it goes into functions and browsers too.
await build({
  ...settings,
  entryPoints: { patterns: "src/patterns.ts" },
  platform: "neutral",
});

// npm makes a package's bin executable; `npm start` and the tests use it without npm.
const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
await chmod(cli, 0o755);

// A thread is started from a file of its own.
await copyFile(
  new URL("../src/triggers/handler-worker.mjs", import.meta.url),
  new URL("../dist/handler-worker.mjs", import.meta.url),
);

// For editors: a workload file can name it.
await copyFile(
  new URL("../src/workbench/simulate-workload.schema.json", import.meta.url),
  new URL("../dist/workload.schema.json", import.meta.url),
);

// For `keywright init --example`.
await cp(
  new URL("../examples/models", import.meta.url),
  new URL("../dist/models", import.meta.url),
  {
    recursive: true,
  },
);

// For `keywright generate typescript`: the helpers go into what is generated as they are.
await cp(new URL("../src/patterns", import.meta.url), new URL("../dist/runtime", import.meta.url), {
  recursive: true,
  filter: (file) => !/\.test(-support)?\.ts$/.test(file),
});

// The schema of model documents is written in TypeScript: bundled, run, and what it answers is kept.
const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ["src/model/published-schema.ts"],
  bundle: true,
  write: false,
  format: "esm",
  platform: "node",
});
const code = Buffer.from(outputFiles[0].contents).toString("base64");
const { publishedSchema } = await import(`data:text/javascript;base64,${code}`);
await writeFile(
  new URL("../dist/model.schema.json", import.meta.url),
  `${JSON.stringify(publishedSchema(), undefined, 2)}\n`,
);
