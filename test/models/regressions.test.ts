import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type FindingKind, readDocument, runModel } from "./run-model.ts";

/** Each file is the smallest document of a defect that random models found; its first line is what was wrong. */
const folder = new URL("regressions/", import.meta.url);

/** A document here must not show these; the others are for it to have. */
const defects: ReadonlySet<FindingKind> = new Set(["crash", "wrong", "contradiction"]);

/** Defects that are known and not mended, by file. A test fails when one is gone: then its line goes, too. */
const known: ReadonlyMap<string, readonly string[]> = new Map([]);

/** The longest takes two seconds of CPU time. */
const timeout = 60_000;

describe("models that random models have led to", () => {
  const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  test.each(names)("%s has no defect but those that are known", { timeout }, async (name) => {
    const document = readDocument(readFileSync(new URL(name, folder), "utf8"), name);
    const { findings } = await runModel(document);
    const found = findings.filter(({ kind }) => defects.has(kind));
    const expected = (known.get(name) ?? []).map((start) => expect.stringContaining(start));
    expect(found.map(({ signature }) => signature)).toEqual(expected);
  });
});
