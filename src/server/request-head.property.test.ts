import { createServer, type IncomingMessage } from "node:http";
import { Duplex } from "node:stream";
import {
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  oneof,
  string,
  tuple,
} from "fast-check";
import { expect, test } from "vitest";
import { parseHead } from "./request-head.ts";

/** A connection without a network: bytes go in, and what the server says is dropped. */
class Wire extends Duplex {
  override _read(): void {}
  override _write(_chunk: unknown, _encoding: unknown, done: () => void): void {
    done();
  }
}

interface Heard {
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** What Node's HTTP server makes of the bytes; undefined if it takes them for no whole request. */
function heardByNode(bytes: Buffer): Promise<Heard | undefined> {
  return new Promise((resolve) => {
    const wire = new Wire();
    const server = createServer((request) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString("latin1");
      });
      request.on("end", () => {
        const { method, httpVersion, url = "", headers } = request;
        resolve(method === "POST" && httpVersion === "1.1" ? { url, headers, body } : undefined);
      });
    });
    server.on("clientError", () => resolve(undefined));
    server.emit("connection", wire);
    wire.push(bytes);
    setImmediate(() => setImmediate(() => resolve(undefined)));
  });
}

const plain = [
  "POST / HTTP/1.1",
  "Host: 127.0.0.1:8000",
  "Content-Type: application/x-amz-json-1.0",
  "X-Amz-Target: DynamoDB_20120810.GetItem",
  "X-Amz-Date: 20260101T000000Z",
  "Authorization: AWS4-HMAC-SHA256 Credential=a/b/c/d/aws4_request, SignedHeaders=host, Signature=0",
  "Content-Length: 2",
  "Connection: keep-alive",
];

function requestOf(lines: readonly string[], body = "{}"): Buffer {
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`, "latin1");
}

test("a plain request is read", () => {
  const bytes = requestOf(plain);
  const head = parseHead(bytes, 0);
  expect(head?.url).toBe("/");
  expect(head?.headers["x-amz-target"]).toBe("DynamoDB_20120810.GetItem");
  expect(head?.headers["content-type"]).toBe("application/x-amz-json-1.0");
  expect(head?.headers.authorization).toContain("SignedHeaders=host,");
  expect(head?.headers.origin).toBeUndefined();
  expect(bytes.toString("latin1", head?.bodyStart)).toBe("{}");
  expect(head?.bodyLength).toBe(2);
});

test.each([
  ["another method", [`GET${plain[0]?.slice(4)}`, ...plain.slice(1)]],
  ["an older version", ["POST / HTTP/1.0", ...plain.slice(1)]],
  ["no host", plain.filter((line) => !line.startsWith("Host"))],
  ["no length", plain.filter((line) => !line.startsWith("Content-Length"))],
  ["two lengths", [...plain, "content-length: 2"]],
  ["a length that is no number", [...plain.slice(0, 6), "Content-Length: +2"]],
  ["a chunked body", [...plain, "Transfer-Encoding: chunked"]],
  ["an expectation", [...plain, "Expect: 100-continue"]],
  ["an upgrade", [...plain, "Upgrade: h2c"]],
  ["the end of the connection", [...plain.slice(0, 7), "Connection: close"]],
  ["a target given twice", [...plain, "x-amz-target: DynamoDB_20120810.PutItem"]],
  ["a blank before the colon", [...plain, "x : y"]],
  ["a line that is none", [...plain, "xyz"]],
  ["a folded line", [...plain, " folded"]],
  ["a control character", [...plain, "x: a\u0000b"]],
  ["headers without end", [...plain, `x: ${"x".repeat(40_000)}`]],
])("left to Node: %s", (_name, lines) => {
  expect(parseHead(requestOf(lines), 0)).toBeUndefined();
});

test("every part of a head is left to Node", () => {
  const whole = requestOf(plain, "");
  for (let length = 0; length < whole.length; length += 1) {
    expect(parseHead(whole.subarray(0, length), 0)).toBeUndefined();
  }
});

const odd = oneof(
  constantFrom(...plain, "", " ", "a:", ":", "Host:", "content-LENGTH:2", "Content-Length: 02"),
  constantFrom("Te: trailers", "Transfer-Encoding: chunked", "Content-Length: 3", "origin: null"),
  constantFrom("Connection: Keep-Alive ", "Connection: close", "Expect: x", "X-Amz-Date:\t1 \t"),
  tuple(string({ maxLength: 8 }), string({ maxLength: 8 })).map(([a, b]) => `${a}: ${b}`),
  string({ maxLength: 20 }),
);
const firstLine = oneof(
  { arbitrary: constant(plain[0] as string), weight: 6 },
  string({ maxLength: 12 }).map((text) => `POST /${text} HTTP/1.1`),
  constantFrom(
    "POST  / HTTP/1.1",
    "POST / HTTP/1.1 ",
    "POST /?a=b#c HTTP/1.1",
    "POST /\u00e9 HTTP/1.1",
  ),
);

test("what is read here, Node reads likewise", async () => {
  let taken = 0;
  await assert(
    asyncProperty(tuple(firstLine, array(odd, { maxLength: 3 })), async ([first, more]) => {
      const bytes = requestOf([first, ...plain.slice(1, 7), ...more]);
      const head = parseHead(bytes, 0);
      if (head === undefined) return;
      taken += 1;
      const { bodyStart, bodyLength } = head;
      const heard = await heardByNode(bytes.subarray(0, bodyStart + bodyLength));
      expect(heard?.url).toBe(head.url);
      expect(heard?.body).toBe(bytes.toString("latin1", bodyStart, bodyStart + bodyLength));
      for (const [name, value] of Object.entries(head.headers)) {
        expect([name, heard?.headers[name]]).toEqual([name, value]);
      }
    }),
    { numRuns: 400 },
  );
  expect(taken).toBeGreaterThan(50);
});
