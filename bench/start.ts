import { pathToFileURL } from "node:url";
import type { Children } from "./children.ts";
import { ask, Connection, requestBytes } from "./connection.ts";
import { chooseTargets } from "./load.ts";
import type { Options, OwnVariant } from "./options.ts";
import { pause } from "./phase.ts";
import { usageOf } from "./process-usage.ts";
import { median } from "./statistics.ts";
import { figure, renderTable } from "./table.ts";
import { launch, type Target } from "./targets.ts";

export interface StartResult {
  readonly rounds: number;
  readonly commands: readonly {
    readonly target: string;
    readonly firstAnswerMs: readonly number[];
    readonly idleMegabytes: readonly number[];
  }[];
  readonly library: readonly {
    readonly variant: OwnVariant;
    readonly importMs: readonly number[];
    readonly startServerMs: readonly number[];
  }[];
  readonly remarks: readonly string[];
}

const idleMs = 1_000;

export async function runStart(
  options: Options,
  children: Children,
  say: (text: string) => void,
): Promise<StartResult> {
  const remarks: string[] = [];
  const targets = await chooseTargets(options, children, (text) => remarks.push(text));
  const commands = targets.map(({ label }) => ({
    target: label,
    firstAnswerMs: [] as number[],
    idleMegabytes: [] as number[],
  }));
  const library = options.ours.map((variant) => ({
    variant,
    importMs: [] as number[],
    startServerMs: [] as number[],
  }));
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [i, target] of targets.entries()) {
      const { firstAnswerMs, idleMegabytes } = await startCommand(children, target);
      commands[i]?.firstAnswerMs.push(firstAnswerMs);
      if (idleMegabytes !== undefined) commands[i]?.idleMegabytes.push(idleMegabytes);
    }
    for (const each of library) {
      const place =
        each.variant === "memory" ? {} : { data: children.folder(), durability: each.variant };
      const { importMs, startServerMs } = await startLibrary(children, place);
      each.importMs.push(importMs);
      each.startServerMs.push(startServerMs);
    }
    say(`round ${round + 1} of ${options.rounds}`);
  }
  return { rounds: options.rounds, commands, library, remarks };
}

/** From the spawning of the process to the answer of its first request. */
export async function startCommand(children: Children, target: Target) {
  const began = performance.now();
  const { port, child, pid } = await launch(children, target);
  const connection = new Connection(port);
  const reply = await ask(connection, requestBytes(port, { operation: "ListTables", body: {} }));
  const firstAnswerMs = performance.now() - began;
  if (reply.status !== 200) throw new Error(`${target.label}: ListTables ${reply.body}`);
  await pause(idleMs);
  const idleMegabytes = usageOf(pid)?.residentMegabytes;
  connection.close();
  await children.stop(child);
  return { firstAnswerMs, idleMegabytes };
}

/** What a test suite waits for: the import of the package and startServer(), in a fresh process. */
export async function startLibrary(
  children: Children,
  options: { readonly data?: string; readonly durability?: string },
) {
  const source = `
    const began = performance.now();
    const { startServer } = await import(${JSON.stringify(pathToFileURL("dist/index.js").href)});
    const imported = performance.now();
    const server = await startServer(${JSON.stringify(options)});
    const started = performance.now();
    await server.close();
    console.log(JSON.stringify({ importMs: imported - began, startServerMs: started - imported }));`;
  const child = children.start(process.execPath, ["--input-type=module", "--eval", source]);
  const code = await new Promise((resolve) => child.once("close", resolve));
  const output = children.outputOf(child);
  if (code !== 0) throw new Error(`startServer() failed: ${output}`);
  return JSON.parse(output) as { importMs: number; startServerMs: number };
}

export function reportStart({ rounds, commands, library, remarks }: StartResult): string {
  const range = (values: readonly number[]): string =>
    `${figure(Math.min(...values))}–${figure(Math.max(...values))}`;
  const commandTable = renderTable(
    ["command", "first answer, ms", "least–most", "idle, MB"],
    commands.map(({ target, firstAnswerMs, idleMegabytes }) => [
      target,
      figure(median(firstAnswerMs)),
      range(firstAnswerMs),
      figure(median(idleMegabytes)),
    ]),
  );
  const libraryTable = renderTable(
    ["in process", "import, ms", "startServer(), ms"],
    library.map(({ variant, importMs, startServerMs }) => [
      variant,
      figure(median(importMs)),
      figure(median(startServerMs)),
    ]),
  );
  const parts = [`Medians of ${rounds} starts.`, commandTable, libraryTable];
  if (remarks.length > 0) parts.push(remarks.map((text) => `- ${text}`).join("\n"));
  return parts.join("\n\n");
}
