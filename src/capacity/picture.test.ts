import { expect, test } from "vitest";
import { hashSpace, noSort } from "../partitions/position.ts";
import { CapacityHistory } from "./history.ts";
import { picture } from "./picture.ts";
import { niceStep, units } from "./picture-axes.ts";
import { escapeXml } from "./picture-style.ts";
import { TableThroughput } from "./table-throughput.ts";

const hostile = `</text><script>alert("x")</script>&'\u0000`;

/** Two minutes on a table and an index; the table is split in the middle. */
function history(): CapacityHistory {
  const table = new TableThroughput({
    settings: { mode: "on-demand" },
    indexes: { [hostile]: { mode: "on-demand", maximum: { write: 300 } } },
    now: 0,
  });
  const made = new CapacityHistory(table, 0, 10_000);
  const position = { hash: hashSpace / 3, sort: noSort };
  for (let at = 0; at < 120_000; at += 50) {
    while (made.until <= at) made.sample();
    if (at === 60_000) {
      const warm = { read: 1, write: 8_000 };
      table.table.change({ mode: "on-demand", warm }, at, "settings");
    }
    table.admit("write", [{ index: undefined, position, units: 100 }], at);
    table.admit("write", [{ index: hostile, position, units: 20 }], at);
  }
  made.sample();
  return made;
}

const draw = (from: CapacityHistory, caption = hostile): string =>
  picture({
    title: hostile,
    verdict: hostile,
    table: hostile,
    seconds: 120,
    steps: from.steps,
    resources: from.resources,
    caption: () => caption,
  });

test("a history has units per second, step by step, and partitions as long as they lived", () => {
  const { resources, steps } = history();
  expect(steps).toBe(12);
  const [table, index] = resources;
  expect(table?.write.consumed).toEqual(new Array(12).fill(1_000));
  expect(table?.write.throttled).toEqual(new Array(12).fill(1_000));
  expect(table?.write.limit).toEqual([...new Array(6).fill(4_000), ...new Array(6).fill(8_000)]);
  expect(index?.limitKind).toBe("maximum");
  expect(index?.write.consumed[0]).toBe(300);
  const lanes = table?.lanes ?? [];
  const split = lanes.filter(({ to }) => to < steps);
  expect(split.map(({ from, to }) => [from, to])).toEqual(new Array(4).fill([0, 6]));
  expect(lanes.filter(({ parent }) => parent !== undefined).map(({ from }) => from)).toEqual(
    new Array(8).fill(6),
  );
  const hot = lanes.filter((lane) => lane.write.consumed.some((value) => value > 0));
  expect(hot.map(({ write }) => write.consumed.length)).toEqual([6, 6]);
});

test("what a partition did before its split counts, also within a step", () => {
  const table = new TableThroughput({ settings: { mode: "on-demand" }, now: 0 });
  const made = new CapacityHistory(table, 0, 100_000);
  const charge = { index: undefined, position: { hash: 5, sort: noSort }, units: 500 };
  table.admit("write", [charge], 1_000);
  const warm = { read: 1, write: 8_000 };
  table.table.change({ mode: "on-demand", warm }, 30_000, "settings");
  table.admit("write", [charge], 90_000);
  made.sample();
  table.admit("write", [charge], 110_000);
  made.sample();
  expect(made.resources[0]?.write.consumed).toEqual([10, 5]);
});

test("a picture is well-formed, whatever the names are", () => {
  const svg = draw(history());
  expect(svg).not.toContain("<script");
  expect(svg).not.toContain("\u0000");
  expect(svg).toContain("&#60;/text&#62;&#60;script&#62;");
  const open: string[] = [];
  for (const [, end, name = "", closed] of svg.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g)) {
    if (end === "/") expect(open.pop()).toBe(name);
    else if (closed !== "/") open.push(name);
  }
  expect(open).toEqual([]);
});

test("it shows what was consumed and throttled, limits, partitions and their splits", () => {
  const svg = draw(history(), "the key");
  for (const kind of ["consumed", "throttled", "limit", "ceiling", "split", "h9"]) {
    expect(svg).toContain(`class="${kind}"`);
  }
  expect(svg).toContain("on-demand maximum 300");
  expect(svg).toContain("one partition 1,000");
  expect(svg).toContain(">the key<");
  expect(svg).toContain("prefers-color-scheme:dark");
});

test("what was not used is not drawn", () => {
  expect(draw(history())).not.toContain("read units per second");
});

test("many partitions are drawn as the busiest of them", () => {
  const table = new TableThroughput({
    settings: { mode: "on-demand", warm: { read: 1, write: 200_000 } },
    now: 0,
  });
  const made = new CapacityHistory(table, 0, 1_000);
  table.admit("write", [{ index: undefined, position: { hash: 7, sort: noSort }, units: 9 }], 0);
  made.sample();
  expect(draw(made)).toContain("(the busiest; 140 more)");
});

test("axes have round figures", () => {
  expect([niceStep(1_040, 4), niceStep(4_500, 4), niceStep(3, 4)]).toEqual([500, 2_000, 1]);
  expect([units(0.5), units(12_000), units(250_000), units(2_500_000)]).toEqual([
    "0.5",
    "12,000",
    "250k",
    "2.5M",
  ]);
});

test("text is escaped for attributes and elements", () => {
  expect(escapeXml(`a<b>&"'\u0007\ud800é😀`)).toBe("a&#60;b&#62;&#38;&#34;&#39;\ufffd\ufffdé😀");
});
