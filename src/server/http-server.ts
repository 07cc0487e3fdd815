import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import type { MaybePromise } from "../base/maybe-promise.ts";
import type { Answer } from "./answer.ts";
import { type ConnectionHost, LeanConnection } from "./lean-connection.ts";
import { defaultTimeouts, type Timeouts, uploadGraceMs } from "./limits.ts";
import { NodeHttpDoor } from "./node-http-door.ts";
import { Outbox } from "./outbox.ts";
import type { Protocol, WireRequest } from "./protocol.ts";

/**
 * The HTTP/1.1 side of the protocol. Connections begin on the lean path and are left to Node's HTTP
 * server when they turn out to need more of HTTP than that knows.
 */
export class HttpServer implements ConnectionHost {
  readonly outbox = new Outbox();
  readonly timeouts: Timeouts;
  readonly #protocol: Pick<Protocol, "respond">;
  readonly #node: NodeHttpDoor;
  readonly #lean = new Set<LeanConnection>();
  readonly #checking: NodeJS.Timeout;
  #closed: Promise<void> | undefined;

  constructor(protocol: Pick<Protocol, "respond">, timeouts: Timeouts = defaultTimeouts) {
    this.timeouts = timeouts;
    this.#protocol = protocol;
    this.#node = new NodeHttpDoor(protocol, timeouts, (socket) => this.#connected(socket));
    this.#checking = setInterval(() => this.#check(), timeouts.checkMs).unref();
  }

  get ending(): boolean {
    return this.#closed !== undefined;
  }

  /** Resolves to the port, which is a free one if 0 was asked for. */
  listen(port: number, host: string): Promise<number> {
    const { server } = this.#node;
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, () => {
        server.off("error", reject);
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  /** Takes no new requests and resolves when those that had arrived are answered. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #close(): Promise<void> {
    clearInterval(this.#checking);
    return new Promise((resolve) => {
      const grace = setTimeout(() => {
        this.#node.dropUploads();
        for (const connection of this.#lean) connection.drop();
      }, uploadGraceMs);
      const { server } = this.#node;
      // The close of an HTTP server also destroys sockets whose answer is still leaving.
      NetServer.prototype.close.call(server, () => {
        clearTimeout(grace);
        // Lets go of what only the HTTP server holds: its timer over the connections.
        server.close();
        resolve();
      });
      this.outbox.flush();
      this.#node.finish();
      for (const connection of this.#lean) connection.finish();
    });
  }

  respond(request: WireRequest): MaybePromise<Answer> {
    return this.#protocol.respond(request);
  }

  handOver(connection: LeanConnection, bytes: Buffer): void {
    this.outbox.flush();
    connection.release();
    this.#lean.delete(connection);
    this.#node.take(connection.socket, bytes);
  }

  closed(connection: LeanConnection): void {
    this.#lean.delete(connection);
  }

  #connected(socket: Socket): void {
    this.#lean.add(new LeanConnection(socket, this));
  }

  #check(): void {
    const now = Date.now();
    for (const connection of this.#lean) connection.check(now);
  }
}
