import { expect, test } from "vitest";
import { parseModel } from "../../model/parse.ts";
import { lintJson } from "./json.ts";
import { modelOf, soundModel, swapped } from "./lint.test-support.ts";
import { type LintFinding, lint, ruleHeads } from "./lint.ts";
import { complaintsSarif, lintSarif } from "./sarif.ts";

const text = swapped(soundModel, [["{position|pad:3}", "{position}"]]);
const options = { file: "models/my shop.yaml", text, version: "1.2.3" };
const { findings } = lint(modelOf(text), { rules: ["unpadded-number"] });

const json = (value: unknown) => JSON.parse(JSON.stringify(value));

test("a log has what SARIF 2.1.0 requires and nothing that it does not know", () => {
  const log = json(lintSarif({ findings, ignored: 0 }, options));
  expect(Object.keys(log)).toEqual(["$schema", "version", "runs"]);
  expect(log.version).toBe("2.1.0");
  expect(log.runs).toHaveLength(1);
  const [run] = log.runs;
  expect(Object.keys(run)).toEqual(["tool", "columnKind", "invocations", "results"]);
  expect(run.columnKind).toBe("utf16CodeUnits");
  expect(run.invocations).toEqual([{ executionSuccessful: true }]);
  const { rules, ...driver } = run.tool.driver;
  expect(driver).toEqual({ name: "keywright", version: "1.2.3" });
  expect(rules).toHaveLength(ruleHeads().length);
  for (const rule of rules) {
    expect(rule).toEqual({
      id: expect.stringMatching(/^[a-z-]+$/),
      shortDescription: { text: expect.stringMatching(/\.$/) },
      help: {
        text: expect.stringMatching(/^[A-Z].*\. [A-Z`].*\. To read more: keywright learn [a-z-]+$/),
      },
      defaultConfiguration: { level: expect.stringMatching(/^(error|warning|note)$/) },
      properties: { topic: expect.any(String) },
    });
  }
});

test("a result has its rule, place and fix", () => {
  const log = json(lintSarif({ findings, ignored: 0 }, options));
  const [{ tool, results }] = log.runs;
  const line = text.split("\n").findIndex((one) => one.includes("{position}")) + 1;
  const artifactLocation = { uri: "models/my%20shop.yaml" };
  expect(results).toEqual([
    {
      ruleId: "unpadded-number",
      ruleIndex: expect.any(Number),
      level: "warning",
      message: { text: expect.stringContaining("position in the key of Line in Shop") },
      locations: [
        {
          physicalLocation: {
            artifactLocation,
            region: { startLine: line, startColumn: expect.any(Number) },
          },
          logicalLocations: [{ fullyQualifiedName: "design.tables.Shop.entities.Line.key.part" }],
        },
      ],
      fixes: [
        {
          description: { text: "unpadded-number pads position to 3 digits." },
          artifactChanges: [
            {
              artifactLocation,
              replacements: [
                {
                  deletedRegion: {
                    startLine: line,
                    startColumn: 1,
                    endLine: line + 1,
                    endColumn: 1,
                  },
                  insertedContent: { text: expect.stringMatching(/\|pad:3\}" \} \}\n$/) },
                },
              ],
            },
          ],
        },
      ],
    },
  ]);
  expect(tool.driver.rules[results[0].ruleIndex].id).toBe("unpadded-number");
});

test("a fix on the last line, which nothing ends, stays within the file", () => {
  const last: LintFinding = {
    rule: "unpadded-number",
    severity: "hint",
    path: ["name"],
    place: undefined,
    message: "A.",
    evidence: "B.",
    cure: "C.",
    price: { kind: "money", perMonth: 2, assumed: false },
    fix: { what: "renames", edits: [{ kind: "set", path: ["name"], value: "other" }] },
  };
  const short = { file: "/tmp/m.yaml", text: "keywright: 1\nname: x", version: "1" };
  const [{ results }] = json(lintSarif({ findings: [last], ignored: 0 }, short)).runs;
  expect(results[0].level).toBe("note");
  expect(results[0].message.text).toBe("A. B. Price: $2.00 a month. C.");
  expect(results[0].locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: "file:///tmp/m.yaml" },
  });
  expect(results[0].fixes[0].artifactChanges[0].replacements).toEqual([
    {
      deletedRegion: { startLine: 2, startColumn: 1, endLine: 2, endColumn: 8 },
      insertedContent: { text: "name: other" },
    },
  ]);
});

test("a document that cannot be read makes a run that failed", () => {
  const { complaints } = parseModel("keywright: 2\nname: x\n", "m.yaml");
  const [run] = json(complaintsSarif(complaints, "1")).runs;
  expect(run.results).toEqual([]);
  const [{ executionSuccessful, toolExecutionNotifications: told }] = run.invocations;
  expect(executionSuccessful).toBe(false);
  expect(told).toHaveLength(complaints.length);
  expect(told[0]).toEqual({
    level: "error",
    message: { text: "the file needs 'entities'" },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: "m.yaml" },
          region: { startLine: expect.any(Number), startColumn: expect.any(Number) },
        },
      },
    ],
  });
});

test("JSON says the same", () => {
  const priced = { ...findings[0]!, price: { kind: "throttled", share: 0.5 } as const };
  expect(json(lintJson({ findings: [findings[0]!, priced], ignored: 4 }))).toEqual({
    ignored: 4,
    findings: [
      {
        rule: "unpadded-number",
        severity: "warning",
        path: "design.tables.Shop.entities.Line.key.part",
        line: findings[0]?.place?.line,
        column: findings[0]?.place?.column,
        message: findings[0]?.message,
        evidence: findings[0]?.evidence,
        price: null,
        cure: findings[0]?.cure,
        topic: "sorting",
        fix: "pads position to 3 digits",
      },
      expect.objectContaining({ price: { throttledShare: 0.5 } }),
    ],
  });
});
