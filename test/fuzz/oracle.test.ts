import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { operationCase } from "./cases.ts";
import { Client } from "./http.ts";
import { crc32, judge, type Verdict } from "./oracle.ts";
import { canonicalItem } from "./round-trip.ts";

/** The oracle is worth nothing if a bad server can please it: here are bad servers. */

let server: Server | undefined;
afterEach(() => {
  server?.close();
});

/** What the oracle says of a server that does `answer` with each connection's first bytes. */
async function verdictOn(
  answer: (socket: Socket) => void,
  operation = "GetItem",
): Promise<Verdict> {
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((done) => server?.listen(0, "127.0.0.1", done));
  const client = new Client((server.address() as AddressInfo).port, 300);
  const sent = operationCase("test", operation, Buffer.from("{}"));
  const verdict = judge(sent, await client.send(sent.sending));
  client.close();
  return verdict;
}

interface Parts {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

function answerOf({ status = 200, body = "{}", headers = {} }: Parts): string {
  const bytes = Buffer.from(body);
  const all: Record<string, string | undefined> = {
    "x-amzn-RequestId": "A".repeat(52),
    "x-amz-crc32": String(crc32(bytes)),
    "Content-Length": String(bytes.length),
    "Content-Type": "application/x-amz-json-1.0",
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}\r\n`],
  );
  return `HTTP/1.1 ${status} X\r\n${lines.join("")}\r\n${body}`;
}

const saying = (parts: Parts) => (socket: Socket) => void socket.write(answerOf(parts));
const error = (type: string, more: object = { message: "m" }) =>
  JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, ...more });

test("a good server pleases it", async () => {
  expect(await verdictOn(saying({ body: '{"Item":{}}' }))).toEqual({ outcome: "200" });
  expect(await verdictOn(saying({ status: 400, body: error("ValidationException") }))).toEqual({
    outcome: "400 ValidationException",
  });
});

test.each<[string, (socket: Socket) => void]>([
  ["says nothing", () => {}],
  ["hangs up", (socket) => socket.destroy()],
  ["says half", (socket) => socket.end(answerOf({}).slice(0, -1))],
  ["answers twice", (socket) => socket.end(answerOf({}) + answerOf({}))],
  ["speaks something else", (socket) => socket.end("hello\r\n\r\n")],
  ["answers 500", saying({ status: 500, body: error("InternalServerError") })],
  ["answers 302", saying({ status: 302 })],
  ["has a wrong checksum", saying({ headers: { "x-amz-crc32": "1" } })],
  ["has no checksum", saying({ headers: { "x-amz-crc32": undefined } })],
  ["has no request id", saying({ headers: { "x-amzn-RequestId": undefined } })],
  ["has an odd request id", saying({ headers: { "x-amzn-RequestId": "a".repeat(52) } })],
  ["has no content type", saying({ headers: { "Content-Type": undefined } })],
  ["answers no JSON", saying({ body: "{" })],
  ["answers a list", saying({ body: "[]" })],
  ["answers a stranger", saying({ body: '{"Items":[]}' })],
  ["names no error", saying({ status: 400, body: '{"message":"m"}' })],
  ["names another error", saying({ status: 400, body: '{"__type":"TypeError","message":"m"}' })],
  ["says no message", saying({ status: 400, body: error("ValidationException", {}) })],
  ["says two", saying({ status: 400, body: error("X", { message: "m", Message: "m" }) })],
  ["slips", saying({ status: 400, body: error("X", { message: "got [object Object]" }) })],
])("a server that %s does not", async (_, answer) => {
  expect((await verdictOn(answer)).complaint).toBeTypeOf("string");
});

test("an operation that is not supported must not be answered", async () => {
  expect((await verdictOn(saying({}), "SearchVectors")).complaint).toBe(
    "SearchVectors was answered",
  );
});

test.each([
  ['{"a":{"N":"1.0"}}', '{"a":{"N":"1"}}', true],
  ['{"a":{"N":"1e3"}}', '{"a":{"N":"1000"}}', true],
  ['{"a":{"N":"-0"}}', '{"a":{"N":"0"}}', true],
  ['{"a":{"N":"0.10"}}', '{"a":{"N":"1"}}', false],
  ['{"a":{"N":"10"}}', '{"a":{"N":"1"}}', false],
  ['{"a":{"SS":["b","a"]}}', '{"a":{"SS":["a","b"]}}', true],
  ['{"a":{"SS":["b","a"]}}', '{"a":{"SS":["a"]}}', false],
  ['{"a":{"L":[{"S":"b"},{"S":"a"}]}}', '{"a":{"L":[{"S":"a"},{"S":"b"}]}}', false],
  ['{"a":{"S":"x"},"b":{"S":"y"}}', '{"b":{"S":"y"},"a":{"S":"x"}}', true],
  ['{"a":{"S":"x"},"__proto__":{"S":"y"}}', '{"a":{"S":"x"}}', false],
  ['{"a":{"M":{"__proto__":{"S":"y"}}}}', '{"a":{"M":{}}}', false],
  ['{"a":{"S":"1"}}', '{"a":{"N":"1"}}', false],
  ['{"a":{"BOOL":true}}', '{"a":{"BOOL":false}}', false],
])("%s and %s are equal: %s", (one, two, equal) => {
  expect(canonicalItem(JSON.parse(one)) === canonicalItem(JSON.parse(two))).toBe(equal);
});
