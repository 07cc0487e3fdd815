import { createServer, IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Answer, noBody } from "./answer.ts";
import { bodyBytesMax, discardedBytesMax, headerBytesMax, type Timeouts } from "./limits.ts";
import type { Protocol, WireRequest } from "./protocol.ts";
import { badRequest, headersTooLarge, requestTimeout } from "./refusals.ts";

const joinedBodyBytesMax = 64 * 1024;

/** A request that gathers its own body, so that reading one needs no closures. */
class GatheredMessage extends IncomingMessage {
  door: NodeHttpDoor | undefined;
  response: ServerResponse | undefined;
  chunks: Buffer[] = [];
  size = 0;
}

/** Node's HTTP server with the limits, timeouts and the orderly end that are ours. */
export class NodeHttpDoor {
  readonly server: Server<typeof GatheredMessage, typeof ServerResponse>;
  readonly #protocol: Pick<Protocol, "respond">;
  /** What Node does with a connection. */
  readonly #serve: (socket: Socket) => void;
  /** Every open socket with the number of its requests that are not answered yet. */
  readonly #unanswered = new Map<Socket, number>();
  readonly #receiving = new Set<GatheredMessage>();
  /** What to say to sockets that sent something malformed, once they have their answers. */
  readonly #refusals = new Map<Socket, string>();
  #ending = false;

  /** `connected` is told of each new connection; those that it wants served here it hands to `take`. */
  constructor(
    protocol: Pick<Protocol, "respond">,
    timeouts: Timeouts,
    connected: (socket: Socket) => void,
  ) {
    this.#protocol = protocol;
    this.server = createServer({
      IncomingMessage: GatheredMessage,
      maxHeaderSize: headerBytesMax,
      keepAliveTimeout: timeouts.keepAliveMs,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkMs,
    });
    this.server.timeout = timeouts.silenceMs;
    const [serve] = this.server.listeners("connection");
    this.#serve = (socket) => serve?.call(this.server, socket);
    this.server.removeAllListeners("connection");
    this.server.on("connection", connected);
    this.server.on("request", (request, response) => this.#accept(request, response));
    this.server.on("checkContinue", (request, response) => {
      if (Number(request.headers["content-length"]) > bodyBytesMax) refuseTooLarge(response);
      else {
        response.writeContinue();
        this.#accept(request, response);
      }
    });
    this.server.on("clientError", (error, socket) => this.#refuse(error, socket as Socket));
  }

  /** Serves a connection from here on; `bytes`, and maybe its end, have been read from it already. */
  take(socket: Socket, bytes: Buffer): void {
    this.#watch(socket);
    this.#serve(socket);
    socket.emit("data", bytes);
    if (socket.readableEnded) socket.emit("end");
  }

  /** Closes idle connections at once, the others when they are answered. */
  finish(): void {
    this.#ending = true;
    for (const [socket, unanswered] of this.#unanswered) {
      if (unanswered === 0) socket.destroy();
    }
  }

  /** Gives up on requests that are still arriving. */
  dropUploads(): void {
    for (const request of this.#receiving) request.socket.destroy();
  }

  #watch(socket: Socket): void {
    this.#unanswered.set(socket, 0);
    socket.once("close", () => {
      this.#unanswered.delete(socket);
      this.#refusals.delete(socket);
    });
  }

  /**
   * What is no HTTP at all gets a bare status line, as there is no request to answer. Requests that
   * came whole before it are answered first: they have been carried out, and are not what is refused.
   */
  #refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    if (!socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    if (this.#inWork(socket) === 0) socket.end(refusalOf(error));
    else this.#refusals.set(socket, refusalOf(error));
  }

  /** How many of a socket's requests have arrived whole and wait for their answer. */
  #inWork(socket: Socket): number {
    let count = this.#unanswered.get(socket) ?? 0;
    for (const request of this.#receiving) {
      if (request.socket === socket && !request.complete) count -= 1;
    }
    return count;
  }

  #accept(request: GatheredMessage, response: ServerResponse): void {
    request.door = this;
    request.response = response;
    this.#receiving.add(request);
    const { socket } = request;
    this.#unanswered.set(socket, (this.#unanswered.get(socket) ?? 0) + 1);
    request.on("data", gather);
    request.on("end", finishGathering);
    response.on("close", releaseSocket);
  }

  /** The whole body is there. */
  received(request: GatheredMessage, response: ServerResponse): void {
    this.#receiving.delete(request);
    if (request.size > bodyBytesMax) {
      refuseTooLarge(response);
      return;
    }
    const wire: WireRequest = {
      method: request.method ?? "",
      url: request.url ?? "/",
      headers: request.headers as WireRequest["headers"],
      body: bodyOf(request.chunks),
    };
    const answer = this.#protocol.respond(wire);
    if (!(answer instanceof Promise)) this.#send(response, answer);
    else {
      answer.then(
        (ready) => this.#send(response, ready),
        () => request.socket.destroy(),
      );
    }
  }

  /** The answer has left, or the client has. */
  released(request: GatheredMessage): void {
    this.#receiving.delete(request);
    const { socket } = request;
    const unanswered = this.#unanswered.get(socket);
    if (unanswered === undefined) return;
    this.#unanswered.set(socket, unanswered - 1);
    const refusal = this.#refusals.get(socket);
    if (refusal !== undefined && this.#inWork(socket) === 0) socket.end(refusal);
    if (this.#ending && unanswered === 1) socket.destroySoon();
  }

  #send(response: ServerResponse, answer: Answer): void {
    if (this.#ending) response.shouldKeepAlive = false;
    response.writeHead(answer.status, answer.headers);
    // As text the body leaves in one write together with the head.
    if (answer.body.length <= joinedBodyBytesMax)
      response.end(answer.body.toString("latin1"), "latin1");
    else response.end(answer.body);
  }
}

/** A body that is too large is read on and dropped: a client that is cut off sees no answer. */
function gather(this: GatheredMessage, chunk: Buffer): void {
  this.size += chunk.length;
  if (this.size <= bodyBytesMax) {
    this.chunks.push(chunk);
    return;
  }
  this.chunks = [];
  if (this.size > discardedBytesMax) this.socket.destroy();
}

function finishGathering(this: GatheredMessage): void {
  if (this.response !== undefined) this.door?.received(this, this.response);
}

function releaseSocket(this: ServerResponse): void {
  const request = this.req as GatheredMessage;
  request.door?.released(request);
}

function bodyOf(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  if (first === undefined) return noBody;
  return chunks.length === 1 ? first : Buffer.concat(chunks);
}

/** As the service answers: no body, no request id. */
function refuseTooLarge(response: ServerResponse): void {
  response.writeHead(413, [
    "Server",
    "Server",
    "Transfer-Encoding",
    "chunked",
    "Connection",
    "close",
  ]);
  response.end();
}

function refusalOf({ code }: NodeJS.ErrnoException): string {
  if (code === "HPE_HEADER_OVERFLOW") return headersTooLarge;
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? requestTimeout : badRequest;
}
