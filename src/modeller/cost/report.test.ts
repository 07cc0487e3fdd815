import { expect, test } from "vitest";
import { examples, modelOf } from "../../model/model.test-support.ts";
import { months } from "./month.ts";
import { pricedModel, reportFor, reportOfModel } from "./report.test-support.ts";
import { costOf } from "./report.ts";
import { cents } from "./words.ts";

const { patterns, parts, total, missing, lines, freeTier } = reportFor(pricedModel);

test("a model by hand: units, dollars and what is marked", () => {
  /*
   * An item: id 2 + 36, state 5 + 4, body 4 + 1,900 = 1,951 B: one read unit, two write units.
   * 1  400/s × 0.5 = 200 RRU/s, half of them from DAX: 100 × 2,628,000 × 0.125 / 1M = 32.85
   * 2  10/s × 2 = 20 WRU/s: 20 × 2,628,000 / 1M = 52.56M, × 0.625 = 32.85 here, × 0.705 = 37.0548 in Ireland
   */
  expect(
    patterns.map(({ id, dollars, assumed, unsure }) => [
      id,
      cents(dollars.average),
      assumed,
      unsure,
    ]),
  ).toEqual([
    ["2", 69.9, true, true],
    ["1", 32.85, false, false],
  ]);
  expect(patterns.map(({ reads, writes }) => [reads.average, writes.average])).toEqual([
    [0, 20],
    [100, 0],
  ]);
  // 69.9048 / (10 × 2.628) and 32.85 / (400 × 2.628)
  expect(patterns.map(({ perMillion }) => cents(perMillion ?? 0))).toEqual([2.66, 0.03]);
});

test("parts of the bill and the total", () => {
  // 1,000,000 × (1,951 + 100 + 48) B = 1.954846 GB: × 0.25 = 0.488711, × 0.283 = 0.553221; recovery × 0.20 = 0.390969
  // DAX: 730 × 0.255 = 186.15
  expect(
    parts.map((part) => [
      part.replica,
      ...[part.reads, part.writes, part.storage, part.other].map(cents),
    ]),
  ).toEqual([
    [undefined, 32.85, 32.85, 0.49, 186.54],
    ["eu-west-1", 0, 37.05, 0.55, 0],
  ]);
  expect(cents(total.average)).toBe(
    cents(32.85 + 32.85 + 37.0548 + 0.488711 + 0.553221 + 0.390969 + 186.15),
  );
  expect(lines.reduce((sum, { dollars }) => sum + dollars.average, 0)).toBeCloseTo(
    total.average,
    9,
  );
  expect(cents(freeTier)).toBe(0.49);
});

test("what is not known is not in the bill, and is said", () => {
  expect(missing).toEqual(["pattern 3: how often it happens on average is not known"]);
  const uncounted = reportFor(pricedModel.replace("    count: 1_000_000\n", ""));
  expect(uncounted.missing).toContain("how many Order there are is not known");
});

test("what the design asks for and the bill leaves out is said", () => {
  const texts = (text: string) => reportFor(text).notes.map(({ text: note }) => note);
  expect(texts(pricedModel)).toEqual([]);
  const more = pricedModel.replace(
    "      pitr: true\n",
    "      encryption: managed\n      prewarm: { read: 20_000 }\n",
  );
  expect(texts(more)).toEqual([
    "throughput from the beginning is charged once, which is not in the bill",
    "requests to the key management service are not in the bill",
  ]);
});

test("a Region without prices, and a model without a design, say why there is no bill", () => {
  const options = { region: undefined, month: months["730h"] };
  const mars = costOf(modelOf(pricedModel.replace("region: us-east-1", "region: mars-1")), options);
  expect(mars).toEqual({
    report: undefined,
    why: expect.stringMatching(
      /^No prices of mars-1 are known. There are prices of us-east-1, .*: say one with --region.$/,
    ),
  });
  const bare = costOf(modelOf(pricedModel.slice(0, pricedModel.indexOf("design:"))), options);
  expect(bare.report).toBeUndefined();
});

test("without a Region the first one is taken, and that is told", () => {
  const { region, regionStated } = reportFor(
    pricedModel.replace("overview: { region: us-east-1 }\n", ""),
  );
  expect([region, regionStated]).toEqual(["us-east-1", false]);
  expect(reportFor(pricedModel, "eu-central-1")).toMatchObject({
    region: "eu-central-1",
    regionStated: true,
  });
});

test("older periods have as many capacities as there are tables", () => {
  const text = pricedModel
    .replace("      pitr: true\n", "")
    .replace(/ {6}replicas: .*\n/, "")
    .replace(
      "orderId: { type: S, format: uuid }",
      "orderId: { type: S, format: uuid }\n      day: { type: S, format: iso-date }",
    )
    .replace(
      "      billing: on-demand\n",
      `      billing: on-demand
      periods: { every: month, attribute: day, keep: 5, older: { billing: { provisioned: { read: 3, write: 1 } } } }
`,
    );
  const report = reportFor(text);
  const older = report.parts.find(({ period }) => period === "older");
  // 4 tables × 730 h × (3 × 0.00013 + 1 × 0.00065)
  expect(cents((older?.reads ?? 0) + (older?.writes ?? 0))).toBe(
    cents(4 * 730 * (0.00039 + 0.00065)),
  );
  // The cache is for the table of today.
  expect(report.lines.filter(({ kind }) => kind === "cache").map(({ period }) => period)).toEqual([
    "current",
  ]);
});

for (const [name, text] of examples) {
  test(`${name}: parts and lines make the total, patterns what requests cost`, () => {
    const report = reportOfModel(modelOf(text));
    const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);
    expect(report.total.average).toBeGreaterThan(0);
    expect(report.total.peak).toBeGreaterThanOrEqual(report.total.average);
    expect(sum(report.parts.map(({ dollars }) => dollars.average))).toBeCloseTo(
      report.total.average,
      6,
    );
    expect(
      sum(
        report.parts.map(({ reads, writes, storage, other }) => reads + writes + storage + other),
      ),
    ).toBeCloseTo(report.total.average, 6);
    const throughput = sum(report.parts.map(({ reads, writes }) => reads + writes));
    expect(sum(report.patterns.map(({ dollars }) => dollars.average))).toBeCloseTo(throughput, 6);
    for (const { table, period, now } of report.modes) {
      const own = report.parts.filter((part) => part.table === table && part.period === period);
      expect(sum(own.map(({ reads, writes, storage }) => reads + writes + storage))).toBeCloseTo(
        now,
        6,
      );
    }
  });
}
