import { describe, expect, test } from "vitest";
import { examples } from "../../src/model/model.test-support.ts";
import { parseModel } from "../../src/model/parse.ts";
import { type Mutant, misspelt, mutantsOf } from "./mutants.ts";

/** In short runs some hundred and twenty of each example, evenly spread; in long ones all. */
const wanted = process.env.KEYWRIGHT_LONG === undefined ? 120 : Number.POSITIVE_INFINITY;

/** What is wrong with the complaints about a mutant. */
function faultsOf({ text, suggests }: Mutant): string[] {
  const { model, complaints } = parseModel(text, "mutant.yaml");
  if (model !== undefined || complaints.length === 0) return ["is not complained of"];
  const lines = text.split("\n");
  const faults = complaints.flatMap(({ file, line = 0, column = 0, message }) => {
    const length = lines[line - 1]?.length ?? -1;
    const inside = line >= 1 && line <= lines.length && column >= 1 && column <= length + 1;
    if (!inside) return [`has a place outside of the file: ${line}:${column}`];
    if (file !== "mutant.yaml") return [`names the file ${file}`];
    if (message === "" || /undefined|\[object|\bat .*:\d+:\d+|TypeError/.test(message)) {
      return [`says '${message}'`];
    }
    return [];
  });
  const said = complaints.map(({ message }) => message).join("\n");
  if (suggests !== undefined && !said.includes(`did you mean '${suggests}'?`)) {
    faults.push(`does not suggest ${suggests}: ${said}`);
  }
  return faults;
}

describe.each(examples)("%s", (_, text) => {
  const all = mutantsOf(text);
  const step = Math.max(1, Math.floor(all.length / wanted));
  const mutants = all.filter((__, i) => i % step === 0);

  test("there are many mutants of every kind", () => {
    expect(mutants.length).toBeGreaterThan(100);
    expect(mutants.filter(({ suggests }) => suggests !== undefined).length).toBeGreaterThan(30);
  });

  test("each is complained of, with its place and the name that was meant", {
    timeout: 120_000,
  }, () => {
    const faults = mutants.flatMap((mutant) =>
      faultsOf(mutant).map((one) => `${mutant.what} ${one}`),
    );
    expect(faults).toEqual([]);
  });
});

test("a misspelt name is another one", () => {
  expect(misspelt("customerId")).toBe("custmoerId");
  expect(misspelt("aa")).toBeUndefined();
});
