import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type RunningServer, type ServerOptions, startServer } from "../server/start-server.ts";
import { TriggerOptionsError } from "../triggers/options-error.ts";
import { ModelError } from "../workbench/model-error.ts";
import { readText } from "./files.ts";
import {
  choiceOption,
  flagOption,
  portOption,
  positiveOption,
  type RawOptions,
  secondsOption,
  storeOption,
  textOption,
  textOptions,
  wholeOption,
} from "./options.ts";
import { UsageError } from "./usage-error.ts";

const defaultPort = 8000;
const defaultData = ".keywright/data";

/** `keywright start`: serves until it is told to stop, and answers with the exit code. */
export async function start(
  args: readonly string[],
  raw: RawOptions,
  model?: string,
): Promise<number> {
  const options = startOptions(args, raw, model);
  // A file that is not there is told like every other one.
  if (model !== undefined) await readText(model);
  if (options.data === resolve(defaultData)) await hideFromGit(dirname(options.data));
  if (options.s3Folder !== undefined) await checkFolder(options.s3Folder);
  let server: RunningServer;
  try {
    server = await startServer({ ...options, ...(model !== undefined && progress()) });
  } catch (error) {
    if (error instanceof ModelError) {
      process.stderr.write(`${error.message}\n`);
      return 2;
    }
    throw error instanceof TriggerOptionsError ? new UsageError(error.message) : error;
  }
  const stopped = stopSignal();
  if (server.model !== undefined) {
    const { modelTablesText } = await import("../workbench/model-tables.ts");
    process.stdout.write(modelTablesText(server.model));
  }
  process.stdout.write(banner(server, options));
  await stopped;
  await server.close();
  return 0;
}

async function checkFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new UsageError(`There is no folder at ${folder}.`);
}

/** What takes longer than this is told while it goes on. */
const progressEveryMs = 1_000;

function progress(): Pick<ServerOptions, "sampleProgress"> {
  let told = performance.now();
  return {
    sampleProgress: (done, total) => {
      const now = performance.now();
      if (now - told < progressEveryMs) return;
      told = now;
      process.stderr.write(`Sample data: ${done} of ${total} items\n`);
    },
  };
}

export function startOptions(
  args: readonly string[],
  raw: RawOptions,
  model?: string,
): ServerOptions {
  const inMemory = flagOption(raw, "inMemory", "--in-memory");
  const data = textOption(args, "--data");
  const store = storeOption(args, "--store");
  const durability = choiceOption(args, "--durability", ["flush", "relaxed"]);
  if (inMemory && data !== undefined) {
    throw new UsageError("--data and --in-memory exclude each other; give one of them.");
  }
  if (store !== undefined && (inMemory || data !== undefined)) {
    const other = inMemory ? "--in-memory" : "--data";
    throw new UsageError(`--store and ${other} exclude each other; give one of them.`);
  }
  if (inMemory && durability !== undefined) {
    throw new UsageError(
      "--durability says how data is written to disk; leave it out with --in-memory.",
    );
  }
  const dialect = choiceOption(args, "--error-dialect", ["2026-10", "2026-05"]);
  const enforceCapacity = enforcementOf(args, raw);
  const ttlDelay = secondsOption(args, "--ttl-delay");
  const s3Folder = textOption(args, "--s3-folder");
  const pitrLag = secondsOption(args, "--pitr-lag");
  const triggers = textOptions(args, "--trigger");
  const schedules = textOptions(args, "--schedule");
  return {
    port: portOption(args, "--port") ?? defaultPort,
    host: textOption(args, "--host") ?? "127.0.0.1",
    shared: flagOption(raw, "shared", "--shared") || model !== undefined,
    ...modelOf(args, raw, model),
    ...placeOf(inMemory, store, data),
    ...(durability === undefined ? {} : { durability }),
    ...(dialect === undefined ? {} : { dialect }),
    ...(enforceCapacity === undefined ? {} : { enforceCapacity }),
    ...(ttlDelay === undefined ? {} : { ttlDelay }),
    ...(s3Folder === undefined ? {} : { s3Folder: resolve(s3Folder) }),
    ...(pitrLag === undefined ? {} : { pitrLag }),
    ...(triggers.length === 0 ? {} : { triggers }),
    ...(schedules.length === 0 ? {} : { schedules }),
  };
}

