import { gunzipSync, inflateSync } from "node:zlib";
import { registry } from "../../src/operations/registry.ts";
import type { Case } from "./cases.ts";
import type { Exchange, Reply } from "./http.ts";
import { resultMembers } from "./result-members.ts";

/** How a case ended, for the counts; and what was wrong about it, if anything. */
export interface Verdict {
  readonly outcome: string;
  readonly complaint?: string;
}

/** What holds of every answer, whatever was sent, and of the answers to this case in particular. */
export function judge(sent: Case, exchange: Exchange): Verdict {
  const { replies, trouble } = exchange;
  if (trouble !== undefined) return { outcome: "trouble", complaint: trouble };
  const { due } = sent.sending;
  if (due !== undefined && replies.length !== due) {
    return { outcome: "trouble", complaint: `${replies.length} answers instead of ${due}` };
  }
  let outcome = replies.length === 0 ? "no answer due" : "";
  for (const reply of replies) {
    const verdict = judgeReply(sent, reply);
    if (verdict.complaint !== undefined) return verdict;
    outcome = verdict.outcome;
  }
  return { outcome };
}

/** The statuses that the HTTP layer answers by itself: no request id and no body. */
const bareStatuses = new Set([400, 408, 413, 417, 431]);

function judgeReply(sent: Case, reply: Reply): Verdict {
  const { status, headers, body } = reply;
  const outcome = String(status);
  const complain = (complaint: string): Verdict => ({ outcome, complaint });
  if (!headers.has("x-amzn-requestid")) {
    if (sent.operation !== undefined) return complain(`${status} without a request id`);
    if (!bareStatuses.has(status)) return complain(`a bare ${status}`);
    return body.length === 0
      ? { outcome: `bare ${status}` }
      : complain("a bare answer with a body");
  }
  if (!/^[0-9A-V]{52}$/.test(headers.get("x-amzn-requestid") ?? "")) return complain("request id");
  if (sent.sending.bodiless) return { outcome };
  if (headers.get("content-length") !== String(body.length)) return complain("content length");
  if (headers.get("x-amz-crc32") !== String(crc32(body))) return complain("checksum");
  const unfit = unfitStatus(sent, status);
  if (unfit !== undefined) return complain(unfit);
  const type = headers.get("content-type");
  if (type === undefined) {
    return sent.operation === undefined
      ? { outcome: `plain ${status}` }
      : complain("no content type");
  }
  const problem = problemOfJson(sent, status, decoded(reply));
  if (problem.complaint !== undefined) return { outcome, complaint: problem.complaint };
  return { outcome: problem.type === undefined ? outcome : `${status} ${problem.type}` };
}

/** The one 500 that the service itself answers is that of a body which cannot be unfolded. */
function unfitStatus({ unfolds }: Case, status: number): string | undefined {
  if (unfolds === "no") return status === 500 ? undefined : `${status} for a broken encoding`;
  if (unfolds === "tooLarge") return status === 413 ? undefined : `${status} for a bomb`;
  if (status === 200 || (status >= 400 && status < 500)) return undefined;
  return `status ${status}`;
}

function decoded({ headers, body }: Reply): Buffer {
  const encoding = headers.get("content-encoding");
  if (encoding === "gzip") return gunzipSync(body);
  return encoding === "deflate" ? inflateSync(body) : body;
}

interface Content {
  readonly type?: string;
  readonly complaint?: string;
}

/** The two error types that may have nothing to say. */
const silentTypes = new Set(["SerializationException", "UnknownOperationException"]);
const typePattern = /^com\.amazon(?:aws\.dynamodb\.v20120810|\.coral\.[a-z]+)#([A-Za-z]+)$/;

function problemOfJson(sent: Case, status: number, body: Buffer): Content {
  let json: Record<string, unknown>;
  try {
    json = JSON.parse(body.toString()) as Record<string, unknown>;
  } catch {
    return { complaint: "an answer that is no JSON" };
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return { complaint: "an answer that is no JSON object" };
  }
  if (status === 200) return problemOfResult(sent, json);
  const type = typePattern.exec(String(json.__type))?.[1];
  if (type === undefined) return { complaint: `error type ${String(json.__type)}` };
  const texts = [json.message, json.Message].filter((text) => text !== undefined);
  if (texts.length > 1) return { complaint: "two messages" };
  const [text] = texts;
  if (text === undefined) return silentTypes.has(type) ? { type } : { complaint: `silent ${type}` };
  if (typeof text !== "string" || text === "") return { complaint: `message of ${type}` };
  const slip = slipIn(sent, text);
  return slip === undefined ? { type } : { complaint: `"${slip}" in: ${text.slice(0, 200)}` };
}

const slips = ["[object ", "undefined", "NaN", "Infinity", "RawJson", "node:"];
/** Words of the service's own messages that look like slips. */
const innocent = /an (expression attribute name|attribute name) .{0,80}undefined|is not defined/s;

/** A word in a message that only a programming mistake puts there. */
function slipIn(sent: Case, message: string): string | undefined {
  const request = Buffer.concat(sent.sending.pieces).toString("latin1");
  return slips.find(
    (slip) => message.includes(slip) && !request.includes(slip) && !innocent.test(message),
  );
}

function problemOfResult({ operation }: Case, json: Record<string, unknown>): Content {
  if (operation === undefined) return {};
  const allowed = resultMembers[operation];
  if (allowed === undefined) {
    const known = registry.get(operation) !== undefined;
    return { complaint: known ? `say what ${operation} answers` : `${operation} was answered` };
  }
  const stranger = Object.keys(json).find((name) => !allowed.includes(name));
  return stranger === undefined ? {} : { complaint: `${operation} answered ${stranger}` };
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Written out, so that it shares nothing with the server. */
export function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] as number);
  return (crc ^ 0xffffffff) >>> 0;
}
