import { closeSync, existsSync, mkdirSync, openSync, readSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Database, RootDatabase, RootDatabaseOptionsWithPath } from "lmdb";
import { StoreFormatError, StoreLockedError } from "../errors.ts";
import type { Bytes, Durability } from "../store.ts";
import { loadLibrary } from "./library.ts";
import { identityOf, isRunning, type ProcessIdentity } from "./process-identity.ts";

const { open } = loadLibrary();

export const lmdbFormat = "keywright-lmdb-1";

const formatKey = Buffer.from("format");
const writerKey = Buffer.from("writer");
/** Near the start of every LMDB file, in the order of bytes of this machine, as is all that follows. */
const lmdbMagic = Buffer.from(new Uint32Array([0xbeefc0de]).buffer);
const binary = { encoding: "binary", keyEncoding: "binary" } as const;

/** Folders that this process has open for writing. */
const writing = new Set<string>();

export interface FolderOptions {
  readonly path: string;
  readonly durability: Durability;
  readonly readOnly: boolean;
}

export interface LmdbFolder {
  /** How it was opened, for a second thread that does the same. */
  readonly options: RootDatabaseOptionsWithPath;
  /** The one that is mapped. */
  readonly file: string;
  readonly entries: Database<Bytes, Bytes>;
  readonly totals: Database<Bytes, Bytes>;
  /** What the store knows of itself. */
  readonly meta: Database<Bytes, Bytes>;
  close(): Promise<void>;
}

/**
 * Opens a data folder, and for writing claims it. The claim is a record in the database itself,
 * checked and set inside one write transaction: LMDB's write lock makes that atomic between
 * processes and is freed by the system if its holder dies. A claim whose process no longer runs is
 * void. A process in another container cannot be looked up, so its claim is void too: a data folder
 * must not be shared by containers that run at the same time.
 */
export function openFolder({ path, durability, readOnly }: FolderOptions): LmdbFolder {
  if (readOnly && !existsSync(join(path, "data.mdb"))) {
    throw new StoreFormatError(path, "none (there is no data)", lmdbFormat);
  }
  if (!readOnly) mkdirSync(path, { recursive: true, mode: 0o700 });
  const folder = realpathSync(path);
  if (!readOnly && writing.has(folder)) throw new StoreLockedError(folder, process.pid);

  checkMagic(folder);
  if (!readOnly) makePrivate(folder);
  const options = rootOptions(folder, durability, readOnly);
  const root = open<Bytes, Bytes>(options);
  try {
    const { meta, entries, totals } = readOnly
      ? openThree(folder, root, readOnly)
      : // In one transaction, so that a new folder is whole or empty, and is flushed once and not four times.
        root.transactionSync(() => openThree(folder, root, readOnly));
    if (!readOnly) writing.add(folder);
    const close = async () => {
      if (!readOnly) meta.removeSync(writerKey);
      await root.close();
      if (!readOnly) writing.delete(folder);
    };
    return { options, file: join(folder, "data.mdb"), entries, totals, meta, close };
  } catch (error) {
    void root.close();
    throw error;
  }
}

function openThree(folder: string, root: RootDatabase<Bytes, Bytes>, readOnly: boolean) {
  const meta = openNamed(root, "meta");
  if (readOnly) checkFormat(folder, meta?.getBinary(formatKey));
  else if (meta !== undefined) claim(folder, root, meta);
  const entries = openNamed(root, "entries");
  const totals = openNamed(root, "totals");
  if (meta === undefined || entries === undefined || totals === undefined) {
    throw new StoreFormatError(folder, "incomplete", lmdbFormat);
  }
  return { meta, entries, totals };
}

function rootOptions(
  path: string,
  durability: Durability,
  readOnly: boolean,
): RootDatabaseOptionsWithPath & Record<string, unknown> {
  return {
    ...binary,
    path,
    readOnly,
    noSubdir: false,
    maxDbs: 4,
    // Grows by itself; beginning large spares the first remappings.
    mapSize: 64 * 1024 * 1024,
    // A commit resolves when it is on disk, and the file never relies on an unflushed page. Flushing
    // after the commit (`overlappingSync`) was not measurably faster at 1 or at 32 clients.
    overlappingSync: false,
    // What is not in memory is read page by page. Reading ahead made a random read of a large file on
    // disk take 3.3 ms instead of 0.4, in which the process can do nothing else, and 50,000 items in
    // order 0.9 s instead of 1.6.
    noReadAhead: true,
    noSync: durability === "relaxed",
  };
}

/** The library would make its files readable for everybody; an empty one that is there it takes as new. */
function makePrivate(folder: string): void {
  for (const name of ["data.mdb", "lock.mdb"]) {
    closeSync(openSync(join(folder, name), "a", 0o600));
  }
}

/** lmdb-js crashes the process on a file that is no LMDB database, so look before opening it. */
function checkMagic(folder: string): void {
  const file = join(folder, "data.mdb");
  if (!existsSync(file)) return;
  const head = Buffer.alloc(64);
  const descriptor = openSync(file, "r");
  try {
    const length = readSync(descriptor, head, 0, head.length, 0);
    if (length === 0) return;
  } finally {
    closeSync(descriptor);
  }
  if (!head.includes(lmdbMagic)) throw new StoreFormatError(folder, "unknown", lmdbFormat);
}

function openNamed(
  root: RootDatabase<Bytes, Bytes>,
  name: string,
): Database<Bytes, Bytes> | undefined {
  // Undefined only if opened for reading and never created; the type does not say so.
  return root.openDB<Bytes, Bytes>(name, binary) as Database<Bytes, Bytes> | undefined;
}

/** Runs inside a write transaction, which is undone if it throws. */
function claim(
  folder: string,
  root: RootDatabase<Bytes, Bytes>,
  meta: Database<Bytes, Bytes>,
): void {
  const found = meta.getBinary(formatKey);
  if (found !== undefined) {
    checkFormat(folder, found);
  } else {
    // The root database lists the named ones: more than `meta` means that it is not fresh.
    if (root.getKeysCount({ start: Buffer.from([0]) }) > 1) checkFormat(folder, undefined);
    meta.putSync(formatKey, Buffer.from(lmdbFormat));
  }
  const holder = meta.getBinary(writerKey);
  if (holder !== undefined) {
    const identity = JSON.parse(holder.toString()) as ProcessIdentity;
    if (isRunning(identity)) throw new StoreLockedError(folder, identity.pid);
  }
  meta.putSync(writerKey, Buffer.from(JSON.stringify(identityOf(process.pid))));
}

function checkFormat(folder: string, found: Uint8Array | undefined): void {
  const name = found === undefined ? "unknown" : Buffer.from(found).toString();
  if (name !== lmdbFormat) throw new StoreFormatError(folder, name, lmdbFormat);
}
