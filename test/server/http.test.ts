import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answer } from "../../src/server/answer.ts";
import { HttpServer } from "../../src/server/http-server.ts";
import { bodyBytesMax, discardedBytesMax, headerBytesMax } from "../../src/server/limits.ts";
import { call, type Door, openDoor, raw, send } from "./wire-support.ts";

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.http.close());

function head(operation: string, body: string, more = ""): string {
  const lines = Object.entries(call(operation)).map(([name, value]) => `${name}: ${value}\r\n`);
  return (
    `POST / HTTP/1.1\r\nHost: x\r\n${lines.join("")}` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n${more}\r\n`
  );
}

function post(operation: string, body: string, more = ""): string {
  return head(operation, body, more) + body;
}

test("a body of 16 MB is taken, one byte more is a 413 that the client gets to see", async () => {
  const padded = (size: number) => `{"bytes":9${" ".repeat(size - 11)}}`;
  const whole = padded(bodyBytesMax);
  expect(whole).toHaveLength(bodyBytesMax);
  expect((await send(door.port, { headers: call("Scan"), body: whole })).status).toBe(200);
  const over = await send(door.port, { headers: call("Scan"), body: padded(bodyBytesMax + 1) });
  expect([over.status, over.text]).toEqual([413, ""]);
  expect(over.headers["transfer-encoding"]).toBe("chunked");
});

test("a chunked body counts by its bytes", async () => {
  const headers = { ...call("Scan"), "transfer-encoding": "chunked" };
  const body = Buffer.alloc(bodyBytesMax + 1, " ");
  expect((await send(door.port, { headers, body })).status).toBe(413);
});

test("a body without end is cut off", async () => {
  const headers = { ...call("Scan"), "transfer-encoding": "chunked" };
  const body = Buffer.alloc(discardedBytesMax + 1, " ");
  await expect(send(door.port, { headers, body })).rejects.toThrow(/ECONNRESET|EPIPE|hang up/);
});

test("Expect: 100-continue is answered before the body", async () => {
  const got = await raw(
    door.port,
    post("Scan", "{}", "Expect: 100-continue\r\nConnection: close\r\n"),
  );
  expect(got).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n/);
});

test("Expect: 100-continue with too long a body is refused at once", async () => {
  const text = head("Scan", "").replace(
    "Content-Length: 0\r\n",
    `Content-Length: ${bodyBytesMax + 1}\r\nExpect: 100-continue\r\n`,
  );
  expect(await raw(door.port, text)).toMatch(/^HTTP\/1.1 413 /);
});

test("pipelined requests are answered in their order", async () => {
  const got = await raw(
    door.port,
    post("Scan", '{"wait":60}') +
      post("Query", "{}") +
      post("GetItem", "{}", "Connection: close\r\n"),
  );
  const bodies = got.split(/HTTP\/1.1 200 OK\r\n/).slice(1);
  expect(bodies.map((part) => part.split("\r\n\r\n")[1])).toEqual([
    '{"late":true}',
    '{"operation":"Query","body":{}}',
    '{"operation":"GetItem","body":{}}',
  ]);
});

test("a long row of pipelined requests in pieces is answered in its order", async () => {
  const count = 60;
  const row = Array.from({ length: count }, (_, i) =>
    post(
      i % 3 === 0 ? "Scan" : "Query",
      i % 3 === 0
        ? `{"wait":1,"pad":"${"x".repeat(9_000)}"}`
        : `{"n":${i},"pad":"${"x".repeat(3_000)}"}`,
      i === count - 1 ? "Connection: close\r\n" : "",
    ),
  );
  const bytes = Buffer.from(row.join(""));
  const got = await new Promise<string>((resolve, reject) => {
    let text = "";
    const socket = connect(door.port, "127.0.0.1", async () => {
      for (let at = 0; at < bytes.length; at += 5_003) {
        socket.write(bytes.subarray(at, at + 5_003));
        await new Promise((next) => setTimeout(next, at % 2));
      }
    });
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
  const bodies = got.split(/HTTP\/1.1 200 OK\r\n/).slice(1);
  expect(bodies).toHaveLength(count);
  bodies.forEach((body, i) => {
    expect(body).toContain(i % 3 === 0 ? '{"late":true}' : `"n":${i},`);
  });
});

test("a request is answered before the garbage behind it is refused", async () => {
  const got = await raw(
    door.port,
    `${post("Scan", '{"wait":30}') + post("Query", "{}")}garbage\r\n\r\n`,
  );
  expect(got.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 400"]);
  expect(got).toContain('{"late":true}');
});

test("a request whose own body is malformed is refused", async () => {
  const chunked = head("Scan", "").replace("Content-Length: 0", "Transfer-Encoding: chunked");
  const got = await raw(door.port, `${post("Query", "{}") + chunked}zz\r\n{}\r\n0\r\n\r\n`);
  expect(got.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 400"]);
});

test("a body in pieces is put together", async () => {
  const body = '{"a":"é"}';
  const bytes = Buffer.from(post("Query", body, "Connection: close\r\n"));
  const got = await new Promise<string>((resolve) => {
    let text = "";
    const socket = connect(door.port, "127.0.0.1", async () => {
      for (let at = 0; at < bytes.length; at += 37) {
        socket.write(bytes.subarray(at, at + 37));
        await new Promise((next) => setImmediate(next));
      }
    });
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on("close", () => resolve(text));
  });
  expect(got).toContain('{"operation":"Query","body":{"a":"é"}}');
});

test("HTTP/1.0 closes after its answer", async () => {
  const got = await raw(door.port, post("Query", "{}").replace("HTTP/1.1", "HTTP/1.0"));
  expect(got).toContain("200 OK");
  expect(got).toMatch(/Connection: close/i);
});

test("the connection stays open for the next request", async () => {
  const got = await raw(door.port, post("Query", "{}"), /\}\}$/);
  expect(got).toMatch(/Connection: keep-alive/i);
});

test.each([
  ["no HTTP", "hello\r\n\r\n", 400],
  ["headers too long", `GET / HTTP/1.1\r\nx: ${"x".repeat(headerBytesMax)}\r\n\r\n`, 431],
  ["too long an address", `GET /${"x".repeat(headerBytesMax)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  [
    "two lengths",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    400,
  ],
])("%s", async (_name, text, status) => {
  const got = await raw(door.port, text);
  expect(got).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(got).toContain("Content-Length: 0\r\n");
});

test("a client that goes away in the middle does no harm", async () => {
  const made = door.calls.length;
  await new Promise<void>((resolve) => {
    const socket = connect(door.port, "127.0.0.1", () => {
      socket.write(post("Query", '{"never":1}').slice(0, -3), () => socket.destroy());
    });
    socket.on("close", () => resolve());
  });
  expect((await send(door.port, { headers: call("Scan"), body: "{}" })).status).toBe(200);
  expect(door.calls.slice(made).map((one) => one[0])).toEqual(["Scan"]);
});

test("an orderly end: running requests are answered, idle sockets and half requests dropped", async () => {
  const ending = await openDoor();
  const idle = raw(ending.port, post("Query", "{}"));
  const silent = raw(ending.port, "");
  const halfHead = raw(ending.port, "POST / HTTP/1.1\r\nHos");
  const running = raw(ending.port, post("Scan", '{"wait":300}'));
  while (ending.calls.length < 2) await new Promise((next) => setTimeout(next, 5));
  await new Promise((next) => setTimeout(next, 50));
  const began = performance.now();
  const closed = ending.http.close();
  expect(ending.http.close()).toBe(closed);
  await Promise.all([idle, silent, halfHead]);
  expect(performance.now() - began).toBeLessThan(200);
  const last = await running;
  expect(last).toContain('{"late":true}');
  expect(last).toMatch(/Connection: close/i);
  await closed;
  expect(performance.now() - began).toBeLessThan(1_500);
  await expect(send(ending.port, { method: "GET" })).rejects.toThrow("ECONNREFUSED");
});

test("an end that begins while an answer leaves does not wait for the idle socket", async () => {
  let closed: Promise<void> | undefined;
  // More than the buffers of a socket hold, so that it is still leaving when the end begins.
  const large = Buffer.alloc(32 * 1024 * 1024, "x");
  const http: HttpServer = new HttpServer({
    respond() {
      setImmediate(() => {
        closed = http.close();
      });
      return answer(200, "id", large);
    },
  });
  const port = await http.listen(0, "127.0.0.1");
  const got = await raw(port, post("Query", "{}"));
  expect(got.slice(0, 1_000)).toMatch(/keep-alive/i);
  expect(got.length).toBeGreaterThan(large.length);
  await closed;
});

test("a long session token fits in the headers", async () => {
  const headers = { ...call("Query"), "x-amz-security-token": "x".repeat(headerBytesMax - 2_048) };
  expect((await send(door.port, { headers, body: "{}" })).status).toBe(200);
});

test("an upload that never ends does not hold the end up for long", async () => {
  const ending = await openDoor();
  const half = raw(ending.port, post("Query", '{"never":1}').slice(0, -3));
  await new Promise((next) => setTimeout(next, 50));
  await ending.http.close();
  expect(await half).toBe("");
  expect(ending.calls).toEqual([]);
});
