import { readFile } from "node:fs/promises";
import { responseBytes } from "../api/response-json.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import type { ScheduleOptions, TriggerOptions } from "../triggers/options.ts";
import type { Triggers } from "../triggers/triggers.ts";
import { sharedCaller } from "../workbench/account.ts";
import { type ModelDocument, ModelError, type ModelTables } from "../workbench/model-error.ts";
import { openWorkbench, type Workbench, type WorkbenchOptions } from "../workbench/workbench.ts";
import { HttpServer } from "./http-server.ts";
import { insightsPage } from "./insights-page.ts";
import { ListenError } from "./listen-error.ts";
import { metricsPage } from "./metrics-page.ts";
import { Protocol } from "./protocol.ts";

export interface ServerOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Default `127.0.0.1`: nobody but this machine. */
  readonly host?: string;
  /** The folder that keeps the data; without one, tables live in memory. */
  readonly data?: string;
  /** Instead of a folder: the URL of a PostgreSQL database, `postgres://user:password@host:port/name`. */
  readonly store?: string;
  /** What acknowledged means: flushed to disk (default), or handed to the operating system. */
  readonly durability?: "flush" | "relaxed";
  /** The error texts of the service as of then. */
  readonly dialect?: "2026-10" | "2026-05";
  /** One space of tables for all access keys and Regions. By default only if there is a model. */
  readonly shared?: boolean;
  /**
   * A model, as a file or as the document itself: its tables are made and filled with sample data, unless they
   * are there already. All access keys and Regions share them.
   */
  readonly model?: string | ModelDocument;
  /** Sample data of the model: about how many items, drawn from which seed; false for empty tables. */
  readonly sample?: { readonly items?: number; readonly seed?: number } | false;
  /** Is told how many items of how many are written. */
  readonly sampleProgress?: (done: number, total: number) => void;
  /**
   * Requests beyond a table's throughput are throttled, as the service does; by default none is. All
   * limits are multiplied with `scale`, so that few requests can show what many would meet.
   */
  readonly enforceCapacity?: boolean | { readonly scale: number };
  /**
   * How many seconds after its time to live is over an item is deleted. By default at once; the service takes
   * up to some days, during which the item can still be read and changed.
   */
  readonly ttlDelay?: number;
  /** A folder that stands for Amazon S3, for exports and imports: its sub-folders are the buckets. */
  readonly s3Folder?: string;
  /**
   * How many seconds old the latest moment is to which a table can be restored: 300 by default, as in the
   * service. With 0 a table can be restored to what it was just now.
   */
  readonly pitrLag?: number;
  readonly clock?: Clock;
  /**
   * Functions to call with what changes in tables, as Lambda would: `Orders=./module.mjs?batch-size=10`, a
   * YAML or JSON file of them, or options.
   */
  readonly triggers?: readonly (string | TriggerOptions)[];
  /** Functions to call at times: `rate(1 minute)=./module.mjs`, a file of them, or options. */
  readonly schedules?: readonly (string | ScheduleOptions)[];
  /** Is told which functions are called, and what they print; by default it goes to stderr. */
  readonly triggerLog?: (text: string) => void;
}

export interface RunningServer {
  /** The endpoint to give to a client. */
  readonly url: string;
  readonly port: number;
  readonly host: string;
  readonly workbench: Workbench;
  /** What was made of the model, if there is one. */
  readonly model: ModelTables | undefined;
  /** Answers what has arrived, then lets go of the port and the data. */
  close(): Promise<void>;
}

