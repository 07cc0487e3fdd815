import { createHash } from "node:crypto";
import type { ExportFormat } from "../formats/export-lines.ts";
import type { ObjectStore, ObjectWriter } from "./object-store.ts";

/** What manifest-files.json says of a file. */
export interface DataFile {
  readonly itemCount: number;
  readonly md5Checksum: string;
  readonly etag: string;
  readonly dataFileS3Key: string;
}

const flushBytes = 256 * 1024;

/** A file of exported items: lines, compressed. */
class ItemFile {
  readonly key: string;
  readonly #writer: ObjectWriter;
  #lines: Uint8Array[] = [];
  #bytes = 0;
  #items = 0;

  constructor(key: string, writer: ObjectWriter) {
    this.key = key;
    this.#writer = writer;
  }

  add(line: Uint8Array): boolean {
    this.#lines.push(line);
    this.#bytes += line.length;
    this.#items += 1;
    return this.#bytes >= flushBytes;
  }

  async flush(): Promise<void> {
    const lines = Buffer.concat(this.#lines);
    this.#lines = [];
    this.#bytes = 0;
    if (lines.length > 0) await this.#writer.write(lines);
  }

  async finish(): Promise<DataFile> {
    await this.flush();
    const { md5 } = await this.#writer.finish();
    const digest = Buffer.from(md5);
    return {
      itemCount: this.#items,
      md5Checksum: digest.toString("base64"),
      etag: `${digest.toString("hex")}-1`,
      dataFileS3Key: this.key,
    };
  }

  abandon(): Promise<void> {
    return this.#writer.abandon();
  }
}

/** The files of an export, each with the items of a part of the hashes, as the service has one for each partition. */
export class ItemFiles {
  readonly #files: readonly ItemFile[];

  private constructor(files: readonly ItemFile[]) {
    this.#files = files;
  }

  /** The names are those of an earlier attempt, whose files are replaced. */
  static async open(
    objects: ObjectStore,
    bucket: string,
    folder: string,
    id: string,
    format: ExportFormat,
    count: number,
  ): Promise<ItemFiles> {
    const files: ItemFile[] = [];
    for (let place = 0; place < count; place += 1) {
      const extension = format === "ION" ? "ion" : "json";
      const key = `${folder}/${fileName(id, place)}.${extension}.gz`;
      files.push(new ItemFile(key, await objects.write(bucket, key, "GZIP")));
    }
    return new ItemFiles(files);
  }

  /** `hashByte` is the first of the hash of the item's partition key. */
  async add(hashByte: number, line: Uint8Array): Promise<void> {
    const file = this.#files[Math.floor((hashByte * this.#files.length) / 256)] as ItemFile;
    if (file.add(line)) await file.flush();
  }

  async finish(): Promise<readonly DataFile[]> {
    const made: DataFile[] = [];
    for (const file of this.#files) made.push(await file.finish());
    return made;
  }

  async abandon(): Promise<void> {
    await Promise.allSettled(this.#files.map((file) => file.abandon()));
  }
}

const letters = "abcdefghijklmnopqrstuvwxyz234567";

/** 26 letters and digits, as the service's files are called. */
function fileName(id: string, place: number): string {
  const hash = createHash("sha256").update(`${id}/${place}`).digest();
  return Array.from(hash.subarray(0, 26), (byte) => letters[byte % letters.length]).join("");
}
