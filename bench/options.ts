import { parseArgs } from "node:util";
import { type OperationName, operationNames } from "./workload.ts";

export type Mode = "load" | "stages" | "start" | "profile" | "postgres" | "growth";

export const ownVariants = ["flush", "relaxed", "memory"] as const;
export type OwnVariant = (typeof ownVariants)[number];

export const peerNames = ["dynalite", "dynalite-disk", "dynoxide", "dynoxide-disk"] as const;
export type PeerName = (typeof peerNames)[number];

export interface Options {
  readonly mode: Mode;
  readonly ours: readonly OwnVariant[];
  readonly peers: readonly PeerName[];
  readonly operations: readonly OperationName[];
  readonly connections: readonly number[];
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly rounds: number;
  readonly items: number;
  /** JSON bytes of one item; each mode has its own default. */
  readonly itemBytes: number | undefined;
  /** Where the tables of --growth lie, and stay for the next run. */
  readonly folder: string | undefined;
  /** Whether dist/ is made anew. */
  readonly build: boolean;
  /** Whether results/ and README.md are written. */
  readonly record: boolean;
}

export class UsageError extends Error {}

export const usage = `npm run bench -- [options]

  --stages            microseconds by stage of GetItem and PutItem, instead of load
  --start             time to the first answer and idle memory, instead of load
  --profile           where the server's CPU time goes, by function, instead of load
  --postgres          Keywright on PostgreSQL next to plain SQL, instead of load
  --growth            what ten million items change, instead of load
  --ours LIST         ${ownVariants.join(",")} (default: flush; --stages and --start: all)
  --peers LIST        ${peerNames.join(",")}, or none (default: dynalite,dynoxide)
  --ops LIST          ${operationNames.join(",")}
  --conns LIST        connections (default: 1,32; --postgres: 1,8,32; --growth: 32)
  --secs S --warm S   measured and warm-up seconds per phase (default: 4 and 1)
  --rounds N          repetitions; the tables show medians (default: 3; --start: 10)
  --items N           items in the table (default: 20000; --growth: 10000000)
  --item-bytes N      JSON bytes of an item (default: 430; --stages: 1024)
  --folder DIR        --growth: where the tables lie; kept, so that the next run need not fill them
  --quick             short phases, nothing recorded: to see that all works
  --no-build          measure dist/ as it is
  --no-record         leave bench/results and bench/README.md alone
`;

const defaultOperations = "put,get,update,query,batchwrite,transact";

export function parseOptions(args: readonly string[]): Options {
  const values = read(args);
  const { quick = false } = values;
  const mode = modeOf(values);
  return {
    mode,
    ours: list("--ours", values.ours ?? defaultOurs(mode), ownVariants),
    peers:
      values.peers === "none"
        ? []
        : list("--peers", values.peers ?? "dynalite,dynoxide", peerNames),
    operations: list("--ops", values.ops ?? defaultOperations, operationNames),
    connections: (values.conns ?? defaultConnections(mode))
      .split(",")
      .map((text) => count("--conns", text)),
    seconds: seconds("--secs", values.secs ?? (quick ? "0.5" : "4")),
    warmUpSeconds: seconds("--warm", values.warm ?? (quick ? "0.2" : "1")),
    rounds: count("--rounds", values.rounds ?? defaultRounds(mode, quick)),
    items: count("--items", values.items ?? defaultItems(mode, quick)),
    itemBytes:
      values["item-bytes"] === undefined ? undefined : count("--item-bytes", values["item-bytes"]),
    folder: folderOf(mode, values.folder),
    build: values["no-build"] !== true,
    record: !quick && values["no-record"] !== true,
  };
}

function read(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        stages: flag,
        start: flag,
        profile: flag,
        postgres: flag,
        growth: flag,
        ours: text,
        peers: text,
        ops: text,
        conns: text,
        secs: text,
        warm: text,
        rounds: text,
        items: text,
        "item-bytes": text,
        folder: text,
        quick: flag,
        "no-build": flag,
        "no-record": flag,
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const askedModes = ["stages", "start", "profile", "postgres", "growth"] as const;

function modeOf(values: { readonly [mode in (typeof askedModes)[number]]?: boolean }): Mode {
  const asked = askedModes.filter((mode) => values[mode] === true);
  if (asked.length > 1) throw new UsageError(`--${asked.join(" and --")} exclude each other.`);
  return asked[0] ?? "load";
}

function defaultOurs(mode: Mode): string {
  return mode === "stages" || mode === "start" ? ownVariants.join() : "flush";
}

function defaultConnections(mode: Mode): string {
  if (mode === "growth") return "32";
  return mode === "postgres" ? "1,8,32" : "1,32";
}

function defaultItems(mode: Mode, quick: boolean): string {
  if (mode === "growth") return quick ? "100000" : "10000000";
  return quick ? "2000" : "20000";
}

function folderOf(mode: Mode, folder: string | undefined): string | undefined {
  if (folder !== undefined && mode !== "growth") {
    throw new UsageError("--folder is for --growth: other runs fill new folders.");
  }
  return folder;
}

function defaultRounds(mode: Mode, quick: boolean): string {
  if (mode === "start") return quick ? "2" : "10";
  return quick ? "1" : "3";
}

function list<T extends string>(flag: string, text: string, known: readonly T[]): T[] {
  const names = text.split(",").map((name) => {
    const found = known.find((each) => each === name);
    if (found === undefined) {
      throw new UsageError(`${flag} knows ${known.join(", ")}, not '${name}'.`);
    }
    return found;
  });
  return [...new Set(names)];
}

function count(flag: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new UsageError(`${flag} takes whole numbers from 1, not '${text}'.`);
  }
  return value;
}

function seconds(flag: string, text: string): number {
  const value = Number(text);
  if (text === "" || !(value > 0) || !Number.isFinite(value)) {
    throw new UsageError(`${flag} takes a number of seconds, not '${text}'.`);
  }
  return value;
}
