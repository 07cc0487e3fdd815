import { randomBytes } from "node:crypto";
import { Client, type ClientConfig } from "pg";
import { compareBytes } from "../bytes.ts";
import type { Bytes, KeyRange } from "../store.ts";
import type { WriteBatch } from "../write-batch.ts";
import { withRetries } from "./connections.ts";
import type { Statements } from "./statements.ts";

interface Watch {
  readonly range: KeyRange;
  readonly changed: (key: Bytes | undefined) => void;
}

const reconnectMs = 500;

/** Tells other processes which watched keys were written, and hears it from them. */
export class Watcher {
  readonly #config: ClientConfig;
  readonly #statements: Statements;
  readonly #channel: string;
  /** Tells our own notices apart. */
  readonly #sender = randomBytes(9).toString("base64");
  readonly #watches: Watch[] = [];
  #client: Client | undefined;
  #listening: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(config: ClientConfig, statements: Statements, lockSeed: number) {
    this.#config = config;
    this.#statements = statements;
    this.#channel = `keywright_${(lockSeed >>> 0).toString(16)}`;
  }

  /** Hears from now on what changes. */
  watch(range: KeyRange, changed: Watch["changed"]): Promise<void> {
    this.#watches.push({ range, changed });
    this.#listening ??= withRetries(() => this.#listen());
    return this.#listening;
  }

  /** Sent in the transaction that writes the keys, they arrive after it has become visible. */
  noticesOf({ keys }: WriteBatch): ReturnType<Statements["notify"]>[] {
    const notices: ReturnType<Statements["notify"]>[] = [];
    if (this.#watches.length === 0) return notices;
    for (const { key } of keys.values()) {
      if (!this.#watches.some(({ range }) => isWithin(key, range))) continue;
      const payload = `${this.#sender} ${Buffer.from(key).toString("base64")}`;
      notices.push(this.#statements.notify(this.#channel, payload));
    }
    return notices;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  /** One attempt. A connection that listens is replaced when it ends; one that does not is closed. */
  async #listen(): Promise<void> {
    const client = new Client(this.#config);
    this.#client = client;
    let isListening = false;
    let hasEnded = false;
    client.on("notification", ({ payload = "" }) => this.#hear(payload));
    // A connection that breaks also ends.
    client.on("error", () => {});
    client.on("end", () => {
      hasEnded = true;
      if (isListening) this.#listenLater();
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${this.#channel}`);
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    isListening = true;
    if (hasEnded) this.#listenLater();
  }

  /** What was said while nobody listened is lost, so everything may have changed. */
  #listenLater(): void {
    if (this.#closed) return;
    this.#retry = setTimeout(() => {
      this.#listen().then(
        () => {
          for (const { changed } of this.#watches) changed(undefined);
        },
        () => this.#listenLater(),
      );
    }, reconnectMs);
    this.#retry.unref();
  }

  #hear(payload: string): void {
    const [sender, text = ""] = payload.split(" ");
    if (sender === this.#sender) return;
    const key = Buffer.from(text, "base64");
    for (const { range, changed } of this.#watches) if (isWithin(key, range)) changed(key);
  }
}

function isWithin(key: Bytes, { start, end }: KeyRange): boolean {
  return compareBytes(key, start) >= 0 && compareBytes(key, end) < 0;
}
