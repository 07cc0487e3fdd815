import { readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Children } from "./children.ts";
import type { Options } from "./options.ts";
import { prepare, runPhase } from "./phase.ts";
import { figure, renderTable } from "./table.ts";
import { launch, ownTarget } from "./targets.ts";
import { type OperationName, Workload } from "./workload.ts";

export interface ProfiledFunction {
  readonly name: string;
  /** The source file and line, or what else it belongs to. */
  readonly place: string;
  readonly microseconds: number;
}

export interface ProfileResult {
  readonly profiles: readonly {
    readonly operation: OperationName;
    readonly variant: string;
    readonly cpuUsPerRequest: number;
    readonly functions: readonly ProfiledFunction[];
  }[];
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: CallFrame;
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const defaultItemBytes = 1_024;
const shownFunctions = 45;
const connections = 32;

/** Runs each operation on a fresh server under V8's profiler; the main thread only. */
export async function runProfile(
  options: Options,
  children: Children,
  say: (text: string) => void,
): Promise<ProfileResult> {
  const itemBytes = options.itemBytes ?? defaultItemBytes;
  const workload = new Workload({ table: "bench", items: options.items, itemBytes });
  const profiles: ProfileResult["profiles"][number][] = [];
  for (const variant of options.ours) {
    for (const operation of options.operations) {
      say(`Profiling ${operation} on ${variant}.`);
      const folder = children.folder();
      const nodeArgs = ["--cpu-prof", `--cpu-prof-dir=${folder}`];
      const server = await launch(children, ownTarget(variant, "dist/cli.js", nodeArgs));
      await prepare(server, workload);
      const { seconds, warmUpSeconds } = options;
      const phase = { operation, connections, seconds, warmUpSeconds };
      const measured = await runPhase(server, workload, phase);
      if ("unsupported" in measured) throw new Error(`${operation}: ${measured.unsupported}`);
      await children.stop(server.child);
      const [file] = readdirSync(folder);
      if (file === undefined) throw new Error("the server has left no profile");
      const profile = JSON.parse(readFileSync(join(folder, file), "utf8")) as CpuProfile;
      const cpu = measured.cpuUsPerRequest ?? 1e6 / measured.perSecond;
      profiles.push({
        operation,
        variant,
        cpuUsPerRequest: cpu,
        functions: selfTimes(lastSeconds(profile, seconds + warmUpSeconds), cpu),
      });
    }
  }
  return { profiles };
}

/** The samples of the load: what came before was filling. */
function lastSeconds(profile: CpuProfile, seconds: number): CpuProfile {
  let left = seconds * 1e6;
  let from = profile.samples.length;
  while (from > 0 && left > 0) {
    from -= 1;
    left -= profile.timeDeltas[from] as number;
  }
  return {
    nodes: profile.nodes,
    samples: profile.samples.slice(from),
    timeDeltas: profile.timeDeltas.slice(from),
  };
}

/**
 * What each function spent itself, its callees aside: its share of the busy samples, times the CPU time
 * of a request. Samples alone would count the time that other programs took the processor away.
 */
export function selfTimes(profile: CpuProfile, cpuUsPerRequest: number): ProfiledFunction[] {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const spent = new Map<string, { frame: CallFrame; time: number }>();
  let busy = 0;
  for (const [i, id] of profile.samples.entries()) {
    const frame = frames.get(id);
    if (frame === undefined || frame.functionName === "(idle)") continue;
    const time = profile.timeDeltas[i] as number;
    busy += time;
    const key = `${frame.functionName} ${frame.url}:${frame.lineNumber}:${frame.columnNumber}`;
    const known = spent.get(key);
    if (known === undefined) spent.set(key, { frame, time });
    else known.time += time;
  }
  const maps = new Maps();
  return [...spent.values()]
    .sort((a, b) => b.time - a.time)
    .map(({ frame, time }) => ({
      name: frame.functionName || "(anonymous)",
      place: maps.place(frame),
      microseconds: (time / busy) * cpuUsPerRequest,
    }));
}

/** From places in the bundle to places in the sources. */
class Maps {
  readonly #maps = new Map<string, SourceMap>();

  place({ url, lineNumber, columnNumber }: CallFrame): string {
    if (url === "") return "native";
    if (!url.startsWith("file:") || url.includes("node_modules")) {
      return url.replace(/^file:.*node_modules\//, "");
    }
    const entry = this.#of(fileURLToPath(url)).findEntry(lineNumber, columnNumber);
    if (!("originalSource" in entry)) return basename(url);
    return `${entry.originalSource.replace(/^(\.\.\/)+/, "")}:${entry.originalLine + 1}`;
  }

  #of(path: string): SourceMap {
    let map = this.#maps.get(path);
    if (map === undefined) {
      map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, "utf8")));
      this.#maps.set(path, map);
    }
    return map;
  }
}

export function reportProfile({ profiles }: ProfileResult): string {
  const parts = profiles.map(({ operation, variant, cpuUsPerRequest, functions }) => {
    const rows = functions
      .slice(0, shownFunctions)
      .map(({ name, place, microseconds }) => [name, place, figure(microseconds)]);
    const title = `**${operation} on ${variant}: ${figure(cpuUsPerRequest)} µs CPU per request**`;
    return `${title}\n\n${renderTable(["function", "place", "µs itself"], rows, 2)}`;
  });
  return parts.join("\n\n");
}
