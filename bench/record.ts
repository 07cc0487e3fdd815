import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import type { Mode, Options } from "./options.ts";
import { replaceSection } from "./table.ts";

const readme = "bench/README.md";
const results = "bench/results";

export function machine(): string {
  const model = cpus()[0]?.model.trim() || "unknown CPU";
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${model}, ${memory} GB, ${process.platform} ${process.arch}, Node ${process.version}`;
}

/** Keeps the figures as JSON, and the tables in the README between the markers of the mode. */
export function record(mode: Mode, options: Options, result: object, tables: string): string {
  const now = new Date().toISOString();
  const day = now.slice(0, 10);
  mkdirSync(results, { recursive: true });
  const file = `${results}/${day}${mode === "load" ? "" : `-${mode}`}.json`;
  const document = { when: now, commit: commit(), machine: machine(), options, ...result };
  writeFileSync(file, `${JSON.stringify(document, undefined, 1)}\n`);
  const origin = `Measured on ${day} at ${commit()}: ${machine()}.`;
  const text = readFileSync(readme, "utf8");
  writeFileSync(readme, replaceSection(text, mode, `${origin}\n\n${tables}`));
  return file;
}

function commit(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync("git", args, { encoding: "utf8" }).trim();
    return git("describe", "--always", "--dirty");
  } catch {
    return "an unknown commit";
  }
}
