import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parsedModel } from "../../src/workbench/model-parse.ts";
import { type Check, cases } from "./cases/cases.ts";
import { designedOf, disproved, expertOf } from "./cases/measure.ts";
import { type Mix, mixNames, requirements } from "./cases/mixes.ts";
import { head, row, section } from "./cases/table.ts";
import { traps } from "./cases/traps.ts";

const isLong = process.env.KEYWRIGHT_LONG !== undefined;
const updating = process.env.KEYWRIGHT_GOLDEN === "update";
const tried: readonly Mix[] = isLong || updating ? mixNames : ["balanced"];
const timeout = 300_000;

describe.each(cases)("$title", (one) => {
  test("the document has as many reads as writes", () => {
    const { model } = parsedModel(requirements(one.name, "balanced"), one.name);
    const sum = (wanted: "read" | "write"): number =>
      [...(model?.patterns.values() ?? [])]
        .filter(({ kind, status }) => kind === wanted && status !== "alternative")
        .reduce((total, { rps }) => total + (rps.average?.value ?? Number.NaN), 0);
    expect(sum("read")).toBeCloseTo(sum("write"), 6);
  });

  test.runIf(isLong || updating)("the expert's design is proved", { timeout }, async () => {
    expect(expertOf(one.name, "balanced").missing).toEqual([]);
    expect(await disproved(one.name, expertOf(one.name, "balanced"))).toEqual([]);
  });

  describe.each(tried)("%s", { timeout }, (mix) => {
    const looksAt = (check: Check) => {
      const isKnown = one.fails?.some(
        (known) => known.check === check && known.mixes.includes(mix),
      );
      return isKnown ? test.fails : test;
    };

    looksAt("proof")("every pattern is proved", async () => {
      const ours = await designedOf(one.name, mix);
      expect(ours.missing).toEqual([]);
      expect(await disproved(one.name, ours)).toEqual([]);
    });

    looksAt("scans")("nothing is scanned that the expert does not scan", async () => {
      const { scans } = expertOf(one.name, mix);
      const ours = await designedOf(one.name, mix);
      expect(ours.scans.filter((id) => !scans.includes(id))).toEqual([]);
    });

    test("there are no more indexes, or it is said why", async () => {
      const { indexes } = await designedOf(one.name, mix);
      const most = expertOf(one.name, mix).indexes;
      const more = one.moreIndexes?.[mix]?.ours;
      if (more === undefined) expect(indexes).toBeLessThanOrEqual(most);
      else expect({ indexes, isMore: indexes > most }).toEqual({ indexes: more, isMore: true });
    });

    looksAt("price")("it does not cost more", async () => {
      const { total } = await designedOf(one.name, mix);
      const expert = expertOf(one.name, mix);
      const isTooHot = traps["a key that is too hot at peak"]?.(expert.model).length !== 0;
      expect(isTooHot).toBe(one.tooHot?.includes(mix) ?? false);
      if (!isTooHot) expect(total).toBeLessThanOrEqual(expert.total + 0.005);
    });

    test("with no more indexes it is as right, and not dearer than the expert's", async () => {
      const few = await designedOf(one.name, mix, one.moreIndexes?.[mix]?.fewer);
      const expert = expertOf(one.name, mix);
      expect(few.indexes).toBeLessThanOrEqual(expert.indexes);
      if (!one.tooHot?.includes(mix)) {
        expect(few.total).toBeLessThanOrEqual(expert.total + 0.005);
      }
      expect(few.missing).toEqual([]);
      expect(await disproved(one.name, few)).toEqual([]);
      expect(few.scans.filter((id) => !expert.scans.includes(id))).toEqual([]);
      expect(few.wrong).toEqual([]);
      expect(Object.values(traps).flatMap((fallen) => fallen(few.model))).toEqual([]);
    });

    looksAt("limits")("limits hold, and filters keep something", async () => {
      expect((await designedOf(one.name, mix)).wrong).toEqual([]);
    });

    test.each(Object.entries(traps))("a known trap is avoided: %s", async (_, fallen) => {
      expect(fallen((await designedOf(one.name, mix)).model)).toEqual([]);
    });
  });
});

describe("the page in the docs", { timeout }, () => {
  const page = new URL("../../docs/designer-cases.md", import.meta.url);

  test("shows what comes out", async () => {
    const rows: string[] = [];
    const sections: string[] = [];
    for (const one of cases) {
      for (const mix of tried) {
        const ours = await designedOf(one.name, mix);
        const few = await designedOf(one.name, mix, one.moreIndexes?.[mix]?.fewer);
        rows.push(row(one, mix, expertOf(one.name, mix), ours, few));
      }
      const ours = await designedOf(one.name, "balanced");
      sections.push(...section(one, expertOf(one.name, "balanced"), ours));
    }
    const old = readFileSync(page, "utf8");
    const [before = "", rest = ""] = old.split("<!-- rows -->\n");
    const [, after = ""] = rest.split("<!-- end of rows -->\n");
    const [between = ""] = after.split("<!-- designs -->\n");
    if (updating) {
      const table = ["<!-- rows -->", "", ...head, ...rows, "", "<!-- end of rows -->"];
      const text = [...table, `${between}<!-- designs -->`, "", ...sections].join("\n");
      writeFileSync(page, `${before}${text.trimEnd()}\n`);
    }
    const now = readFileSync(page, "utf8").split("\n");
    expect(rows.filter((line) => !now.includes(line))).toEqual([]);
    expect(sections.filter((line) => !now.includes(line))).toEqual([]);
    const shown = now.filter((line) => mixNames.some((mix) => line.includes(`| ${mix} |`)));
    expect(shown).toHaveLength(cases.length * mixNames.length);
  });
});
