import { constants, createGunzip } from "node:zlib";
import { UnreadableError } from "../formats/unreadable.ts";
import type { Compression } from "../transfers/object-store.ts";

/** The content of what was compressed, piece by piece. */
export function decompressed(
  source: AsyncIterable<Uint8Array>,
  compression: Compression,
): AsyncIterable<Uint8Array> {
  if (compression === "GZIP") return gunzipped(source);
  return compression === "ZSTD" ? unzstd(source) : source;
}

/** An object without a byte is nothing in every compression: the service takes it for no items. */
async function* gunzipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ finishFlush: constants.Z_FINISH });
  const ready: Uint8Array[] = [];
  let failure: unknown;
  gunzip.on("data", (piece: Uint8Array) => ready.push(piece));
  gunzip.on("error", (error) => {
    failure = error;
  });
  let any = false;
  const settle = (act: (done: () => void) => void): Promise<void> =>
    new Promise((resolve) => {
      gunzip.once("error", () => resolve());
      act(resolve);
    });
  try {
    for await (const piece of source) {
      any = true;
      await settle((done) => void gunzip.write(piece, () => done()));
      if (failure !== undefined) break;
      yield* ready.splice(0);
    }
    if (!any) return;
    if (failure === undefined) {
      await settle((done) => {
        gunzip.once("end", done);
        gunzip.end();
      });
    }
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
  let any = false;
  // The library uses its memory again.
  const stream = new Decompress((piece) => void ready.push(Uint8Array.from(piece)));
  const push = (piece: Uint8Array, last: boolean): void => {
    try {
      stream.push(piece, last);
    } catch (error) {
      throw broken("Zstandard", error);
    }
  };
  for await (const piece of source) {
    if (piece.length === 0) continue;
    any = true;
    // It keeps what it was given, and the file's buffer is used again, too.
    push(Uint8Array.from(piece), false);
    yield* ready.splice(0);
  }
  if (!any) return;
  push(new Uint8Array(0), true);
  yield* ready.splice(0);
}

function broken(kind: "gzip" | "Zstandard", error: unknown): UnreadableError {
  const reason = error instanceof Error ? error.message : String(error);
  return new UnreadableError(`The object is not ${kind}, or not to its end: ${reason}.`);
}