export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  if (options.ttlDelay !== undefined && !(options.ttlDelay >= 0)) {
    throw new RangeError("ttlDelay is a number of seconds, 0 or more.");
  }
  if (options.pitrLag !== undefined && !(options.pitrLag >= 0)) {
    throw new RangeError("pitrLag is a number of seconds, 0 or more.");
  }
  const host = options.host ?? "127.0.0.1";
  const shared = isShared(options);
  const startFunctions = await functionsOf(options, shared);
  const makeTables = await tablesOf(options);
  let url = "";
  const workbench = await openWorkbench({
    ...workbenchOptions(options),
    address: () => new URL(url).host,
  });
  let model: ModelTables | undefined;
  try {
    // Nobody is answered before all of it is there.
    model = await makeTables?.(workbench);
  } catch (error) {
    await workbench.close();
    throw error;
  }
  const protocol = new Protocol(workbench, {
    shared,
    toBytes: responseBytes,
    log: (text) => process.stderr.write(text),
    metrics: () => metricsPage(workbench),
    insights: (query) => insightsPage(workbench, query),
  });
  const http = new HttpServer(protocol);
  let port: number;
  try {
    port = await http.listen(options.port ?? 0, host);
  } catch (error) {
    await workbench.close();
    throw ListenError.of(error, options.port ?? 0, host);
  }
  url = urlOf(host, port);
  const functions = startFunctions?.(workbench, url);
  const closeAll = async (): Promise<void> => {
    // Functions may be asking the server something: it goes after them.
    await functions?.stop();
    await http.close();
    await workbench.close();
  };
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= closeAll();
    return closed;
  };
  return { url, port, host, workbench, model, close };
}

function isShared({ shared, model }: ServerOptions): boolean {
  if (shared === false && model !== undefined) {
    throw new RangeError("The tables of a model are shared; leave out `shared: false`.");
  }
  return shared ?? model !== undefined;
}

/** The model is read before anything is opened, and what makes its tables is loaded only then. */
async function tablesOf({
  model,
  sample = {},
  sampleProgress: progress,
  clock = systemClock,
}: ServerOptions): Promise<((workbench: Workbench) => Promise<ModelTables>) | undefined> {
  if (model === undefined) return undefined;
  const { makeModelTables, readModel, readModelDocument } = await import(
    "../workbench/model-tables.ts"
  );
  const read =
    typeof model === "string" ? readModel(await textOf(model), model) : readModelDocument(model);
  return (workbench) =>
    makeModelTables(workbench, read, sharedCaller, {
      now: clock.now(),
      sample,
      recovery: true,
      ...(progress !== undefined && { progress }),
    });
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ModelError(`${file} cannot be read: ${reason}.`);
  }
}

/** What shall be called is checked before anything is opened, and loaded only if there is something. */
async function functionsOf(
  options: ServerOptions,
  shared: boolean,
): Promise<((workbench: Workbench, url: string) => Triggers) | undefined> {
  const { triggers = [], schedules = [] } = options;
  if (triggers.length === 0 && schedules.length === 0) return undefined;
  const { readOptions } = await import("../triggers/read-options.ts");
  const { checkSettings, Triggers } = await import("../triggers/triggers.ts");
  const settings = readOptions(triggers, schedules);
  checkSettings(settings, shared);
  const clock = options.clock ?? systemClock;
  const write = options.triggerLog ?? ((text) => void process.stderr.write(text));
  return (workbench, url) => new Triggers({ settings, workbench, url, shared, clock, write });
}

function workbenchOptions(options: ServerOptions): WorkbenchOptions {
  const { data, store, durability, dialect, clock, enforceCapacity } = options;
  const { ttlDelay, pitrLag, s3Folder } = options;
  return {
    ...(store === undefined ? {} : { store }),
    ...(data === undefined ? {} : { data }),
    ...(durability === undefined ? {} : { durability }),
    ...(dialect === undefined ? {} : { dialect }),
    ...(clock === undefined ? {} : { clock }),
    ...(enforceCapacity === undefined ? {} : { enforceCapacity }),
    ...(ttlDelay === undefined ? {} : { ttlDelay }),
    ...(s3Folder === undefined ? {} : { s3Folder }),
    ...(pitrLag === undefined ? {} : { pitrLag }),
  };
}

/** An address of all interfaces is no address to connect to. */
function urlOf(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "::") return `http://127.0.0.1:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
