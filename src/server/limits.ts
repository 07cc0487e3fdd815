/** The bounds of the HTTP layer. What an operation allows is checked further in. */

/** The service answers 413 beyond this many bytes of body, as sent. */
export const bodyBytesMax = 16 * 1024 * 1024;

/**
 * A compressed body may unfold to this much. The service allows far more; here the bound keeps a few
 * kilobytes from claiming all memory, and four times the plain limit holds every sensible request.
 */
export const decodedBodyBytesMax = 64 * 1024 * 1024;

/** So much of an oversized body is read and dropped before the socket is cut. */
export const discardedBytesMax = 4 * bodyBytesMax;

/** The request line and all headers together; a presigned URL with a session token fits easily. */
export const headerBytesMax = 32 * 1024;

/** Answers of this size or more are compressed for clients that ask for it, as the service does. */
export const compressedAnswerBytesMin = 4_096;

/** How long a connection may take over things; without such bounds slow clients gather for ever. */
export interface Timeouts {
  /** Between two requests. */
  readonly keepAliveMs: number;
  /** From the first byte of a request, or from the connection, to the end of its headers. */
  readonly headersMs: number;
  /** From the first byte of a request to the end of its body. */
  readonly requestMs: number;
  /** Without a byte in either direction: what is left are clients that never read their answer. */
  readonly silenceMs: number;
  /** The times for headers and request are looked at this often. */
  readonly checkMs: number;
}

export const defaultTimeouts: Timeouts = {
  // Longer than the idle time of common clients, so that they, not we, drop an idle connection.
  keepAliveMs: 65_000,
  headersMs: 60_000,
  requestMs: 300_000,
  silenceMs: 120_000,
  checkMs: 10_000,
};

/** When the server stops, a request that is still being uploaded has this long to arrive. */
export const uploadGraceMs = 2_000;
