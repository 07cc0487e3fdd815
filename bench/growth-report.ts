import type { GrowthResult, SizePhase } from "./growth.ts";
import type { Deletion, DeletionPhase } from "./growth-delete.ts";
import { type PageResult, pageItems } from "./growth-pages.ts";
import { median, medianOf } from "./statistics.ts";
import { figure, renderTable, times } from "./table.ts";

const whole = (value: number): string => value.toLocaleString("en-GB");

export function reportGrowth(result: GrowthResult): string {
  const { sizes, pages, collectionItems, openings, deletion } = result;
  return [
    "**Requests, by items in the table**",
    sizeTable(sizes),
    `**Pages of ${pageItems} items; Query in a collection of ${whole(collectionItems)}**`,
    pageTable(pages),
    "**Opening a folder**",
    renderTable(
      ["items", "first answer, ms", "startServer(), ms"],
      openings.map(({ items, firstAnswerMs, startServerMs }) => [
        whole(items),
        figure(median(firstAnswerMs)),
        figure(median(startServerMs)),
      ]),
      0,
    ),
    `**Another table while one of ${whole(deletion.items)} items is deleted**`,
    deletionTable(deletion),
    deletionRemark(deletion),
  ].join("\n\n");
}

function sizeTable(phases: readonly SizePhase[]): string {
  const counts = [...new Set(phases.map(({ items }) => items))].sort((a, b) => a - b);
  const rows = (["get", "put"] as const).map((operation) => {
    const figures = counts.map((count) => {
      const own = phases.filter((each) => each.operation === operation && each.items === count);
      return {
        cpu: medianOf(own, ({ measured }) => measured.cpuUsPerRequest),
        perSecond: medianOf(own, ({ measured }) => measured.perSecond),
        p99: medianOf(own, ({ measured }) => measured.p99Ms),
      };
    });
    const [small, large] = [figures[0]?.cpu, figures.at(-1)?.cpu];
    return [
      operation,
      ...figures.map(({ cpu }) => figure(cpu)),
      times(small === undefined || large === undefined ? undefined : large / small),
      ...figures.map(({ perSecond }) => figure(perSecond)),
      ...figures.map(({ p99 }) => figure(p99)),
    ];
  });
  const columns = (title: string): string[] => counts.map((count) => `${title}, ${whole(count)}`);
  const header = ["operation", ...columns("CPU µs"), "grown to", ...columns("per second")];
  return renderTable([...header, ...columns("p99 ms")], rows);
}

function pageTable(pages: readonly PageResult[]): string {
  const kinds = [...new Set(pages.map(({ what }) => what))];
  const rows = kinds.map((kind) => {
    const own = pages.filter(({ what }) => what === kind);
    return [
      kind,
      figure(medianOf(own, ({ measured }) => measured.cpuUsPerRequest)),
      figure(medianOf(own, ({ measured }) => measured.perSecond)),
      figure(medianOf(own, ({ measured }) => measured.p50Ms)),
    ];
  });
  return renderTable(["page", "server CPU, µs", "pages/s", "p50, ms"], rows);
}

/** Medians of the phases; of the longest waits, the longest. */
function deletionTable({ phases }: Deletion): string {
  const moments = [...new Set(phases.map(({ moment }) => moment))];
  const rows = (["get", "put"] as const).flatMap((operation) =>
    moments.map((moment) => {
      const own = phases.filter((each) => each.operation === operation && each.moment === moment);
      const most = (value: (phase: DeletionPhase) => number | undefined): string =>
        figure(Math.max(...own.map((phase) => value(phase) ?? 0)));
      return [
        operation,
        moment,
        figure(medianOf(own, ({ measured }) => measured.perSecond)),
        figure(medianOf(own, ({ measured }) => measured.p50Ms)),
        figure(medianOf(own, ({ measured }) => measured.p99Ms)),
        most(({ measured }) => measured.maxMs),
        most(({ stallMs }) => stallMs),
      ];
    }),
  );
  const header = ["operation", "moment", "per second", "p50, ms", "p99, ms", "longest, ms"];
  return renderTable([...header, "event loop stood still, ms"], rows, 2);
}

function deletionRemark({ answeredMs, clearedMs }: Deletion): string {
  const cleared = figure(clearedMs / 1_000);
  return `DeleteTable was answered after ${figure(answeredMs)} ms; the space was free after ${cleared} s.`;
}
