/** What a page's browser asks before the page may send a request. */
export interface Preflight {
  readonly "access-control-request-headers"?: string | undefined;
  readonly "access-control-request-method"?: string | undefined;
}

/** What a page may read of an answer: the service's own list. */
const exposed = "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date";

/** Adds the headers that every answer to a page carries. */
export function addOriginHeaders(to: string[]): void {
  to.push("Access-Control-Allow-Origin", "*", "Access-Control-Expose-Headers", exposed);
}

/** Adds the answer to a page's question whether it may send a request. */
export function addPreflightHeaders(to: string[], asked: Preflight): void {
  const headers = asked["access-control-request-headers"];
  if (headers !== undefined) to.push("Access-Control-Allow-Headers", headers);
  const method = asked["access-control-request-method"];
  if (method !== undefined) to.push("Access-Control-Allow-Methods", method);
  to.push("Access-Control-Max-Age", "172800");
}
