import { responseBytes } from "../../src/api/response-json.ts";
import { HttpServer } from "../../src/server/http-server.ts";
import { Protocol } from "../../src/server/protocol.ts";
import type { Durability, Store } from "../../src/storage/store.ts";
import { workbenchOn } from "../../src/workbench/workbench.ts";
import type { Target } from "../targets.ts";

export const embeddedStores = ["lmdb", "level"] as const;
export type EmbeddedStore = (typeof embeddedStores)[number];

/** The first argument that makes this program a server instead of the driver. */
export const serverRole = "--store-server";

const opened = /opened in ([\d.]+) ms/;

/** The product's server on one of the stores, in a process of its own. */
export async function serveStore(args: readonly string[]): Promise<void> {
  const [name, durability, port, path] = args as [EmbeddedStore, Durability, string, string];
  const began = performance.now();
  const store = await openStore(name, durability, path);
  const workbench = await workbenchOn(store);
  const openMs = performance.now() - began;
  const protocol = new Protocol(workbench, {
    shared: true,
    toBytes: responseBytes,
    log: (text) => process.stderr.write(text),
  });
  const http = new HttpServer(protocol);
  process.once("SIGTERM", () => {
    void http
      .close()
      .then(() => workbench.close())
      .then(() => process.exit(0));
  });
  process.stdout.write(`opened in ${openMs.toFixed(2)} ms\n`);
  await http.listen(Number(port), "127.0.0.1");
}

/** Its library is loaded with the store, so that the time to open counts it. */
async function openStore(name: EmbeddedStore, durability: Durability, path: string) {
  const options = { path, durability };
  let store: Store;
  if (name === "lmdb") {
    const { openLmdbStore } = await import("../../src/storage/lmdb/lmdb-store.ts");
    store = openLmdbStore(options);
  } else {
    const { openLevelStore } = await import("./level-store.ts");
    store = await openLevelStore(options);
  }
  return store;
}

/** What the server said about its start. */
export function openMsIn(output: string): number | undefined {
  const found = opened.exec(output)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** A server on the store in the folder; started again, it finds what it left there. */
export function storeTarget(name: EmbeddedStore, durability: Durability, folder: string): Target {
  const program = process.argv[1] as string;
  return {
    label: `${name} ${durability}`,
    ours: true,
    keeps: durability === "flush" ? "flushed to disk" : "handed to the operating system",
    command: process.execPath,
    args: (port) => [program, serverRole, name, durability, String(port), folder],
  };
}
