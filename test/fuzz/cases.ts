import { deflateSync, gunzipSync, gzipSync, inflateSync } from "node:zlib";
import { streamRegistry } from "../../src/operations/registry.ts";
import type { Random } from "../random.ts";
import type { Sending } from "./http.ts";
import { textOf } from "./json.ts";
import { mutateText, mutateTree } from "./mutate.ts";
import { bodyOf, operationName } from "./requests.ts";
import { text } from "./values.ts";

/** One thing to do to the server. */
export interface Case {
  /** Says how it was made. */
  readonly label: string;
  readonly sending: Sending;
  /** The operation that a well-made head names; its answers have a known form. */
  readonly operation?: string;
  /** The body as the operation sees it. */
  readonly body?: Buffer;
  /** What becomes of a body under a Content-Encoding: one that cannot be unfolded is answered 500. */
  readonly unfolds?: "yes" | "no" | "tooLarge";
}

export type Headers = [name: string, value: string][];

export const signature: Headers = [
  [
    "Authorization",
    "AWS4-HMAC-SHA256 Credential=AKIDFUZZ/20260101/eu-west-1/dynamodb/aws4_request, " +
      "SignedHeaders=host;x-amz-date;x-amz-target, Signature=0123456789abcdef",
  ],
  ["X-Amz-Date", "20260101T000000Z"],
];

function serviceOf(operation: string): string {
  return streamRegistry.has(operation) ? "DynamoDBStreams_20120810" : "DynamoDB_20120810";
}

export function headersOf(operation: string): Headers {
  return [
    ["Host", "localhost"],
    ["Content-Type", "application/x-amz-json-1.0"],
    ["X-Amz-Target", `${serviceOf(operation)}.${operation}`],
    ...signature,
  ];
}

export interface RequestOptions {
  readonly method?: string;
  readonly path?: string;
  readonly version?: string;
  /** Instead of the true length. */
  readonly framing?: Headers;
}

