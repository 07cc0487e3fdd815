import { createHash } from "node:crypto";
import { constants, type Dirent } from "node:fs";
import {
  appendFile,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rm,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createGzip, type Gzip } from "node:zlib";
import type {
  Compression,
  ObjectStore,
  ObjectWriter,
  StoredObject,
  WrittenObject,
} from "../transfers/object-store.ts";
import { decompressed } from "./compression.ts";

const unfinished = ".keywright-unfinished";
const logFolder = ".logs/aws-dynamodb/imports";
const readBytes = 256 * 1024;

/** As the service demands it of a bucket's name; none of these leads anywhere else. */
const bucketName = /^[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]$/;

/**
 * A folder that stands for Amazon S3: its sub-folders are the buckets, the files in them the objects. Links are
 * not followed, so that no name leads out of it.
 */
export class FolderObjects implements ObjectStore {
  readonly #root: string;
  /** Instead of the sub-folders: the one bucket there is, which is the folder itself. */
  readonly #only: string | undefined;

  constructor(root: string, only?: string) {
    this.#root = root;
    this.#only = only;
  }

  #folderOf(bucket: string): string {
    return this.#only === undefined ? join(this.#root, bucket) : this.#root;
  }

  async hasBucket(bucket: string): Promise<boolean> {
    if (this.#only !== undefined && bucket !== this.#only) return false;
    return bucketName.test(bucket) && (await isFolder(this.#folderOf(bucket)));
  }

  refusal(key: string): string | undefined {
    const parts = key.split("/");
    if (parts.some((part) => part === "" || part === "." || part === "..")) {
      return "it has a part that is empty, '.' or '..'";
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    if (/[\\:\u0000-\u001f]/.test(key)) return "it has a backslash, a colon or a control character";
    return parts.some((part) => Buffer.byteLength(part) > 200) ? "a part is too long" : undefined;
  }

  async list(bucket: string, prefix: string): Promise<readonly StoredObject[]> {
    const found: StoredObject[] = [];
    await this.#walk(this.#folderOf(bucket), "", prefix, found);
    const exact = this.#only === undefined ? undefined : found.find(({ key }) => key === prefix);
    if (exact !== undefined) return [exact];
    return found.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  async #walk(folder: string, path: string, prefix: string, found: StoredObject[]): Promise<void> {
    const entries: Dirent[] = await readdir(folder, { withFileTypes: true });
    for (const entry of entries) {
      const key = path + entry.name;
      const file = join(folder, entry.name);
      if (entry.isDirectory()) {
        const below = `${key}/`;
        const shorter = Math.min(below.length, prefix.length);
        if (below.slice(0, shorter) === prefix.slice(0, shorter)) {
          await this.#walk(file, below, prefix, found);
        }
      } else if (entry.isFile() && key.startsWith(prefix) && !key.endsWith(unfinished)) {
        found.push({ key, bytes: (await lstat(file)).size });
      }
    }
  }

  read(bucket: string, key: string, compression: Compression): AsyncIterable<Uint8Array> {
    return decompressed(bytesOf(join(this.#folderOf(bucket), ...key.split("/"))), compression);
  }

  async write(bucket: string, key: string, compression: "NONE" | "GZIP"): Promise<ObjectWriter> {
    const refusal = this.refusal(key);
    if (refusal !== undefined) throw new Error(`An object cannot be called ${key}: ${refusal}.`);
    const file = join(this.#folderOf(bucket), ...key.split("/"));
    await this.#makeFolder(bucket, key.split("/").slice(0, -1));
    return FileWriter.open(file, compression);
  }

  /** Folder by folder, so that none of them is a link. */
  async #makeFolder(bucket: string, parts: readonly string[]): Promise<void> {
    let folder = this.#folderOf(bucket);
    if (!(await isFolder(folder))) throw new Error(`There is no bucket ${bucket}.`);
    for (const part of parts) {
      folder = join(folder, part);
      await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      });
      if (!(await isFolder(folder))) throw new Error(`${folder} is not a folder.`);
    }
  }

  async log(stream: string, lines: readonly string[]): Promise<void> {
    if (this.#only !== undefined) return this.#tell(lines);
    const file = join(this.#root, logFolder, `${stream}.log`);
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, lines.map((line) => `${line}\n`).join(""));
  }

  readonly #told: string[] = [];

  #tell(lines: readonly string[]): void {
    this.#told.push(...lines.slice(0, toldMax - this.#told.length));
  }

  /** The first lines of the logs of a bucket that is the folder itself. */
  get told(): readonly string[] {
    return this.#told;
  }
}

/** So many errors are told to whoever waits for the end; the others are counted. */
const toldMax = 20;

async function isFolder(path: string): Promise<boolean> {
  try {
    // A link to a folder is not one.
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    for (;;) {
      const buffer = Buffer.allocUnsafe(readBytes);
      const { bytesRead } = await handle.read(buffer, 0, readBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** A file that has its name when all of it is there. */
export class FileWriter implements ObjectWriter {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #gzip: Gzip | undefined;
  readonly #md5 = createHash("md5");
  #ready: Uint8Array[] = [];
  #bytes = 0;

  private constructor(file: string, handle: FileHandle, compression: "NONE" | "GZIP") {
    this.#file = file;
    this.#handle = handle;
    this.#gzip = compression === "GZIP" ? createGzip() : undefined;
    this.#gzip?.on("data", (piece: Uint8Array) => this.#ready.push(piece));
  }

  static async open(file: string, compression: "NONE" | "GZIP"): Promise<FileWriter> {
    const { O_CREAT, O_TRUNC, O_WRONLY, O_NOFOLLOW } = constants;
    const flags = O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW;
    return new FileWriter(file, await open(file + unfinished, flags), compression);
  }

  async write(text: string | Uint8Array): Promise<void> {
    const bytes = typeof text === "string" ? Buffer.from(text) : text;
    const gzip = this.#gzip;
    if (gzip === undefined) this.#ready.push(bytes);
    else {
      await new Promise<void>((done, failed) =>
        gzip.write(bytes, (error) => (error == null ? done() : failed(error))),
      );
    }
    await this.#store();
  }

  async #store(): Promise<void> {
    for (const piece of this.#ready.splice(0)) {
      this.#md5.update(piece);
      this.#bytes += piece.length;
      let at = 0;
      while (at < piece.length) at += (await this.#handle.write(piece, at)).bytesWritten;
    }
  }

  async finish(): Promise<WrittenObject> {
    const gzip = this.#gzip;
    if (gzip !== undefined) {
      await new Promise<void>((done, failed) => {
        gzip.once("end", done);
        gzip.once("error", failed);
        gzip.end();
      });
    }
    await this.#store();
    await this.#handle.sync();
    await this.#handle.close();
    await rename(this.#file + unfinished, this.#file);
    return { bytes: this.#bytes, md5: this.#md5.digest() };
  }

  async abandon(): Promise<void> {
    this.#gzip?.destroy();
    // What cannot be tidied up is not what this is about.
    await this.#handle.close().catch(() => {});
    await rm(join(dirname(this.#file), basename(this.#file) + unfinished), { force: true });
  }
}
