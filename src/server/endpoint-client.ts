import { createHash, createHmac } from "node:crypto";
import { ServiceError } from "../api/errors/service-error.ts";
import { answeredError } from "../api/errors/wire.ts";

export interface EndpointSettings {
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  readonly now: () => Date;
  /** Waits so long; for tests. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

const attemptsMax = 6;
const firstPauseMs = 100;

/** Asks any endpoint of the DynamoDB API. What is throttled, or fails on the other side, is asked again. */
export class EndpointClient {
  readonly #settings: EndpointSettings;

  constructor(settings: EndpointSettings) {
    this.#settings = settings;
  }

  async execute(operation: string, body: object): Promise<object> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(operation, body);
      } catch (error) {
        if (attempt === attemptsMax || !isPassing(error)) throw error;
        await this.#settings.pause(firstPauseMs * 2 ** attempt);
      }
    }
  }

  async #once(operation: string, body: object): Promise<object> {
    const text = JSON.stringify(body);
    const answer = await fetch(this.#settings.url, {
      method: "POST",
      headers: signedHeaders(this.#settings, operation, text),
      body: text,
    });
    const content = await answer.text();
    const json = parsed(content);
    if (answer.ok && json !== undefined) return json;
    throw answeredError(answer.status, json ?? {});
  }
}

function parsed(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

const passing = [
  "ThrottlingException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
];

function isPassing(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return true;
  return error.status >= 500 || passing.includes(error.type);
}

/** Signature Version 4, of requests as this client makes them. */
export function signedHeaders(
  settings: Omit<EndpointSettings, "pause">,
  operation: string,
  body: string,
): Record<string, string> {
  const { url, region, accessKeyId, secretAccessKey, sessionToken, now } = settings;
  const { host, pathname } = new URL(url);
  const time = now()
    .toISOString()
    .replaceAll(/[-:]|\.[0-9]+/g, "");
  const day = time.slice(0, 8);
  const headers: Record<string, string> = {
    "content-type": "application/x-amz-json-1.0",
    host,
    "x-amz-date": time,
    ...(sessionToken !== undefined && { "x-amz-security-token": sessionToken }),
    "x-amz-target": `DynamoDB_20120810.${operation}`,
  };
  const names = Object.keys(headers).toSorted();
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join("");
  const request = `POST\n${pathname}\n\n${lines}\n${names.join(";")}\n${sha256(body)}`;
  const scope = `${day}/${region}/dynamodb/aws4_request`;
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(request)}`;
  const key = [day, region, "dynamodb", "aws4_request"].reduce<string | Buffer>(
    (secret, part) => createHmac("sha256", secret).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  const signature = createHmac("sha256", key).update(toSign).digest("hex");
  const { host: _, ...sent } = headers;
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`,
  };
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
