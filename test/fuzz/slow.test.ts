import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answer } from "../../src/server/answer.ts";
import { HttpServer } from "../../src/server/http-server.ts";
import { requestId } from "../../src/server/request-id.ts";
import { headersOf, requestBytes } from "./cases.ts";

/** Short enough to be waited for; in what they bound they are the server's own. */
const timeouts = {
  keepAliveMs: 150,
  headersMs: 300,
  requestMs: 600,
  silenceMs: 900,
  checkMs: 50,
};

/** More than the buffers between two sockets of one machine hold. */
const large = Buffer.alloc(24 * 1024 * 1024, "x");

let server: HttpServer;
let port: number;
beforeAll(async () => {
  server = new HttpServer(
    {
      respond: ({ url }) => answer(200, requestId(), url === "/large" ? large : Buffer.from("{}")),
    },
    timeouts,
  );
  port = await server.listen(0, "127.0.0.1");
});
afterAll(() => server.close());

const whole = requestBytes(headersOf("Scan"), Buffer.from('{"TableName":"a slow one"}'));
const bodyStart = whole.indexOf("\r\n\r\n") + 4;

interface Ending {
  readonly text: string;
  readonly ms: number;
}

/** What a connection gets to see until the server closes it. */
function untilClosed(use: (socket: Socket) => void): Promise<Ending> {
  const started = performance.now();
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => use(socket));
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve({ text, ms: performance.now() - started }));
  });
}

/** One byte at a time, for ever. */
function drip(socket: Socket, from: number): void {
  let at = from;
  const timer = setInterval(() => {
    if (!socket.writable || at >= whole.length - 1) return;
    socket.write(whole.subarray(at, at + 1));
    at += 1;
  }, 40);
  socket.on("close", () => clearInterval(timer));
}

const slowEnough = 5_000;

test("headers that drip in are cut off with a 408", async () => {
  const { text, ms } = await untilClosed((socket) => drip(socket, 0));
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
  expect(ms).toBeGreaterThan(timeouts.headersMs - 50);
  expect(ms).toBeLessThan(slowEnough);
});

test("a body that drips in is cut off with a 408", async () => {
  const { text, ms } = await untilClosed((socket) => {
    socket.write(whole.subarray(0, bodyStart));
    drip(socket, bodyStart);
  });
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
  expect(ms).toBeGreaterThan(timeouts.requestMs - 50);
  expect(ms).toBeLessThan(slowEnough);
});

test("a connection that says nothing is closed", async () => {
  const { ms } = await untilClosed(() => {});
  expect(ms).toBeLessThan(slowEnough);
});

test("a connection that has been answered and says nothing more is closed", async () => {
  const { text, ms } = await untilClosed((socket) => socket.write(whole));
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(ms).toBeLessThan(slowEnough);
});

test("a client that does not read its answer is let go", async () => {
  const { text, ms } = await untilClosed((socket) => {
    socket.pause();
    socket.write(requestBytes(headersOf("Scan"), Buffer.from("{}"), { path: "/large" }));
    setTimeout(() => socket.resume(), 4 * timeouts.silenceMs);
  });
  expect(text.length).toBeLessThan(large.length);
  expect(ms).toBeLessThan(2 * slowEnough);
});

test("a client that reads slowly gets its answer", async () => {
  const got = await new Promise<number>((resolve) => {
    let bytes = 0;
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(
        requestBytes([...headersOf("Scan"), ["Connection", "close"]], Buffer.from("{}"), {
          path: "/large",
        }),
      ),
    );
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 5);
    });
    socket.on("close", () => resolve(bytes));
  });
  expect(got).toBeGreaterThan(large.length);
});
