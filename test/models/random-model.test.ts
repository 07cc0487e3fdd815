import { describe, expect, test } from "vitest";
import { modelFrom, parseModel } from "../../src/model/parse.ts";
import { printModel } from "../../src/model/print.ts";
import { randomModel } from "./random-model.ts";
import { documentEntries, schemaEntries } from "./schema-coverage.ts";

const seeds = 2_000;
/** Some words are drawn once in a thousand models. */
const seedsMax = 10_000;
const documents = Array.from({ length: seeds }, (_, i) => randomModel(i + 1));
const smallDocuments = Array.from({ length: seeds }, (_, i) => randomModel(i + 1, "small"));

/** The reader accepts a truth value here only for attributes of type B, which hold none. */
const senseless = new Set([
  "#operators.less | 2",
  "#operators.at-most | 2",
  "#operators.greater | 2",
  "#operators.at-least | 2",
  "#operators.between[] | 2",
]);

describe("the generator of random models", () => {
  test.each(["usual", "small"] as const)(
    "draws every member, word and alternative of the schema in %s models",
    (size) => {
      const missing = new Set(schemaEntries());
      for (const entry of senseless) missing.delete(entry);
      for (let seed = 1; missing.size > 0 && seed <= seedsMax; seed += 1) {
        for (const entry of documentEntries(randomModel(seed, size))) missing.delete(entry);
      }
      expect([...missing]).toEqual([]);
    },
  );

  test("draws documents that the reader accepts for at least 99 % of the seeds", () => {
    const refused = [...documents, ...smallDocuments].flatMap((document) => {
      const [complaint] = modelFrom(document).complaints;
      return complaint === undefined
        ? []
        : [`${document.name}: ${complaint.path} ${complaint.message}`];
    });
    expect(refused.slice(0, Math.max(0, refused.length - (2 * seeds) / 100))).toEqual([]);
  });

  test("draws documents that are read from YAML as they were drawn", () => {
    for (const document of documents.slice(0, 50)) {
      const { model, complaints } = parseModel(printModel(document), document.name);
      expect(complaints).toEqual(modelFrom(document).complaints.length === 0 ? [] : complaints);
      expect(model?.document ?? document).toEqual(document);
    }
  });

  test("draws the same document for the same seed", () => {
    expect(randomModel(7)).toEqual(randomModel(7));
  });
});
