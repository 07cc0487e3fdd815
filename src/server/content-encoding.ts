import { deflate, gunzip, gzip, type InputType, inflate, type ZlibOptions } from "node:zlib";
import { decodedBodyBytesMax } from "./limits.ts";

export type Encoding = "gzip" | "deflate";

/** A body that unfolds to more than the server takes. */
export class DecodedTooLargeError extends Error {
  override readonly name = "DecodedTooLargeError";
}

/** A body that is not what its `Content-Encoding` says, or an encoding nobody here knows. */
export class UndecodableError extends Error {
  override readonly name = "UndecodableError";
}

export function isPlain(contentEncoding: string | undefined): boolean {
  return contentEncoding === undefined || contentEncoding === "" || contentEncoding === "identity";
}

export function decode(body: Buffer, contentEncoding: string): Promise<Buffer> {
  const name = contentEncoding.trim().toLowerCase();
  if (name !== "gzip" && name !== "deflate") return Promise.reject(new UndecodableError());
  return new Promise((resolve, reject) => {
    const unfold = name === "gzip" ? gunzip : inflate;
    unfold(body, { maxOutputLength: decodedBodyBytesMax }, (error, decoded) => {
      if (error === null) return resolve(decoded);
      const tooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
      reject(tooLarge ? new DecodedTooLargeError() : new UndecodableError());
    });
  });
}

export function encode(body: Buffer, encoding: Encoding): Promise<Buffer> {
  const fold: (
    input: InputType,
    options: ZlibOptions,
    done: (error: Error | null, result: Buffer<ArrayBuffer>) => void,
  ) => void = encoding === "gzip" ? gzip : deflate;
  return new Promise((resolve, reject) => {
    fold(body, { level: 6 }, (error, encoded) => {
      if (error === null) resolve(encoded);
      else reject(error);
    });
  });
}

/**
 * Which encoding the service chooses for an `Accept-Encoding` header: the highest quality wins, the
 * first named on a tie; `*` stands for what is not named, gzip before deflate; `identity` counts for
 * nothing. A quality that is no number counts as 1, like one above 1.
 */
export function chooseEncoding(acceptEncoding: string): Encoding | undefined {
  if (acceptEncoding === "gzip") return "gzip";
  const qualities = new Map<string, number>();
  for (const entry of acceptEncoding.split(",")) {
    const [name = "", ...parameters] = entry.split(";");
    const key = name.trim().toLowerCase();
    if (key !== "gzip" && key !== "deflate" && key !== "*") continue;
    const quality = qualityOf(parameters);
    // Named twice: the better one counts.
    if (quality > (qualities.get(key) ?? -1)) qualities.set(key, quality);
  }
  const others = qualities.get("*");
  if (others !== undefined) {
    qualities.delete("*");
    if (!qualities.has("gzip")) qualities.set("gzip", others);
    if (!qualities.has("deflate")) qualities.set("deflate", others);
  }
  let best: Encoding | undefined;
  let bestQuality = 0;
  for (const [name, quality] of qualities) {
    if (quality > bestQuality) {
      best = name as Encoding;
      bestQuality = quality;
    }
  }
  return best;
}

function qualityOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const [name = "", value = ""] = parameter.split("=");
    if (name.trim().toLowerCase() !== "q") continue;
    const quality = Number(value.trim());
    if (value.trim() === "" || Number.isNaN(quality)) return 1;
    return Math.min(Math.max(quality, 0), 1);
  }
  return 1;
}
