import { connect, type Socket } from "node:net";
import type { Call } from "./workload.ts";

const day = new Date().toISOString().slice(0, 10).replaceAll("-", "");

/** A whole HTTP request, made before the clock runs. The signature has the right form, no more. */
export function requestBytes(port: number, { operation, body }: Call): Buffer {
  const json = Buffer.from(JSON.stringify(body));
  const head = [
    "POST / HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/x-amz-json-1.0",
    `X-Amz-Target: DynamoDB_20120810.${operation}`,
    `X-Amz-Date: ${day}T000000Z`,
    `Authorization: AWS4-HMAC-SHA256 Credential=BENCH/${day}/us-east-1/dynamodb/aws4_request, ` +
      `SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=${"0".repeat(64)}`,
    "Accept-Encoding: identity",
    `Content-Length: ${json.length}`,
    "",
    "",
  ];
  return Buffer.concat([Buffer.from(head.join("\r\n")), json]);
}

/** Called with the answer's status (0 if the connection broke) and the bytes of its body. */
export type OnAnswer = (status: number, bodyBytes: number) => void;

const headEnd = Buffer.from("\r\n\r\n");
const chunkedEnd = "0\r\n\r\n";

/**
 * One connection with one request under way. It reads of an answer only what it must: its status and
 * its end. The body is kept only when asked for.
 */
export class Connection {
  readonly #port: number;
  #socket: Socket;
  #open = false;
  #onAnswer: OnAnswer | undefined;
  #keepBody = false;
  #parts: Buffer[] = [];
  /** The beginning of an answer whose head is not complete. */
  #head: Buffer | undefined;
  #inBody = false;
  #status = 0;
  #length = 0;
  #received = 0;
  #chunked = false;
  #lastAnswer = false;
  failure = "";

  constructor(port: number) {
    this.#port = port;
    this.#socket = this.#connect();
  }

  send(request: Buffer, onAnswer: OnAnswer, keepBody = false): void {
    if (!this.#open) this.#socket = this.#connect();
    this.#onAnswer = onAnswer;
    this.#keepBody = keepBody;
    this.#parts = [];
    this.#head = undefined;
    this.#inBody = false;
    this.#socket.write(request);
  }

  /** The body of the last answer, if it was kept. */
  body(): string {
    const bytes = Buffer.concat(this.#parts);
    return (this.#chunked ? unchunked(bytes) : bytes).toString();
  }

  close(): void {
    this.#open = false;
    this.#onAnswer = undefined;
    this.#socket.destroy();
  }

  #connect(): Socket {
    const socket = connect({ host: "127.0.0.1", port: this.#port, noDelay: true });
    this.#open = true;
    socket.on("data", (data) => this.#read(data));
    socket.on("error", (error) => this.#broken(socket, error.message));
    socket.on("close", () => this.#broken(socket, "connection closed"));
    return socket;
  }

  #broken(socket: Socket, reason: string): void {
    if (socket !== this.#socket || !this.#open) return;
    this.#open = false;
    this.failure = reason;
    socket.destroy();
    this.#finish(0, 0);
  }

  #read(data: Buffer): void {
    const body = this.#inBody ? data : this.#readHead(data);
    if (body === undefined) return;
    this.#received += body.length;
    if (this.#keepBody || this.#chunked || this.#status !== 200) this.#parts.push(body);
    const complete = this.#chunked ? this.#endsChunked() : this.#received >= this.#length;
    if (!complete) return;
    if (this.#lastAnswer) {
      this.#open = false;
      this.#socket.destroy();
    }
    this.#finish(this.#status, this.#received);
  }

  /** Takes in the head and answers what follows it; nothing if more of it must come. */
  #readHead(data: Buffer): Buffer | undefined {
    const all = this.#head === undefined ? data : Buffer.concat([this.#head, data]);
    const end = all.indexOf(headEnd);
    if (end === -1) {
      this.#head = all;
      return undefined;
    }
    const head = all.toString("latin1", 0, end + 2);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.#status = Number(head.slice(9, 12));
    this.#chunked = length === undefined;
    this.#length = Number(length ?? 0);
    this.#lastAnswer = /\r\nconnection: *close/i.test(head);
    this.#received = 0;
    this.#inBody = true;
    return all.subarray(end + headEnd.length);
  }

  #endsChunked(): boolean {
    const all = Buffer.concat(this.#parts);
    this.#parts = [all];
    return (
      all.length >= chunkedEnd.length &&
      all.toString("latin1", all.length - chunkedEnd.length) === chunkedEnd
    );
  }

  #finish(status: number, bytes: number): void {
    const onAnswer = this.#onAnswer;
    this.#onAnswer = undefined;
    onAnswer?.(status, bytes);
  }
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (!(size > 0)) break;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

export interface Reply {
  readonly status: number;
  readonly body: string;
}

export function ask(connection: Connection, request: Buffer): Promise<Reply> {
  return new Promise((resolve) => {
    connection.send(
      request,
      (status) => resolve({ status, body: status === 0 ? connection.failure : connection.body() }),
      true,
    );
  });
}
