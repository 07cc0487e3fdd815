import {
  credentialScopeMalformed,
  incompleteAuthorizationHeader,
  incompleteSignatureQuery,
  missingAuthenticationToken,
  signatureGivenTwice,
} from "../api/errors/wire.ts";
import { accountOf } from "../workbench/account.ts";
import type { Caller } from "../workbench/workbench.ts";
import type { WireHeaders } from "./protocol.ts";

const headerParameters = ["Credential", "Signature", "SignedHeaders"] as const;
const queryParameters = [
  "X-Amz-Algorithm",
  "X-Amz-Credential",
  "X-Amz-Signature",
  "X-Amz-SignedHeaders",
  "X-Amz-Date",
] as const;

/**
 * Reads who signed a request. The form of the signature is checked as the service does, its value is
 * not: there is no secret to check it with. Access key and Region choose the space of tables.
 */
export class SignatureReader {
  /** Clients sign with the same credential all day. */
  readonly #callers = new Map<string, Caller>();

  read(headers: WireHeaders, url: string): Caller {
    return this.#callerOf(credentialOf(headers, url));
  }

  #callerOf(credential: string): Caller {
    const known = this.#callers.get(credential);
    if (known !== undefined) return known;
    const caller = parseCredential(credential);
    if (this.#callers.size >= 1_000) this.#callers.clear();
    this.#callers.set(credential, caller);
    return caller;
  }
}

function credentialOf(headers: WireHeaders, url: string): string {
  const header = headers.authorization;
  const mark = url.indexOf("?");
  const query = mark === -1 ? undefined : new URLSearchParams(url.slice(mark + 1));
  if (query?.has("X-Amz-Algorithm")) {
    if (header) throw signatureGivenTwice();
    return credentialOfQuery(query);
  }
  if (!header?.trimStart().startsWith("AWS4-")) throw missingAuthenticationToken();
  return credentialOfHeader(header, headers["x-amz-date"] ?? headers.date);
}

function credentialOfHeader(header: string, date: string | undefined): string {
  const credential = parameter(header, "Credential");
  const complete =
    credential !== "" &&
    date &&
    parameter(header, "Signature") !== "" &&
    parameter(header, "SignedHeaders") !== "";
  if (complete) return credential;
  const missing = headerParameters.filter((name) => parameter(header, name) === "");
  throw incompleteAuthorizationHeader(missing, Boolean(date), header);
}

function credentialOfQuery(query: URLSearchParams): string {
  const missing = queryParameters.filter((name) => !query.get(name));
  if (missing.length > 0) throw incompleteSignatureQuery(missing);
  return query.get("X-Amz-Credential") ?? "";
}

/** The value of `name=value` in a list parted by commas or blanks; empty if there is none. */
function parameter(header: string, name: string): string {
  let at = header.indexOf(name);
  while (at > 0) {
    const before = header.charCodeAt(at - 1);
    const start = at + name.length;
    if ((before === blank || before === comma) && header.charCodeAt(start) === equals) {
      return header.slice(start + 1, endOfValue(header, start + 1));
    }
    at = header.indexOf(name, start);
  }
  return "";
}

function endOfValue(header: string, start: number): number {
  for (let i = start; i < header.length; i += 1) {
    const code = header.charCodeAt(i);
    if (code === blank || code === comma) return i;
  }
  return header.length;
}

const blank = 0x20;
const comma = 0x2c;
const equals = 0x3d;

/** No Region of the service, but whatever a laptop's settings may call one. */
const regionPattern = /^[A-Za-z0-9_-]{1,64}$/;

function parseCredential(credential: string): Caller {
  const parts = credential.split("/");
  const [accessKey, , region] = parts;
  if (parts.length !== 5 || !accessKey || !region || !regionPattern.test(region)) {
    throw credentialScopeMalformed(credential);
  }
  return { account: accountOf(accessKey), region };
}
