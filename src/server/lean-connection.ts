import type { Socket } from "node:net";
import type { MaybePromise } from "../base/maybe-promise.ts";
import { type Answer, answerBytes } from "./answer.ts";
import { bodyBytesMax, type Timeouts } from "./limits.ts";
import type { Outbox, Writer } from "./outbox.ts";
import type { WireRequest } from "./protocol.ts";
import { badRequest, requestTimeout } from "./refusals.ts";
import { parseHead, type RequestHead } from "./request-head.ts";

/** What a connection needs of the server it belongs to. */
export interface ConnectionHost {
  readonly outbox: Outbox;
  readonly timeouts: Timeouts;
  /** The server is ending: the answer that is given now is the connection's last. */
  readonly ending: boolean;
  respond(request: WireRequest): MaybePromise<Answer>;
  /** Leaves the connection to Node's HTTP server, beginning with these bytes. */
  handOver(connection: LeanConnection, bytes: Buffer): void;
  closed(connection: LeanConnection): void;
}

/** While a request is being answered, so much of what follows it is taken in before the socket waits. */
const heldBytesMax = 64 * 1024;

/**
 * A connection of a client that talks plain HTTP/1.1: one POST with a length after the other. Node's
 * HTTP server costs three times as much for each of them. A connection stays here as long as its
 * requests are of that kind; with the first other one it is handed over for good.
 */
export class LeanConnection implements Writer {
  readonly socket: Socket;
  readonly #host: ConnectionHost;
  /** A request is being answered. */
  #busy = false;
  /** The request whose body is still arriving, with what there is of it. */
  #head: RequestHead | undefined;
  #chunks: Buffer[] = [];
  #missing = 0;
  /** What came after the request that is being answered. */
  #held: Buffer | undefined;
  /** The client will send no more. */
  #ended = false;
  #answered = false;
  /** When it was opened, began its body, or was last answered. */
  #since = Date.now();

  readonly #onData = (chunk: Buffer): void => this.#receive(chunk);
  readonly #onEnd = (): void => this.#end();
  readonly #onDrain = (): void => this.#drained();
  readonly #onTimeout = (): void => {
    this.socket.destroy();
  };
  readonly #onClose = (): void => this.#host.closed(this);

  constructor(socket: Socket, host: ConnectionHost) {
    this.socket = socket;
    this.#host = host;
    socket.on("data", this.#onData);
    socket.on("end", this.#onEnd);
    socket.on("drain", this.#onDrain);
    socket.on("timeout", this.#onTimeout);
    socket.on("close", this.#onClose);
    socket.on("error", ignore);
  }

  /** Lets go of the socket without closing it. */
  release(): void {
    const { socket } = this;
    socket.off("data", this.#onData);
    socket.off("end", this.#onEnd);
    socket.off("drain", this.#onDrain);
    socket.off("timeout", this.#onTimeout);
    socket.off("close", this.#onClose);
    socket.off("error", ignore);
  }

  /** The server is ending: an idle connection is closed, one that is being answered later on. */
  finish(): void {
    if (!this.#busy && this.#head === undefined) this.socket.destroySoon();
  }

  /** Gives up on a request that is still arriving. */
  drop(): void {
    if (this.#head !== undefined) this.socket.destroy();
  }

  /** Closes it if its client takes too long. */
  check(now: number): void {
    if (this.#busy || this.socket.writableNeedDrain) return;
    const { keepAliveMs, headersMs, requestMs, silenceMs } = this.#host.timeouts;
    const waited = now - this.#since;
    if (this.socket.writableLength > 0) {
      if (waited >= silenceMs) this.socket.destroy();
    } else if (this.#head !== undefined) {
      if (waited >= requestMs) this.socket.end(requestTimeout);
    } else if (this.#answered) {
      if (waited >= keepAliveMs) this.socket.destroySoon();
    } else if (waited >= headersMs) {
      this.socket.end(requestTimeout);
    }
  }

  #receive(chunk: Buffer): void {
    // What waits already comes first, and a client that does not read is not worked for.
    if (this.#busy || this.#held !== undefined || this.socket.writableNeedDrain) {
      this.#hold(chunk);
    } else if (this.#head === undefined) {
      this.#begin(chunk);
    } else {
      this.#chunks.push(chunk);
      this.#missing -= chunk.length;
      if (this.#missing <= 0) this.#complete(this.#head, Buffer.concat(this.#chunks), 0);
    }
  }

  #hold(chunk: Buffer): void {
    this.#held = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk]);
    if (this.#held.length > heldBytesMax) this.socket.pause();
  }

  /** The bytes are the start of a request. */
  #begin(bytes: Buffer): void {
    const head = parseHead(bytes, 0);
    if (head === undefined || head.bodyLength > bodyBytesMax) {
      this.#host.handOver(this, bytes);
      return;
    }
    const { bodyStart, bodyLength } = head;
    if (bytes.length >= bodyStart + bodyLength) {
      this.#complete(head, bytes, bodyStart);
      return;
    }
    this.#head = head;
    this.#since = Date.now();
    this.#chunks.push(bytes.subarray(bodyStart));
    this.#missing = bodyStart + bodyLength - bytes.length;
    if (this.#ended) this.#end();
  }

  /** All of a request is there: its body begins at `from`. */
  #complete(head: RequestHead, bytes: Buffer, from: number): void {
    const end = from + head.bodyLength;
    if (this.#head !== undefined) {
      this.#head = undefined;
      this.#chunks = [];
    }
    if (bytes.length > end) this.#hold(bytes.subarray(end));
    this.#busy = true;
    this.#host.outbox.expect();
    const { url, headers } = head;
    const body = bytes.subarray(from, end);
    const answer = this.#host.respond({ method: "POST", url, headers, body });
    if (answer instanceof Promise) {
      answer.then(
        (ready) => this.#send(ready),
        () => this.socket.destroy(),
      );
    } else {
      this.#send(answer);
    }
  }

  #send(answer: Answer): void {
    const { outbox, timeouts, ending } = this.#host;
    const last = ending || (this.#ended && this.#held === undefined);
    // After its last answer a connection stays busy: whatever else may come is not looked at.
    this.#busy = last;
    this.#answered = true;
    this.#since = Date.now();
    outbox.send(this, answerBytes(answer, last ? undefined : timeouts.keepAliveMs));
  }

  /** Text is taken as one byte a character. */
  write(answer: string | Buffer): void {
    const { socket } = this;
    socket.write(answer, "latin1");
    if (this.#busy) {
      socket.destroySoon();
    } else if (socket.writableNeedDrain) {
      // The client is slow to read. Until it has caught up, nothing else is done for it.
      socket.setTimeout(this.#host.timeouts.silenceMs);
    } else if (this.#held !== undefined) {
      this.#continueSoon();
    }
  }

  #drained(): void {
    this.socket.setTimeout(0);
    this.#since = Date.now();
    if (this.#held !== undefined) this.#continueSoon();
  }

  /** Not at once: a long row of requests in one piece would otherwise nest as deep as it is long. */
  #continueSoon(): void {
    setImmediate(() => {
      const held = this.#held;
      if (held === undefined || this.#busy || this.socket.destroyed) return;
      this.#held = undefined;
      this.socket.resume();
      this.#begin(held);
    });
  }

  #end(): void {
    this.#ended = true;
    if (this.#busy || this.#held !== undefined) return;
    this.#host.outbox.flush();
    if (this.#head !== undefined) this.socket.end(badRequest);
    else this.socket.destroySoon();
  }
}

function ignore(): void {}
