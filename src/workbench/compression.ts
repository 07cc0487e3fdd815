import { constants, createGunzip } from "node:zlib";
import { UnreadableError } from "../formats/unreadable.ts";
import type { Compression } from "../transfers/object-store.ts";
import { ZstdBlocks } from "./zstd-blocks.ts";

/** The content of what was compressed, piece by piece. */
export function decompressed(
  source: AsyncIterable<Uint8Array>,
  compression: Compression,
): AsyncIterable<Uint8Array> {
  if (compression === "GZIP") return gunzipped(source);
  return compression === "ZSTD" ? unzstd(source) : source;
}

/** So much is decompressed at once: a thousand times as much can come of it. */
const gzipBytes = 32 * 1024;

/** An object without a byte is nothing in every compression: the service takes it for no items. */
async function* gunzipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ finishFlush: constants.Z_FINISH, chunkSize: 64 * 1024 });
  const ready: Uint8Array[] = [];
  let failure: unknown;
  let over = false;
  let settled = (): void => {};
  gunzip.on("data", (piece: Uint8Array) => ready.push(piece));
  gunzip.on("end", () => {
    over = true;
    settled();
  });
  gunzip.on("error", (error) => {
    failure = error;
    over = true;
    settled();
  });
  const settle = (act: () => void): Promise<void> =>
    new Promise((resolve) => {
      settled = resolve;
      act();
    });
  let any = false;
  try {
    for await (const piece of source) {
      for (let at = 0; at < piece.length && !over; at += gzipBytes) {
        any = true;
        const part = piece.subarray(at, at + gzipBytes);
        await settle(() => void gunzip.write(part, () => settled()));
        yield* ready.splice(0);
      }
      // Nothing is read that is behind the end of what was compressed.
      if (over) break;
    }
    if (!any) return;
    if (!over) await settle(() => void gunzip.end());
    yield* ready.splice(0);
    if (failure !== undefined) throw broken("gzip", failure);
  } finally {
    gunzip.destroy();
  }
}

/** The library is loaded when it is needed, which is hardly ever. */
async function* unzstd(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { Decompress } = await import("fzstd");
  const ready: Uint8Array[] = [];
  // The library uses its memory again.
  const stream = new Decompress((piece) => void ready.push(Uint8Array.from(piece)));
  function* content(parts: Iterable<Uint8Array>, last: boolean): Generator<Uint8Array> {
    try {
      for (const part of parts) {
        // It keeps what it was given, and the file's buffer is used again, too.
        stream.push(Uint8Array.from(part), last);
        yield* ready.splice(0);
      }
    } catch (error) {
      throw broken("Zstandard", error);
    }
  }
  const blocks = new ZstdBlocks();
  let any = false;
  for await (const piece of source) {
    any ||= piece.length > 0;
    yield* content(blocks.push(piece), false);
  }
  if (any) yield* content([blocks.rest], true);
}

function broken(kind: "gzip" | "Zstandard", error: unknown): UnreadableError {
  const reason = error instanceof Error ? error.message : String(error);
  return new UnreadableError(`The object is not ${kind}, or not to its end: ${reason}.`);
}