export function requestBytes(headers: Headers, body: Buffer, options: RequestOptions = {}): Buffer {
  const { method = "POST", path = "/", version = "HTTP/1.1" } = options;
  const framing = options.framing ?? [["Content-Length", String(body.length)]];
  const lines = [...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${path} ${version}\r\n${lines.join("")}\r\n`, "latin1");
  return Buffer.concat([head, body]);
}

/** A plain, well-framed request. */
export function operationCase(label: string, operation: string, body: Buffer): Case {
  return {
    label: `${operation} ${label}`,
    operation,
    body,
    sending: { pieces: [requestBytes(headersOf(operation), body)], due: 1 },
  };
}

/** The next request of a run. */
export function drawCase(random: Random): Case {
  const operation = operationName(random);
  const tree = bodyOf(random, operation);
  const style = random.choose<string>([
    [50, () => "plain"],
    [28, () => "tree"],
    [9, () => "text"],
    [9, () => "headers"],
    [3, () => "socket"],
  ]);
  if (style === "tree") mutateTree(random, tree);
  const body = Buffer.from(textOf(tree));
  switch (style) {
    case "text":
      return operationCase(style, operation, mutateText(random, body));
    case "headers":
      return headerCase(random, operation, body);
    case "socket":
      return socketCase(random, operation, body);
    default:
      return operationCase(style, operation, body);
  }
}

function without(headers: Headers, name: string): Headers {
  return headers.filter(([known]) => known.toLowerCase() !== name.toLowerCase());
}

function withHeader(headers: Headers, name: string, value: string): Headers {
  return [...without(headers, name), [name, value]];
}

const oddHeaderValues = ["", " ", ",", ";", "\t", "x", "é", "\u00ff", "0", "-1", "null", "*/*;q=9"];

/** Well framed, so that exactly one answer is due. */
function headerCase(random: Random, operation: string, body: Buffer): Case {
  const headers = headersOf(operation);
  const make = (
    label: string,
    changed: Headers,
    options: RequestOptions = {},
    sent = body,
  ): Case => ({
    label: `${operation} headers: ${label}`,
    sending: {
      pieces: [requestBytes(changed, sent, options)],
      due: 1,
      bodiless: options.method === "HEAD",
      fresh: options.version !== undefined,
    },
  });
  return random.choose<Case>([
    [
      3,
      () =>
        make(
          "one missing",
          headers.filter((_, at) => at !== random.between(1, 4)),
        ),
    ],
    [3, () => make("one odd", oddOne(random, headers))],
    [2, () => make("content type", withHeader(headers, "Content-Type", random.pick(contentTypes)))],
    [2, () => make("target", withHeader(headers, "X-Amz-Target", random.pick(targets(operation))))],
    [
      2,
      () =>
        make("authorization", withHeader(headers, "Authorization", random.pick(authorizations))),
    ],
    [1, () => make("twice", [...headers, random.pick(headers.slice(1))])],
    [1, () => make("two hosts", [...headers, ["Host", "other"]])],
    [
      1,
      () =>
        make("huge", [...headers, ["X-Huge", "h".repeat(random.pick([8_000, 30_000, 40_000]))]]),
    ],
    [1, () => make("many", [...headers, ...many(random.pick([100, 900, 3_000]))])],
    [1, () => make("accepts", [...headers, ["Accept-Encoding", random.pick(acceptEncodings)]])],
    [
      1,
      () => make("origin", [...headers, ["Origin", random.pick(["null", "http://x", "\u00ff"])]]),
    ],
    [1, () => make("method", headers, { method: random.pick(methods) })],
    [1, () => make("path", headers, { path: random.pick(paths) })],
    [1, () => make("HTTP/1.0", headers, { version: "HTTP/1.0" })],
    [
      1,
      () => make("expect", [...headers, ["Expect", random.pick(["100-continue", "x", "200-ok"])]]),
    ],
    [1, () => make("upgrade", [...headers, ["Connection", "Upgrade"], ["Upgrade", "websocket"]])],
    [1, () => make("connection", [...headers, ["Connection", random.pick(["close", "x", "TE"])]])],
    [1, () => make("preflight", preflight(random), { method: "OPTIONS" })],
    [1, () => make("chunked", headers, { framing: chunked }, chunksOf(random, body))],
    [3, () => encodedCase(random, operation, headers, body)],
  ]);
}

const chunked: Headers = [["Transfer-Encoding", "chunked"]];

export function chunksOf(random: Random, body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const size = Math.min(random.between(1, Math.max(16, body.length / 4)), body.length - at);
    const extension = random.chance(0.1) ? ";x=y" : "";
    parts.push(
      Buffer.from(`${size.toString(16)}${extension}\r\n`),
      body.subarray(at, at + size),
      Buffer.from("\r\n"),
    );
    at += size;
  }
  parts.push(Buffer.from("0\r\n\r\n"));
  return Buffer.concat(parts);
}

function oddOne(random: Random, headers: Headers): Headers {
  const [name] = random.pick(headers.slice(1));
  const value = random.chance(0.6) ? random.pick(oddHeaderValues) : printable(text(random));
  return withHeader(headers, name, value);
}

/** What a header may hold, in Latin-1. */
function printable(value: string): string {
  return value.replace(/[^\t\u0020-\u007e\u0080-\u00ff]/g, "?").slice(0, 8_000);
}

function many(count: number): Headers {
  return Array.from({ length: count }, (_, at): [string, string] => [`X-${at}`, "y"]);
}

function preflight(random: Random): Headers {
  return [
    ["Host", "localhost"],
    ["Origin", "http://page"],
    ["Access-Control-Request-Method", random.pick(oddHeaderValues)],
    ["Access-Control-Request-Headers", random.pick(oddHeaderValues)],
  ];
}

const contentTypes = [
  "application/json",
  "application/json; charset=utf-8",
  "APPLICATION/X-AMZ-JSON-1.0",
  "application/x-amz-json-1.1",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  ";",
  "application/x-amz-json-1.0;;;;=",
];

const targets = (operation: string): string[] => [
  operation,
  `DynamoDB_20111205.${operation}`,
  `DynamoDBStreams_20120810.${operation}`,
  `DynamoDB_20120810.${operation.toLowerCase()}`,
  `DynamoDB_20120810.${operation}.${operation}`,
  "DynamoDB_20120810.__proto__",
  "DynamoDB_20120810.constructor",
  "DynamoDB_20120810.",
  ".",
];

const scope = "Credential=AKID/20260101/eu-west-1/dynamodb/aws4_request";
const authorizations = [
  "AWS4-HMAC-SHA256",
  "AWS4-HMAC-SHA256 ",
  "AWS4-HMAC-SHA256 Credential=, SignedHeaders=, Signature=",
  "AWS4-HMAC-SHA256 Credential=a/b/c, SignedHeaders=h, Signature=s",
  "AWS4-HMAC-SHA256 Credential=a/b/../c/d, SignedHeaders=h, Signature=s",
  "AWS4-HMAC-SHA256 Credential=a/b/\u00ff/c/d, SignedHeaders=h, Signature=s",
  "AWS4-HMAC-SHA256 Credential=////, SignedHeaders=h, Signature=s",
  "AWS3 x=y",
  "Basic Zm9vOmJhcg==",
  "Bearer x",
  `${scope}, SignedHeaders=h, Signature=s`,
  `AWS4-HMAC-SHA256 ${scope},SignedHeaders=h,Signature=s`,
  `AWS4-HMAC-SHA256 ${"Credential".repeat(700)}`,
];

const acceptEncodings = [
  "gzip",
  "deflate",
  "*",
  "gzip;q=0",
  "identity;q=0, *;q=0",
  ";;q==",
  "br",
  ",",
];

const methods = ["GET", "HEAD", "PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "PROPFIND"];

const paths = [
  "/?X-Amz-Algorithm=AWS4-HMAC-SHA256",
  "/?X-Amz-Algorithm=&X-Amz-Credential=%E0%A4%A",
  "/?%%%",
  "/?",
  "//",
  "/../../etc/passwd",
  "/ping",
  "/%00",
  "*",
  "http://other.example/",
  "/?a=b#c",
  `/${"u".repeat(20_000)}`,
  `/${"u".repeat(40_000)}`,
  `/?${"a=b&".repeat(5_000)}`,
];

const encodings = ["gzip", "deflate", "GZIP", " gzip ", "br", "gzip, gzip", "x", "identity", ""];

/** A body under a Content-Encoding: right, broken, a bomb, or of another kind than it says. */
function encodedCase(random: Random, operation: string, headers: Headers, body: Buffer): Case {
  const encoding = random.pick(encodings);
  const sent = random.choose<Buffer>([
    [3, () => gzipSync(body)],
    [2, () => deflateSync(body)],
    [1, () => body],
    [1, () => gzipSync(body).subarray(0, random.between(0, 30))],
    [1, () => flippedByte(random, gzipSync(body))],
    [1, () => Buffer.concat([gzipSync(body), gzipSync(body)])],
    [1, () => Buffer.concat([gzipSync(body), Buffer.from("tail")])],
    [0.05, bomb],
  ]);
  return {
    label: `${operation} headers: encoding`,
    unfolds: unfolds(encoding.trim().toLowerCase(), sent),
    sending: {
      pieces: [requestBytes([...headers, ["Content-Encoding", encoding]], sent)],
      due: 1,
    },
  };
}

function unfolds(encoding: string, sent: Buffer): "yes" | "no" | "tooLarge" {
  if (encoding === "" || encoding === "identity") return "yes";
  if (encoding !== "gzip" && encoding !== "deflate") return "no";
  if (sent === packed) return encoding === "gzip" ? "tooLarge" : "no";
  try {
    (encoding === "gzip" ? gunzipSync : inflateSync)(sent);
    return "yes";
  } catch {
    return "no";
  }
}

let packed: Buffer | undefined;

/** Few bytes that unfold to more than the server takes; made when first asked for. */
function bomb(): Buffer {
  packed ??= gzipSync(Buffer.alloc(80 * 1024 * 1024, " "), { level: 1 });
  return packed;
}

function flippedByte(random: Random, bytes: Buffer): Buffer {
  const at = random.between(0, bytes.length - 1);
  bytes[at] = (bytes[at] as number) ^ (1 << random.between(0, 7));
  return bytes;
}

/** Broken at the level of HTTP: whatever comes back is well formed, and nothing else suffers. */
function socketCase(random: Random, operation: string, body: Buffer): Case {
  const headers = headersOf(operation);
  const whole = requestBytes(headers, body);
  const cut = random.between(1, whole.length - 1);
  const make = (label: string, sending: Sending): Case => ({
    label: `${operation} socket: ${label}`,
    sending: { fresh: true, ...sending },
  });
  const framed = (...framing: Headers) => requestBytes(headers, body, { framing });
  const length: [string, string] = ["Content-Length", String(body.length)];
  return random.choose<Case>([
    [3, () => make("dropped half-way", { pieces: [whole.subarray(0, cut)], ending: "drop" })],
    [2, () => make("dropped after", { pieces: [whole], ending: "drop" })],
    [2, () => make("half then end", { pieces: [whole.subarray(0, cut)], ending: "half" })],
    [2, () => make("in pieces", { pieces: piecesOf(random, whole), due: 1 })],
    [2, () => make("pipelined", pipelined(random, whole))],
    [1, () => make("pipelined, dropped", { pieces: [whole, whole, whole], ending: "drop" })],
    [1, () => make("garbage", { pieces: [garbage(random)] })],
    [1, () => make("garbage after", { pieces: [Buffer.concat([whole, garbage(random)])] })],
    [
      1,
      () =>
        make("length short", { pieces: [framed(["Content-Length", String(cut)])], ending: "half" }),
    ],
    [1, () => make("length odd", { pieces: [framed(["Content-Length", random.pick(lengths)])] })],
    [1, () => make("two lengths", { pieces: [framed(length, ["Content-Length", "1"])] })],
    [1, () => make("length and chunked", { pieces: [framed(length, ...chunked)] })],
    [1, () => make("bad chunks", { pieces: [framed(...chunked)] })],
    [
      1,
      () =>
        make("odd encoding", { pieces: [framed(["Transfer-Encoding", random.pick(transfers)])] }),
    ],
    [1, () => make("no host", { pieces: [requestBytes(headers.slice(1), body)] })],
    [1, () => make("connect", { pieces: [requestBytes(headers, body, { method: "CONNECT" })] })],
    [1, () => make("bad line", { pieces: [Buffer.from(random.pick(requestLines), "latin1")] })],
    [
      1,
      () =>
        make("bare LF", {
          pieces: [Buffer.from(whole.toString("latin1").replaceAll("\r\n", "\n"), "latin1")],
        }),
    ],
    [1, () => make("folded", { pieces: [requestBytes([...headers, ["X", "a\r\n b"]], body)] })],
    [
      1,
      () =>
        make("control", { pieces: [requestBytes([...headers, ["X", "a\u0001b\u0000"]], body)] }),
    ],
  ]);
}

function pipelined(random: Random, whole: Buffer): Sending {
  const count = random.between(2, 12);
  return { pieces: [Buffer.concat(Array<Buffer>(count).fill(whole))], due: count };
}

function piecesOf(random: Random, whole: Buffer): Buffer[] {
  const cuts = random.times(random.between(1, 8), () => random.between(0, whole.length));
  const ends = [...cuts, whole.length].sort((a, b) => a - b);
  return ends.map((end, at) => whole.subarray(ends[at - 1] ?? 0, end));
}

function garbage(random: Random): Buffer {
  return random.choose<Buffer>([
    [2, () => Buffer.from(random.times(random.between(1, 600), () => random.between(0, 255)))],
    [1, () => Buffer.from("\r\n".repeat(random.between(1, 500)))],
    [1, () => Buffer.from("16030100f5010000f10303", "hex")],
    [1, () => Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")],
    [1, () => Buffer.alloc(50_000, "A")],
  ]);
}

const lengths = ["-1", "0x10", "1e3", "", "99999999999999999999", "9007199254740993", "1 2", "+5"];
const transfers = ["gzip", "chunked, gzip", "gzip, chunked", "identity", "xchunked", ""];
const requestLines = [
  "GET\r\n\r\n",
  "GET / HTTP/9.9\r\n\r\n",
  "GET / HTTP/2.0\r\nHost: x\r\n\r\n",
  "POST  /  HTTP/1.1\r\n\r\n",
  "get / http/1.1\r\n\r\n",
  "\u0000\u0000\u0000\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: x\r\nA B: y\r\n\r\n",
  "POST / HTTP/1.1\r\nHost\r\n\r\n",
  "POST /\u00ff HTTP/1.1\r\nHost: x\r\n\r\n",
];
