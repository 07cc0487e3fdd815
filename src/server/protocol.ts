import { isAscii, isUtf8 } from "node:buffer";
import { ServiceError } from "../api/errors/service-error.ts";
import {
  bodyNotJson,
  errorBody,
  internalServerError,
  unknownOperation,
} from "../api/errors/wire.ts";
import { type MaybePromise, whenThere } from "../base/maybe-promise.ts";
import { sharedCaller } from "../workbench/account.ts";
import type { Caller } from "../workbench/workbench.ts";
import { type Answer, answer, noBody } from "./answer.ts";
import {
  chooseEncoding,
  DecodedTooLargeError,
  decode,
  encode,
  isPlain,
  UndecodableError,
} from "./content-encoding.ts";
import { addOriginHeaders, addPreflightHeaders, type Preflight } from "./cors.ts";
import { compressedAnswerBytesMin } from "./limits.ts";
import { requestId } from "./request-id.ts";
import { SignatureReader } from "./signature.ts";
import { isScalingTarget, operationOf } from "./target.ts";

/** The headers that mean something here. */
export interface WireHeaders {
  readonly "content-type"?: string | undefined;
  readonly "x-amz-target"?: string | undefined;
  readonly "x-amz-date"?: string | undefined;
  readonly authorization?: string | undefined;
  readonly "accept-encoding"?: string | undefined;
  readonly "content-encoding"?: string | undefined;
  readonly date?: string | undefined;
  readonly origin?: string | undefined;
}

/** What the protocol needs of an HTTP request, whoever parsed it. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: WireHeaders & Preflight;
  readonly body: Buffer;
}

/** Runs operations: a workbench. An undefined answer is one without a body. */
export interface Executor {
  execute(operation: string, body: unknown, caller: Caller): MaybePromise<unknown>;
}

export interface ProtocolOptions {
  readonly shared: boolean;
  /** The JSON of an operation's answer. */
  readonly toBytes: (result: unknown) => Buffer;
  /** Where defects of this program are told; never what a client sent. */
  readonly log: (text: string) => void;
  /** The page of metrics, if there is one. */
  readonly metrics?: () => Promise<TextPage>;
  /** The page of the keys that are used most. */
  readonly insights?: (query: URLSearchParams) => Promise<TextPage>;
}

export interface TextPage {
  readonly contentType: string;
  readonly text: string;
}

const healthy = Buffer.from("healthy: dynamodb.us-east-1.amazonaws.com ");
const notFound = Buffer.from("<UnknownOperationException/>\n");

const amzJson = "application/x-amz-json-1.0";
const newerAmzJson = "application/x-amz-json-1.1";
const plainJson = "application/json";

/**
 * The JSON protocol of the service, from one HTTP request to one answer. The order of the checks is
 * the service's: media type, JSON, target, signature, empty body, and only then the operation.
 */
export class Protocol {
  readonly #workbench: Executor;
  readonly #options: ProtocolOptions;
  readonly #signatures = new SignatureReader();

  constructor(workbench: Executor, options: ProtocolOptions) {
    this.#workbench = workbench;
    this.#options = options;
  }

  respond(request: WireRequest): MaybePromise<Answer> {
    const id = requestId();
    if (request.method !== "POST") {
      return whenThere(this.#respondToOther(request, id), (other) => withOrigin(request, other));
    }
    const type = mediaType(request.headers);
    if (type === undefined && request.body.length > 0) {
      return withOrigin(request, answer(404, id, notFound));
    }
    const exchange = new Exchange(request, id, type ?? plainJson);
    const encoding = request.headers["content-encoding"];
    if (isPlain(encoding)) return this.#respondToPost(exchange, request.body);
    return decode(request.body, encoding as string).then(
      (body) => this.#respondToPost(exchange, body),
      (error) => this.#fail(exchange, error),
    );
  }

  #respondToOther(request: WireRequest, id: string): MaybePromise<Answer> {
    if (request.method === "OPTIONS" && request.headers.origin !== undefined) {
      const preflight = answer(200, id, noBody);
      addPreflightHeaders(preflight.headers, request.headers);
      return preflight;
    }
    if (request.method !== "GET") return answer(404, id, notFound);
    const path = pathOf(request.url);
    if (path === "/" || path === "/ping") return answer(200, id, healthy);
    const { metrics, insights } = this.#options;
    if (path === "/metrics" && metrics !== undefined) return this.#show(path, metrics, id);
    if (path === "/insights" && insights !== undefined) {
      const query = new URLSearchParams(request.url.slice(path.length));
      return this.#show(path, () => insights(query), id);
    }
    return answer(404, id, notFound);
  }

