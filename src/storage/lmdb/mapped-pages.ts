import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** So much more of files may be in memory than there was at first. */
export const keptBytes = 64 * 1024 * 1024;

const doNotNeed = 4;

/**
 * LMDB maps its file, and the system counts every page that was looked at as memory of this process until somebody
 * needs the room: a job that goes through a large table would seem to take all of its size. This tells the system
 * that they are not needed (`madvise`). They stay in its cache, and whoever looks at one again, also in the midst
 * of reading, gets it from there: the map is shared and nobody writes through it.
 *
 * On Linux only; elsewhere, and where it cannot be done, nothing happens.
 */
export class MappedPages {
  readonly #file: string;
  readonly #kept: number;
  /** Of files, and in memory, as the process has it without ours. */
  #others: number;
  #isOff: boolean;

  constructor(file: string, kept = keptBytes) {
    this.#file = file;
    this.#kept = kept;
    const resident = residentOfFiles();
    this.#others = resident ?? 0;
    this.#isOff = resident === undefined;
  }

  /** Takes 20 microseconds if there is nothing to let go of. */
  limit(): void {
    if (this.#isOff || (residentOfFiles() ?? 0) <= this.#others + this.#kept) return;
    try {
      for (const { start, length } of mapsOf(this.#file)) letGo(start, length);
    } catch {
      this.#isOff = true;
    }
    this.#others = residentOfFiles() ?? 0;
  }
}

/** Bytes, also of files that are kept in memory only (`tmpfs`); nothing if this system does not say. */
function residentOfFiles(): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const status = readFileSync("/proc/self/status", "latin1");
    const amounts = [...status.matchAll(/^Rss(?:File|Shmem):\s+(\d+) kB$/gm)];
    if (amounts.length === 0) return undefined;
    return amounts.reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1024, 0);
  } catch {
    return undefined;
  }
}

/**
 * The places where this process has mapped the file. There are several after it has grown: the library keeps the
 * old maps, and so no other thread can put something else there, until the store is closed.
 */
function mapsOf(file: string): { readonly start: number; readonly length: number }[] {
  const line = /^([0-9a-f]+)-([0-9a-f]+) r--s [0-9a-f]+ \S+ \d+ +(.+)$/gm;
  return [...readFileSync("/proc/self/maps", "utf8").matchAll(line)]
    .filter(([, , , name]) => name === file)
    .map(([, from, to]) => {
      const start = Number.parseInt(from as string, 16);
      return { start, length: Number.parseInt(to as string, 16) - start };
    });
}

let advise: ((start: number, length: number) => number) | undefined;

function letGo(start: number, length: number): void {
  advise ??= loadAdvise();
  if (advise(start, length) !== 0) throw new Error("madvise has failed");
}

/** Loaded by the first who needs it. */
function loadAdvise(): (start: number, length: number) => number {
  // The types of Node 20 do not know it yet.
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  const before = report.excludeNetwork;
  // To find out which C library there is, it asks for a report, which would ask for the name of every peer.
  report.excludeNetwork = true;
  try {
    const { DataType, load, open } = createRequire(import.meta.url)(
      "ffi-rs",
    ) as typeof import("ffi-rs");
    // Without a name it is this process, which has the C library.
    open({ library: "keywright", path: "" });
    return (start, length) =>
      load({
        library: "keywright",
        funcName: "madvise",
        retType: DataType.I32,
        paramsType: [DataType.U64, DataType.U64, DataType.I32],
        paramsValue: [start, length, doNotNeed],
      });
  } finally {
    report.excludeNetwork = before;
  }
}
