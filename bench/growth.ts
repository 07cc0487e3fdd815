import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import type { Children } from "./children.ts";
import { type Deletion, measureDeletion } from "./growth-delete.ts";
import { fillFolder, type TableWish } from "./growth-fill.ts";
import { measurePages, type PageResult, pagePlaces } from "./growth-pages.ts";
import type { Options } from "./options.ts";
import { type Measurement, pause, runPhase } from "./phase.ts";
import { startCommand, startLibrary } from "./start.ts";
import { launch, ownTarget, type RunningTarget, type Target } from "./targets.ts";
import { Workload } from "./workload.ts";

/** One round of one operation on a table of one size. */
export interface SizePhase {
  readonly round: number;
  readonly items: number;
  readonly operation: "get" | "put";
  readonly measured: Measurement;
}

export interface Opening {
  readonly items: number;
  readonly firstAnswerMs: readonly number[];
  readonly startServerMs: readonly number[];
}

export interface GrowthResult {
  readonly sizes: readonly SizePhase[];
  readonly pages: readonly PageResult[];
  readonly collectionItems: number;
  readonly openings: readonly Opening[];
  readonly deletion: Deletion;
}

const defaultItemBytes = 430;
const smallItems = 10_000;
const collectionItemsMax = 200_000;
const doomedItemsMax = 1_000_000;
/** So many different keys are asked for: more than any cache of recent ones would hold. */
const distinct = 50_000;
const openings = 10;
const betweenPhasesMs = 200;

interface Place {
  readonly folder: string;
  readonly wishes: readonly TableWish[];
  /** The first wish: the table that requests go to. */
  readonly main: TableWish;
}

/** What grows with the data and what does not: requests, pages, the opening of a folder, a deletion. */
export async function runGrowth(
  options: Options,
  children: Children,
  say: (text: string) => void,
): Promise<GrowthResult> {
  const base = options.folder ?? children.folder();
  const [small, large] = placesOf(base, options);
  for (const { folder, wishes } of [small, large]) {
    await fillFolder(children, folder, wishes, say);
  }
  const [, collection, doomed] = large.wishes as [TableWish, TableWish, TableWish];
  const opened = await measureOpenings(children, [small, large]);
  say("the opening of the folders is measured");
  const servers = [];
  for (const place of [small, large]) servers.push(await launch(children, targetOn(place.folder)));
  const [smallServer, largeServer] = servers as [RunningTarget, RunningTarget];
  const sides = [
    { place: small, server: smallServer },
    { place: large, server: largeServer },
  ];
  const sizes = await measureSizes(options, sides, say);
  const { rounds, seconds, warmUpSeconds, connections } = options;
  const load = { connections: connections[0] as number, seconds, warmUpSeconds };
  const places = await pagePlaces(largeServer, collection, large.main);
  bringIntoMemory(large.folder);
  const pages = await measurePages(largeServer, places, rounds, load);
  say("pages are measured");
  await Promise.all(servers.map(({ child }) => children.stop(child)));
  bringIntoMemory(large.folder);
  const deletion = await measureDeletion(
    children,
    { folder: large.folder, doomed, workload: new Workload(large.main), distinct, ...load },
    say,
  );
  return { sizes, pages, collectionItems: collection.items, openings: opened, deletion };
}

function placesOf(base: string, { items, itemBytes = defaultItemBytes }: Options): [Place, Place] {
  const wish = (table: string, count: number, oneCollection = false): TableWish => ({
    table,
    items: count,
    itemBytes,
    oneCollection,
  });
  const placeOf = (name: string, main: TableWish, others: readonly TableWish[]): Place => ({
    folder: join(base, name),
    wishes: [main, ...others],
    main,
  });
  return [
    placeOf("small", wish("small", Math.min(smallItems, items)), []),
    placeOf("large", wish("large", items), [
      wish("collection", Math.min(collectionItemsMax, items), true),
      wish("doomed", Math.min(doomedItemsMax, items)),
    ]),
  ];
}

function targetOn(folder: string): Target {
  const target = ownTarget("flush");
  return { ...target, args: (port) => target.args(port, () => folder) };
}

async function measureOpenings(children: Children, places: readonly Place[]): Promise<Opening[]> {
  const found = places.map(({ main }) => ({
    items: main.items,
    firstAnswerMs: [] as number[],
    startServerMs: [] as number[],
  }));
  for (let round = 0; round < openings; round += 1) {
    for (const [i, { folder }] of places.entries()) {
      const { firstAnswerMs } = await startCommand(children, targetOn(folder));
      const { startServerMs } = await startLibrary(children, { data: folder });
      found[i]?.firstAnswerMs.push(firstAnswerMs);
      found[i]?.startServerMs.push(startServerMs);
    }
  }
  return found;
}

async function measureSizes(
  { rounds, seconds, warmUpSeconds, connections }: Options,
  sides: readonly { readonly place: Place; readonly server: RunningTarget }[],
  say: (text: string) => void,
): Promise<SizePhase[]> {
  const phases: SizePhase[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const { place } of sides) bringIntoMemory(place.folder);
    for (const operation of ["get", "put"] as const) {
      for (const { place, server } of round % 2 === 0 ? sides : [...sides].reverse()) {
        const { items } = place.main;
        const measured = await runPhase(server, new Workload(place.main), {
          ...{ operation, seconds, warmUpSeconds, distinct },
          connections: connections[0] as number,
        });
        if ("unsupported" in measured) throw new Error(measured.unsupported);
        phases.push({ round, items, operation, measured });
        const cpu = measured.cpuUsPerRequest?.toFixed(0) ?? "?";
        say(`round ${round + 1}  ${operation} among ${items} items: ${cpu} µs CPU`);
        await pause(betweenPhasesMs);
      }
    }
  }
  return phases;
}

/**
 * Reads the whole file once if there is room for it: otherwise the disk would be measured, because the
 * system takes back the memory of what nobody has asked for lately.
 */
function bringIntoMemory(folder: string): void {
  const file = openSync(join(folder, "data.mdb"), "r");
  const chunk = Buffer.allocUnsafe(4 * 1024 * 1024);
  if (fstatSync(file).size < totalmem() / 2) while (readSync(file, chunk) > 0);
  closeSync(file);
}
