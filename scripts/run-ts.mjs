// Bundles one TypeScript file and runs it: node scripts/run-ts.mjs FILE [ARGUMENTS]
import { spawnSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const [file, ...rest] = process.argv.slice(2);
if (file === undefined) {
  console.error("Say which file to run: node scripts/run-ts.mjs FILE [ARGUMENTS]");
  process.exit(2);
}

// Inside the project, so that the bundle finds node_modules.
const bundle = fileURLToPath(
  new URL(`../node_modules/.cache/run-${process.pid}.mjs`, import.meta.url),
);
await build({
  entryPoints: [file],
  outfile: bundle,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  packages: "external",
  sourcemap: "inline",
  logLevel: "warning",
});
const { status } = spawnSync(process.execPath, ["--enable-source-maps", bundle, ...rest], {
  stdio: "inherit",
});
await rm(bundle, { force: true });
process.exit(status ?? 1);
