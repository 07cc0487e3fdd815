import { describe, expect, test } from "vitest";
import { contextOf, lineOf, pointsOf, soundDesign } from "./check.test-support.ts";
import { allChecks } from "./checks/index.ts";
import { designLines } from "./design-lines.test-support.ts";
import { pitfallLines } from "./pitfall-lines.test-support.ts";
import { practiceLines } from "./practice-lines.test-support.ts";
import { requirementLines } from "./requirement-lines.test-support.ts";
import { runChecks } from "./run-checks.ts";

const checklistLines = [...requirementLines, ...designLines, ...practiceLines, ...pitfallLines];

describe("lines of the checklists", () => {
  test.each(checklistLines)("$from: $line ($check)", ({ check, bad, points, good }) => {
    const failed = lineOf(check, bad);
    const kinds = points.map((one) => one.split(" ")[0]);
    expect(pointsOf(failed).map((one, i) => one.slice(0, points[i]?.length))).toEqual(points);
    expect(failed.verdict).toBe(kinds.includes("wrong") ? "wrong" : "open");
    if (good !== undefined) expect(pointsOf(lineOf(check, good))).toEqual([]);
  });

  test("every check has a line that fails it", () => {
    const tried = new Set(checklistLines.map(({ check }) => check));
    expect(allChecks.filter(({ id }) => !tried.has(id)).map(({ id }) => id)).toEqual([]);
  });
});

test("the sound design is sound, and every check has something to look at", () => {
  const lines = runChecks(contextOf(soundDesign));
  expect(lines.filter(({ verdict }) => verdict !== "fine").map(({ id }) => id)).toEqual([]);
  for (const { id, evidence } of lines) {
    expect(evidence.length, id).toBeGreaterThan(0);
    for (const sentence of evidence) expect(sentence).toMatch(/^[^\n]+\.$/);
    expect(evidence.join(" "), id).toMatch(/\d/);
    expect(evidence.join(" "), id).not.toMatch(/NaN|undefined|Infinity|\[object/);
  }
});

test("ids are told apart", () => {
  const ids = allChecks.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
});

test("before there is a design, what is missing is the design", () => {
  const lines = runChecks(contextOf(soundDesign.slice(0, soundDesign.indexOf("design:\n"))));
  const open = lines.filter(({ verdict }) => verdict === "open" || verdict === "wrong");
  expect(open.flatMap(pointsOf)).toEqual(["open : No design answers 19 patterns yet. (design)"]);
});
