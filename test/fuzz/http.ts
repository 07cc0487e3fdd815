import { connect, type Socket } from "node:net";

/** One answer as it came over the wire; header names are lower-case. */
export interface Reply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Reads the answers out of the bytes of a connection. Throws on what is no HTTP/1.1. */
export class ReplyReader {
  readonly replies: Reply[] = [];
  #rest: Buffer = Buffer.alloc(0);
  readonly #bodiless: boolean;

  /** `bodiless`: the answers to HEAD tell a length and have no body. */
  constructor(bodiless: boolean) {
    this.#bodiless = bodiless;
  }

  /** Bytes that belong to no whole answer yet. */
  get pending(): number {
    return this.#rest.length;
  }

  add(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (this.#one()) {}
  }

  #one(): boolean {
    const end = this.#rest.indexOf("\r\n\r\n");
    if (end === -1) return false;
    const [line = "", ...lines] = this.#rest.subarray(0, end).toString("latin1").split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1] ?? Number.NaN);
    if (Number.isNaN(status)) throw new Error(`no status line: ${line.slice(0, 80)}`);
    const headers = new Map<string, string>();
    for (const header of lines) {
      const colon = header.indexOf(":");
      const name = header.slice(0, colon).toLowerCase();
      if (colon < 1 || headers.has(name)) throw new Error(`bad header: ${header.slice(0, 80)}`);
      headers.set(name, header.slice(colon + 1).trim());
    }
    const body = this.#body(headers, end + 4, status);
    if (body === undefined) return false;
    this.#rest = this.#rest.subarray(body.end);
    // An interim answer announces the real one.
    if (status >= 200) this.replies.push({ status, headers, body: body.bytes });
    return true;
  }

  #body(
    headers: ReadonlyMap<string, string>,
    start: number,
    status: number,
  ): { bytes: Buffer; end: number } | undefined {
    if (this.#bodiless || status < 200) return { bytes: Buffer.alloc(0), end: start };
    if (headers.get("transfer-encoding") === "chunked") return this.#chunks(start);
    const length = Number(headers.get("content-length") ?? 0);
    const end = start + length;
    if (this.#rest.length < end) return undefined;
    return { bytes: this.#rest.subarray(start, end), end };
  }

  #chunks(start: number): { bytes: Buffer; end: number } | undefined {
    const chunks: Buffer[] = [];
    let at = start;
    for (;;) {
      const line = this.#rest.indexOf("\r\n", at);
      if (line === -1) return undefined;
      const size = Number.parseInt(this.#rest.subarray(at, line).toString("latin1"), 16);
      if (Number.isNaN(size)) throw new Error("bad chunk");
      const end = line + 2 + size + 2;
      if (this.#rest.length < end) return undefined;
      chunks.push(this.#rest.subarray(line + 2, end - 2));
      at = end;
      if (size === 0) return { bytes: Buffer.concat(chunks), end: at };
    }
  }
}

/** What is written to a socket, and what is then waited for. */
export interface Sending {
  /** Written one after another, so many milliseconds apart. */
  readonly pieces: readonly Buffer[];
  readonly pauseMs?: number;
  /** How many answers are due; undefined: any number, until the server closes or falls silent. */
  readonly due?: number;
  /** After the last byte: wait (default), end the writing side, or drop the connection. */
  readonly ending?: "wait" | "half" | "drop";
  readonly bodiless?: boolean;
  /** On a connection of its own. */
  readonly fresh?: boolean;
}

export interface Exchange {
  readonly replies: readonly Reply[];
  readonly ms: number;
  /** The server closed the connection. */
  readonly closed: boolean;
  /** What was wrong on the way: a timeout, bytes that are no HTTP. */
  readonly trouble?: string;
}

const silenceMs = 40;

/** A client of few scruples: it writes any bytes and keeps a connection as long as the server does. */
export class Client {
  readonly #port: number;
  readonly #timeoutMs: number;
  #kept: Socket | undefined;

  constructor(port: number, timeoutMs: number) {
    this.#port = port;
    this.#timeoutMs = timeoutMs;
  }

  async send(sending: Sending): Promise<Exchange> {
    const reusable = sending.fresh !== true;
    const exchange = await this.#exchange(sending, reusable ? this.#kept : undefined, reusable);
    // A kept connection may have been closed in the moment it was used again.
    const stale = exchange.closed && exchange.replies.length === 0 && exchange.ms < 1_000;
    if (reusable && stale && sending.due !== undefined) {
      return this.#exchange(sending, undefined, reusable);
    }
    return exchange;
  }

  close(): void {
    this.#kept?.destroy();
  }

  async #exchange(
    sending: Sending,
    kept: Socket | undefined,
    reusable: boolean,
  ): Promise<Exchange> {
    const started = performance.now();
    const usable = kept !== undefined && !kept.destroyed && kept.writable;
    const socket = usable ? kept : connect({ port: this.#port, host: "127.0.0.1", noDelay: true });
    if (reusable) this.#kept = socket;
    const reader = new ReplyReader(sending.bodiless === true);
    const result = await this.#converse(socket, sending, reader);
    socket.removeAllListeners("data").removeAllListeners("close").removeAllListeners("error");
    socket.on("error", () => {});
    const whole = result.trouble === undefined && !result.closed && reader.pending === 0;
    if (!reusable || !whole || reader.replies.at(-1)?.headers.get("connection") === "close") {
      socket.destroy();
      if (reusable) this.#kept = undefined;
    }
    const cut = reader.pending > 0 && result.closed && sending.ending !== "drop";
    const trouble = result.trouble ?? (cut ? "half an answer" : undefined);
    return {
      replies: reader.replies,
      ms: performance.now() - started,
      closed: result.closed,
      ...(trouble === undefined ? {} : { trouble }),
    };
  }

  #converse(
    socket: Socket,
    sending: Sending,
    reader: ReplyReader,
  ): Promise<{ closed: boolean; trouble?: string }> {
    const { due, ending = "wait" } = sending;
    return new Promise((resolve) => {
      let written = false;
      let silence: NodeJS.Timeout | undefined;
      const finish = (closed: boolean, trouble?: string): void => {
        clearTimeout(timer);
        clearTimeout(silence);
        resolve({ closed, ...(trouble === undefined ? {} : { trouble }) });
      };
      const timer = setTimeout(() => finish(false, "no answer in time"), this.#timeoutMs);
      const settle = (): void => {
        if (due !== undefined) {
          if (reader.replies.length >= due) finish(false);
        } else if (written) {
          clearTimeout(silence);
          silence = setTimeout(() => finish(false), silenceMs);
        }
      };
      socket.on("data", (chunk: Buffer) => {
        try {
          reader.add(chunk);
        } catch (error) {
          finish(false, (error as Error).message);
          return;
        }
        settle();
      });
      socket.on("error", () => {});
      socket.on("close", () => finish(true));
      void write(socket, sending).then(() => {
        written = true;
        if (ending === "drop") {
          socket.destroy();
          finish(true);
          return;
        }
        if (ending === "half") socket.end();
        settle();
      });
    });
  }
}

async function write(socket: Socket, { pieces, pauseMs }: Sending): Promise<void> {
  for (const [at, piece] of pieces.entries()) {
    if (socket.destroyed || !socket.writable) return;
    if (at > 0) await new Promise((next) => setTimeout(next, pauseMs ?? 0));
    socket.write(piece);
  }
}
