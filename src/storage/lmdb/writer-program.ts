import type { RootDatabaseOptionsWithPath } from "lmdb";
import type { Bytes } from "../store.ts";

/** What the thread that writes is started with. */
export interface WriterData {
  /** The file of the library. */
  readonly lmdb: string;
  readonly open: RootDatabaseOptionsWithPath;
  readonly control: SharedArrayBuffer;
  readonly ring: SharedArrayBuffer;
}

/** What it says when a transaction has ended: so many frames of this epoch were in it. */
export interface WriterMessage {
  readonly epoch: number;
  readonly frames: number;
  readonly error?: { readonly message: string; readonly code: number | undefined };
}

/**
 * The program of the thread that writes. It is handed over as text, so that it is the same from sources, in
 * tests and in a bundle: nothing outside of this function can be used in it, and the numbers in it are those
 * of `writer-frames.ts`.
 *
 * It takes all frames that are there, writes them in one transaction, says so, and looks again. It needs no
 * turn of the main thread between two transactions, which is busy deciding the next commits meanwhile.
 */
export function writerProgram(require: NodeJS.Require): void {
  const { parentPort, receiveMessageOnPort, workerData } =
    require("node:worker_threads") as typeof import("node:worker_threads");
  if (parentPort === null) return;
  const port = parentPort;
  const data = workerData as WriterData;
  const { open } = require(data.lmdb) as typeof import("lmdb");
  const binary = { encoding: "binary", keyEncoding: "binary" } as const;
  const root = open<Bytes, Bytes>(data.open);
  const entries = root.openDB<Bytes, Bytes>("entries", binary);
  const totals = root.openDB<Bytes, Bytes>("totals", binary);
  const meta = root.openDB<Bytes, Bytes>("meta", binary);
  const control = new Int32Array(data.control);
  const ring = new Uint8Array(data.ring);
  const lengths = new Uint32Array(data.ring);

  interface Frame {
    readonly epoch: number;
    readonly bytes: Buffer;
  }

  // What is written is taken out of the ring first: the library keeps the addresses of what it is given.
  let scratch = Buffer.alloc(ring.length);
  let consumed = 0;
  let ending = false;

  function copied(source: Uint8Array, at: number, length: number, used: number): Buffer {
    if (used + length > scratch.length) return Buffer.from(source.subarray(at, at + length));
    const copy = scratch.subarray(used, used + length);
    copy.set(source.subarray(at, at + length));
    return copy;
  }

  function take(published: number): Frame[] {
    const frames: Frame[] = [];
    let used = 0;
    while (consumed !== published) {
      const at = (consumed >>> 0) & (ring.length - 1);
      const length = lengths[at >> 2] as number;
      const epoch = lengths[(at >> 2) + 1] as number;
      let step = 8;
      if (length === 0xffffffff) {
        step = ring.length - at;
      } else if (length === 0xfffffffe) {
        const large = receiveMessageOnPort(port)?.message as Uint8Array;
        frames.push({ epoch, bytes: Buffer.from(large) });
      } else if (length === 0xfffffffd) {
        ending = true;
      } else {
        frames.push({ epoch, bytes: copied(ring, at + 8, length, used) });
        used += length;
        step += (length + 7) & ~7;
      }
      consumed = (consumed + step) | 0;
    }
    Atomics.store(control, 1, consumed);
    return frames;
  }

  function apply(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      const kind = bytes[at] as number;
      const keyAt = at + 8;
      const valueAt = keyAt + bytes.readUInt16LE(at + 2);
      at = valueAt + bytes.readUInt32LE(at + 4);
      const key = bytes.subarray(keyAt, valueAt);
      if (kind === 0) entries.removeSync(key);
      else if (kind === 1) entries.putSync(key, bytes.subarray(valueAt, at));
      else if (kind === 3) meta.putSync(key, bytes.subarray(valueAt, at));
      else count(key, bytes.subarray(valueAt, at));
    }
  }

  function count(counter: Buffer, change: Buffer): void {
    const added = [change.readDoubleBE(0), change.readDoubleBE(8)] as const;
    const before = change[16] === 1 ? undefined : totals.getBinary(counter);
    if (change[16] === 1 && added[0] === 0 && added[1] === 0) {
      totals.removeSync(counter);
      return;
    }
    const sums = Buffer.alloc(16);
    sums.writeDoubleBE((before?.readDoubleBE(0) ?? 0) + added[0], 0);
    sums.writeDoubleBE((before?.readDoubleBE(8) ?? 0) + added[1], 8);
    totals.putSync(counter, sums);
  }

  /** What was decided after a transaction that failed rests on it: the whole epoch is void. */
  let failedEpoch = -1;
  while (!ending) {
    const published = Atomics.load(control, 0);
    if (published === consumed) {
      Atomics.store(control, 2, 1);
      Atomics.wait(control, 0, published);
      Atomics.store(control, 2, 0);
      continue;
    }
    const frames = take(published).filter(({ epoch }) => epoch !== failedEpoch);
    const epoch = frames[0]?.epoch;
    if (epoch === undefined) continue;
    let message: WriterMessage = { epoch, frames: frames.length };
    try {
      root.transactionSync(() => {
        for (const frame of frames) apply(frame.bytes);
      });
    } catch (error) {
      failedEpoch = epoch;
      const { message: text, code } = error as Error & { code?: number };
      message = { epoch, frames: frames.length, error: { message: text, code } };
    }
    port.postMessage(message);
  }
  scratch = Buffer.alloc(0);
  void root.close().then(() => port.close());
}