  async #show(path: string, make: () => Promise<TextPage>, id: string): Promise<Answer> {
    try {
      const { contentType, text } = await make();
      const page = answer(200, id, Buffer.from(text));
      page.headers.push("Content-Type", contentType);
      return page;
    } catch (error) {
      this.#options.log(defectReport(error, path, id));
      return answer(500, id, noBody);
    }
  }

  #respondToPost(exchange: Exchange, body: Buffer): MaybePromise<Answer> {
    try {
      const result = this.#execute(exchange, body);
      if (!(result instanceof Promise)) return this.#succeed(exchange, result);
      return result
        .then((value) => this.#succeed(exchange, value))
        .catch((error) => this.#fail(exchange, error));
    } catch (error) {
      return this.#fail(exchange, error);
    }
  }

  #execute(exchange: Exchange, body: Buffer): MaybePromise<unknown> {
    const { headers, url } = exchange.request;
    const input = body.length === 0 ? undefined : parseJson(body);
    const operation = operationOf(headers["x-amz-target"]);
    if (operation === undefined) throw unknownOperation();
    const signer = this.#signatures.read(headers, url);
    if (typeof input !== "object" || input === null || Array.isArray(input)) throw bodyNotJson();
    exchange.operation = operation;
    const caller: Caller = this.#options.shared ? sharedCaller : signer;
    return this.#workbench.execute(operation, input, caller);
  }

  /** Some operations answer with no body at all. */
  #succeed(exchange: Exchange, result: unknown): MaybePromise<Answer> {
    return exchange.send(200, result === undefined ? noBody : this.#options.toBytes(result));
  }

  #fail(exchange: Exchange, error: unknown): MaybePromise<Answer> {
    if (error instanceof ServiceError) return this.#refuse(exchange, error);
    // The service says no more than this about a body that cannot be unfolded.
    if (error instanceof DecodedTooLargeError) return answer(413, exchange.id, noBody);
    if (!(error instanceof UndecodableError)) {
      this.#options.log(defectReport(error, exchange.operation, exchange.id));
    }
    return this.#refuse(exchange, internalServerError(exchange.id));
  }

  #refuse(exchange: Exchange, error: ServiceError): MaybePromise<Answer> {
    return exchange.send(error.status, this.#options.toBytes(errorBody(error)));
  }
}

/** One POST and what its answer needs to know of it. */
class Exchange {
  readonly request: WireRequest;
  readonly id: string;
  readonly contentType: string;
  operation = "request";

  constructor(request: WireRequest, id: string, contentType: string) {
    this.request = request;
    this.id = id;
    this.contentType = contentType;
  }

  send(status: number, body: Buffer): MaybePromise<Answer> {
    const accepted = this.request.headers["accept-encoding"];
    if (accepted !== undefined && body.length >= compressedAnswerBytesMin) {
      const encoding = chooseEncoding(accepted);
      if (encoding !== undefined) {
        return encode(body, encoding).then((encoded) => {
          const compressed = this.#finish(status, encoded);
          compressed.headers.push("Content-Encoding", encoding);
          return compressed;
        });
      }
    }
    return this.#finish(status, body);
  }

  #finish(status: number, body: Buffer): Answer {
    const finished = answer(status, this.id, body);
    finished.headers.push("Content-Type", this.contentType);
    return withOrigin(this.request, finished);
  }
}

function withOrigin(request: WireRequest, to: Answer): Answer {
  if (request.headers.origin !== undefined) addOriginHeaders(to.headers);
  return to;
}

/** The media type without its parameters; undefined if the service does not take it. */
function mediaType(headers: WireHeaders): string | undefined {
  const header = headers["content-type"];
  if (header === undefined || header === amzJson) return header;
  const end = header.indexOf(";");
  const type = (end === -1 ? header : header.slice(0, end)).trim().toLowerCase();
  if (type === newerAmzJson && isScalingTarget(headers["x-amz-target"])) return type;
  return type === amzJson || type === plainJson ? type : undefined;
}

function pathOf(url: string): string {
  const mark = url.indexOf("?");
  return mark === -1 ? url : url.slice(0, mark);
}

/** Bytes that are no UTF-8 would otherwise be stored as replacement characters. */
function parseJson(body: Buffer): unknown {
  // Nearly all bodies are plain ASCII, which is text without any decoding.
  const plain = isAscii(body);
  if (!plain && !isUtf8(body)) throw bodyNotJson();
  try {
    return JSON.parse(body.toString(plain ? "latin1" : "utf8"));
  } catch {
    throw bodyNotJson();
  }
}

/** An error's message may quote a client's data, so only its name and its frames are told. */
function defectReport(error: unknown, operation: string, id: string): string {
  const name = error instanceof Error ? error.name : typeof error;
  const stack = (error instanceof Error && error.stack) || "";
  const frames = stack.split("\n").filter((line) => line.startsWith("    at "));
  return [`keywright: ${operation} ${id} failed with ${name}`, ...frames, ""].join("\n");
}