function modelOf(
  args: readonly string[],
  raw: RawOptions,
  model: string | undefined,
): Pick<ServerOptions, "model" | "sample"> {
  const items = wholeOption(args, "--sample-items");
  const seed = wholeOption(args, "--seed");
  const isEmpty = raw.sample === false;
  const given = [
    ...(isEmpty ? ["--no-sample"] : []),
    ...(items === undefined ? [] : ["--sample-items"]),
    ...(seed === undefined ? [] : ["--seed"]),
  ];
  if (model === undefined) {
    const [first] = given;
    if (first === undefined) return {};
    throw new UsageError(
      `${first} is about the tables of a model; name one: keywright start FILE.`,
    );
  }
  if (isEmpty && given.length > 1) {
    throw new UsageError(`--no-sample and ${given[1]} exclude each other; give one of them.`);
  }
  if (items === 0) throw new UsageError("--sample-items takes 1 or more; --no-sample makes none.");
  return {
    model,
    sample: isEmpty
      ? false
      : { ...(items !== undefined && { items }), ...(seed !== undefined && { seed }) },
  };
}

function enforcementOf(
  args: readonly string[],
  raw: RawOptions,
): { readonly scale: number } | undefined {
  const scale = positiveOption(args, "--scale");
  if (flagOption(raw, "enforceCapacity", "--enforce-capacity")) return { scale: scale ?? 1 };
  if (scale !== undefined) {
    throw new UsageError("--scale is about limits that hold only with --enforce-capacity.");
  }
  return undefined;
}

function placeOf(
  inMemory: boolean,
  store: string | undefined,
  data: string | undefined,
): Pick<ServerOptions, "data" | "store"> {
  if (inMemory) return {};
  return store === undefined ? { data: resolve(data ?? defaultData) } : { store };
}

/** The default folder lies in a project, where data is not meant to be committed. */
async function hideFromGit(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/.gitignore`, "*\n", { flag: "wx" }).catch(() => {});
}

export function banner(
  server: Pick<RunningServer, "url" | "host">,
  options: ServerOptions,
): string {
  const lines = [
    `Keywright is ready on ${server.url}`,
    `Connect: export AWS_ENDPOINT_URL_DYNAMODB=${server.url}`,
    `Data: ${dataText(options)}`,
    options.shared
      ? "Tables: one space for all access keys and Regions"
      : "Tables: a space of their own for each access key and Region",
    ...throughputLines(options),
    ...delayLines(options),
    ...(options.s3Folder === undefined
      ? []
      : [`Amazon S3: ${options.s3Folder}, a folder of buckets`]),
    ...(options.triggers ?? []).map((trigger) => `Trigger: ${trigger}`),
    ...(options.schedules ?? []).map((schedule) => `Schedule: ${schedule}`),
  ];
  if (!isLoopback(server.host)) {
    lines.push(
      `Warning: ${server.host} can be reached from other machines, and signatures are not checked`,
    );
  }
  return `${lines.join("\n")}\n`;
}

function throughputLines({ enforceCapacity = false }: ServerOptions): string[] {
  if (enforceCapacity === false) return [];
  const scale = enforceCapacity === true ? 1 : enforceCapacity.scale;
  return [
    scale === 1
      ? "Throughput: enforced, requests beyond it are throttled"
      : `Throughput: enforced at ${scale} times its limits, requests beyond it are throttled`,
  ];
}

function delayLines({ ttlDelay = 0 }: ServerOptions): string[] {
  if (ttlDelay === 0) return [];
  const time = ttlDelay === 1 ? "a second" : `${ttlDelay} seconds`;
  return [`Time to live: items are deleted ${time} after it is over`];
}

function dataText(options: ServerOptions): string {
  const { data, store } = options;
  const written = durabilityText(options);
  if (store !== undefined) {
    // The rest of the URL may hold a password.
    const { host, pathname } = new URL(store);
    return `PostgreSQL at ${host}${pathname} (${written})`;
  }
  return data === undefined ? "in memory, gone when this process ends" : `${data} (${written})`;
}

function durabilityText({ durability, store }: ServerOptions): string {
  if (durability !== "relaxed") return "every acknowledged write is on disk";
  return store === undefined
    ? "relaxed: safe if this process dies, not if the machine does"
    : "relaxed: the last writes may be lost if the database server dies";
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.[0-9.]+$/.test(host);
}

/** `npm start` passes on the signal that the terminal has already sent: one wish, told twice. */
const sameWishMs = 250;

/** The first signal asks for an orderly end; the second does not wait for it. */
function stopSignal(): Promise<void> {
  return new Promise((stop) => {
    let asked: number | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      const now = performance.now();
      if (asked === undefined) {
        asked = now;
        stop();
      } else if (now - asked > sameWishMs) {
        process.exit(signal === "SIGINT" ? 130 : 143);
      }
    };
    process.on("SIGINT", onSignal);
    process.on("SIGTERM", onSignal);
  });
}
