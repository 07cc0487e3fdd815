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

/** Longer than the idle time of common clients, so that they, not we, drop an idle connection. */
export const keepAliveMs = 65_000;

export const headersTimeoutMs = 60_000;

export const requestTimeoutMs = 300_000;

/** When the server stops, a request that is still being uploaded has this long to arrive. */
export const uploadGraceMs = 2_000;
