import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { ServiceError } from "../../src/api/errors/service-error.ts";
import { HttpServer } from "../../src/server/http-server.ts";
import { Protocol } from "../../src/server/protocol.ts";

/** Any well-formed signature will do. */
export function signed(accessKey = "AKIDEXAMPLE", region = "eu-west-1"): Record<string, string> {
  return {
    authorization:
      `AWS4-HMAC-SHA256 Credential=${accessKey}/20260101/${region}/dynamodb/aws4_request, ` +
      "SignedHeaders=host;x-amz-date;x-amz-target, Signature=0123456789abcdef",
    "x-amz-date": "20260101T000000Z",
  };
}

export const amzJson = { "content-type": "application/x-amz-json-1.0" };

export function call(operation: string): Record<string, string> {
  return { ...amzJson, ...signed(), "x-amz-target": `DynamoDB_20120810.${operation}` };
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

export interface Sending {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

export function send(port: number, sending: Sending = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { method = "POST", path = "/", headers = {}, body = "" } = sending;
    const outgoing = request(
      { host: "127.0.0.1", port, method, path, headers, agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const bytes = Buffer.concat(chunks);
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            bytes,
            text: bytes.toString(),
          });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Writes bytes as they are and gathers all that comes until the other side closes, or `until`. */
export function raw(port: number, text: string, until?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let got = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      got += chunk;
      if (until?.test(got)) socket.destroy();
    });
    socket.on("close", () => resolve(got));
    socket.on("error", reject);
  });
}

export interface Door {
  readonly port: number;
  readonly logged: string[];
  readonly calls: unknown[][];
  readonly http: HttpServer;
}

/**
 * The HTTP layer on a workbench of the simplest kind: it echoes, waits, fails or answers with as many
 * bytes as it is told to.
 */
export async function openDoor(shared = false): Promise<Door> {
  const logged: string[] = [];
  const calls: unknown[][] = [];
  const protocol = new Protocol(
    {
      execute(operation, body, caller) {
        calls.push([operation, body, caller]);
        const input = body as Record<string, unknown>;
        if (operation === "TagResource") return undefined;
        if (input.wait) {
          return new Promise((resolve) => setTimeout(resolve, Number(input.wait), { late: true }));
        }
        if (input.defect) throw new TypeError("secret of the client");
        if (input.late) return Promise.reject(new TypeError("secret of the client"));
        if (input.refuse) throw new ServiceError("ResourceNotFoundException", "no such thing");
        if (input.bytes) return { x: "x".repeat(Number(input.bytes) - 8) };
        return { operation, body };
      },
    },
    {
      shared,
      toBytes: (result) => Buffer.from(JSON.stringify(result)),
      log: (text) => logged.push(text),
    },
  );
  const http = new HttpServer(protocol);
  const port = await http.listen(0, "127.0.0.1");
  return { port, logged, calls, http };
}
