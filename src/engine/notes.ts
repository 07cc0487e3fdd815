import type { Bytes, Store } from "../storage/store.ts";
import { metaKey } from "./layout.ts";

const notesMax = 100_000;

/** Small texts by name that are kept with the data, for whoever has something to remember. */
export class Notes {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async read(name: string): Promise<string | undefined> {
    const [bytes] = await this.#store.get([noteKey(name)]);
    return bytes === undefined ? undefined : textOf(bytes);
  }

  /** No text: the note is thrown away. */
  async write(name: string, text: string | undefined): Promise<void> {
    const key = noteKey(name);
    await this.#store.commit([key], () => ({
      writes: [
        text === undefined
          ? { kind: "delete", key }
          : { kind: "put", key, value: Buffer.from(text) },
      ],
      result: undefined,
    }));
  }

  /** The names that begin so, in order. */
  async names(prefix: string): Promise<readonly string[]> {
    // No UTF-8 text holds this byte.
    const end = Buffer.concat([noteKey(prefix), Buffer.from([0xff])]);
    const page = await this.#store.scan(
      { start: noteKey(prefix), end },
      { limit: notesMax, bytesMax: Number.MAX_SAFE_INTEGER },
    );
    return page.entries.map(({ key }) => textOf(key).slice(noteNameAt));
  }
}

const notePrefix = "note/";
const noteNameAt = notePrefix.length + 1;

const noteKey = (name: string): Bytes => metaKey(`${notePrefix}${name}`);

function textOf(bytes: Bytes): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
