import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import type { Mode, Options } from "./options.ts";
import { replaceSection } from "./table.ts";

const readme = "bench/README.md";
const formatter = "node_modules/@biomejs/biome/bin/biome";
const results = "bench/results";

export function machine(): string {
  const model = cpus()[0]?.model.trim() || "unknown CPU";
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${model}, ${memory} GB, ${process.platform} ${process.arch}, Node ${process.version}`;
}

/** Keeps the figures as JSON, and the tables in the README between the markers of the mode. */
export function record(mode: Mode, options: Options, result: object, tables: string): string {
  const when = new Date().toISOString();
  const day = when.slice(0, 10);
  const origin = { when, commit: commit(), machine: machine() };
  mkdirSync(results, { recursive: true });
  const file = `${results}/${day}${mode === "load" ? "" : `-${mode}`}.json`;
  writeFileSync(file, JSON.stringify({ ...origin, options, ...result }));
  execFileSync(process.execPath, [formatter, "format", "--write", file], { stdio: "ignore" });
  const lines = [`Measured on ${day} at ${origin.commit}: ${origin.machine}.`];
  if (mode === "load") {
    const { rounds, seconds, items } = options;
    lines.push(`Rounds of ${seconds} s: ${rounds}. Items in the table: ${items}.`);
  }
  const section = `${lines.join(" ")}\n\n${tables}`;
  writeFileSync(readme, replaceSection(readFileSync(readme, "utf8"), mode, section));
  return file;
}

function commit(): string {
  try {
    const args = ["describe", "--always", "--dirty"];
    return execFileSync("git", args, { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return "an unknown commit";
  }
}
