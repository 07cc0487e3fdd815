import { AsyncLocalStorage } from "node:async_hooks";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { ServiceError } from "../../src/api/errors/service-error.ts";
import type { Execute } from "../../src/modeller/requests/run.ts";

/** A client of the AWS SDK that sends requests to the engine in this process: the SDK does all but the socket. */

interface HttpRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const current = new AsyncLocalStorage<Execute>();

/** Runs code whose requests through the client are carried out by a function. */
export function withEngine<T>(execute: Execute, code: () => Promise<T>): Promise<T> {
  return current.run(execute, code);
}

export const engineClient = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    endpoint: "http://engine.local",
    region: "us-east-1",
    credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret" },
    maxAttempts: 1,
    requestHandler: {
      handle: async (request: HttpRequest) => ({ response: await answer(request) }),
    },
  }),
);

async function answer({ headers, body }: HttpRequest): Promise<HttpResponse> {
  const execute = current.getStore();
  if (execute === undefined) throw new Error("A request was sent outside of withEngine.");
  const operation = headers["x-amz-target"]?.split(".")[1] ?? "";
  try {
    return response(200, await execute(operation, JSON.parse(textOf(body)) as object));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const type = `com.amazonaws.dynamodb.v20120810#${error.type}`;
    return response(error.status, { __type: type, message: error.message, ...error.fields });
  }
}

function response(statusCode: number, body: object): HttpResponse {
  const headers = { "content-type": "application/x-amz-json-1.0" };
  return { statusCode, headers, body: Buffer.from(JSON.stringify(body)) };
}

function textOf(body: string | Uint8Array): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}
