import { STATUS_CODES } from "node:http";
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

/** Up to this size an answer is made as text: Node writes that without a buffer. */
const textBytesMax = 4_096;

/** An answer as it leaves, text with one byte a character. Without `keepAliveMs` it is the last one. */
export function answerBytes(answer: Answer, keepAliveMs: number | undefined): string | Buffer {
  const { body } = answer;
  const head = headText(answer, keepAliveMs);
  if (body.length <= textBytesMax) return head + body.toString("latin1");
  const bytes = Buffer.allocUnsafe(head.length + body.length);
  bytes.write(head, "latin1");
  body.copy(bytes, head.length);
  return bytes;
}

function headText({ status, headers }: Answer, keepAliveMs: number | undefined): string {
  let text = `HTTP/1.1 ${status} ${status === 200 ? "OK" : STATUS_CODES[status]}\r\n`;
  for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return text + dateLine() + connectionLines(keepAliveMs);
}

function connectionLines(keepAliveMs: number | undefined): string {
  if (keepAliveMs === undefined) return "Connection: close\r\n\r\n";
  const seconds = Math.floor(keepAliveMs / 1_000);
  return `Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`;
}

let date = "";
let dateUntil = 0;

/** The same for a second. */
function dateLine(): string {
  const now = Date.now();
  if (now >= dateUntil || now < dateUntil - 1_000) {
    dateUntil = now - (now % 1_000) + 1_000;
    date = `Date: ${new Date(now).toUTCString()}\r\n`;
  }
  return date;
}
