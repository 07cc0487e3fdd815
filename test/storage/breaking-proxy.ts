import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * What becomes of a packet from the client: passed on, lost with the connection, passed on but not
 * answered, or lost when all connections are reset (ECONNRESET), as if the server had been killed.
 */
export type Fate = "pass" | "lose" | "lose answer" | "reset all";

/** Stands between a store and its server and breaks connections on demand. */
export class BreakingProxy {
  /** Asked for every packet that a client sends. */
  fateOf: (packet: Buffer) => Fate = () => "pass";
  refusing = false;
  /** How many connections were refused so far. */
  refused = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(target: URL) {
    this.#server = createServer((client) => this.#join(client, target));
  }

  /** Answers the proxy, and the URL to use instead of the server's. */
  static async start(url: string): Promise<{ proxy: BreakingProxy; url: string }> {
    const target = new URL(url);
    const proxy = new BreakingProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    const address = proxy.#server.address();
    const own = new URL(url);
    own.port = String(typeof address === "object" ? address?.port : 0);
    return { proxy, url: own.href };
  }

  breakAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** The clients get ECONNRESET, not an orderly end. */
  resetAll(): void {
    for (const socket of [...this.#sockets]) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    this.breakAll();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket, target: URL): void {
    if (this.refusing) {
      this.refused += 1;
      client.destroy();
      return;
    }
    const server = connect(Number(target.port), target.hostname);
    let answering = true;
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    client.on("data", (packet) => {
      const fate = this.fateOf(packet);
      if (fate === "lose") client.destroy();
      else if (fate === "reset all") this.resetAll();
      else server.write(packet);
      if (fate === "lose answer") answering = false;
    });
    server.on("data", (packet) => {
      if (answering) client.write(packet);
      else client.destroy();
    });
  }
}
