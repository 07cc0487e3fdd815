import { crc32 } from "node:zlib";

/** One HTTP answer, ready to be written: names and values alternate in `headers`. */
export interface Answer {
  readonly status: number;
  readonly headers: string[];
  readonly body: Buffer;
}

export const noBody = Buffer.alloc(0);

/** An answer with the headers that all answers share; the checksum is of the bytes as sent. */
export function answer(status: number, requestId: string, body: Buffer): Answer {
  return {
    status,
    headers: [
      "Server",
      "Server",
      "x-amzn-RequestId",
      requestId,
      "x-amz-crc32",
      crc32(body).toString(),
      "Content-Length",
      body.length.toString(),
    ],
    body,
  };
}
