import { once } from "node:events";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import type { RootDatabaseOptionsWithPath } from "lmdb";
import type { WriteBatch } from "../write-batch.ts";
import type { BatchWriter, Settled } from "./direct-writer.ts";
import { libraryWish } from "./library.ts";
import { encodeBatch, encodedBytes, frameHead, frameMark } from "./writer-frames.ts";
import { type WriterData, type WriterMessage, writerProgram } from "./writer-program.ts";

/** A power of two, so that positions that count on and on are places in it. */
const ringBytes = 4 * 1024 * 1024;
const control = { published: 0, consumed: 1, waiting: 2 } as const;

/**
 * Hands batches to a thread that writes and flushes them in the order given, as many as there are in one
 * transaction. They travel through shared memory; what comes back is one message for each transaction.
 *
 * After a failure all batches that were under way are void, and the thread skips those that it had not
 * reached: they may rest on what was not written.
 */
export class WriterThread implements BatchWriter {
  readonly keysWanted = 24;
  readonly #open: RootDatabaseOptionsWithPath;
  readonly #settled: Settled;
  #thread: Thread | undefined;

  constructor(open: RootDatabaseOptionsWithPath, settled: Settled) {
    this.#open = open;
    this.#settled = settled;
  }

  submit(batch: WriteBatch): boolean {
    // Begun with the first write: who only reads needs no second thread.
    this.#thread ??= new Thread(this.#open, (batches, failure) => {
      if (failure instanceof ThreadDied) this.#thread = undefined;
      this.#settled(batches, failure);
    });
    return this.#thread.submit(batch);
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }
}

class ThreadDied extends Error {}

class Thread {
  readonly #worker: Worker;
  readonly #control = new Int32Array(new SharedArrayBuffer(16));
  readonly #ring = Buffer.from(new SharedArrayBuffer(ringBytes));
  readonly #settled: Settled;
  readonly #exited: Promise<unknown>;
  #published = 0;
  #epoch = 0;
  #underWay = 0;
  #closing = false;

  constructor(open: RootDatabaseOptionsWithPath, settled: Settled) {
    this.#settled = settled;
    const workerData: WriterData = {
      lmdb: createRequire(import.meta.url).resolve("lmdb"),
      open,
      control: this.#control.buffer as SharedArrayBuffer,
      ring: this.#ring.buffer as unknown as SharedArrayBuffer,
    };
    this.#worker = new Worker(`(${writerProgram.toString()})(require)`, {
      eval: true,
      workerData,
      // Flags of this process, such as those of a profiler or a test runner, are none of its business.
      execArgv: [],
      env: { ...process.env, ...libraryWish },
    });
    this.#worker.on("message", (message: WriterMessage) => this.#hear(message));
    this.#worker.on("error", (error) => this.#die(error.message));
    this.#worker.on("exit", () => this.#die("it ended"));
    this.#exited = once(this.#worker, "exit");
    this.#worker.unref();
  }

  submit(batch: WriteBatch): boolean {
    const bytes = encodedBytes(batch);
    const large = bytes > ringBytes / 4;
    const at = this.#reserve(large ? frameHead : frameHead + bytes);
    if (at === undefined) return false;
    if (large) {
      const whole = Buffer.from(new SharedArrayBuffer(bytes));
      encodeBatch(batch, whole, 0);
      this.#worker.postMessage(whole);
    } else {
      encodeBatch(batch, this.#ring, at + frameHead);
    }
    this.#publish(at, large ? frameMark.large : bytes);
    if (this.#underWay === 0) this.#worker.ref();
    this.#underWay += 1;
    return true;
  }

  async close(): Promise<void> {
    this.#closing = true;
    const at = this.#reserve(frameHead);
    if (at === undefined) await this.#worker.terminate();
    else this.#publish(at, frameMark.end);
    this.#worker.ref();
    await this.#exited;
  }

  /** A place for so many bytes in one piece, if need be at the ring's beginning. */
  #reserve(bytes: number): number | undefined {
    const used = (this.#published - Atomics.load(this.#control, control.consumed)) >>> 0;
    const at = (this.#published >>> 0) & (ringBytes - 1);
    const rest = ringBytes - at;
    const whole = (bytes + 7) & ~7;
    if (whole <= rest) return used + whole <= ringBytes ? at : undefined;
    if (used + rest + whole > ringBytes) return undefined;
    this.#ring.writeUInt32LE(frameMark.wrap, at);
    this.#published = (this.#published + rest) | 0;
    return 0;
  }

  #publish(at: number, length: number): void {
    this.#ring.writeUInt32LE(length, at);
    this.#ring.writeUInt32LE(this.#epoch, at + 4);
    const body = length >= frameMark.end ? 0 : (length + 7) & ~7;
    this.#published = (this.#published + frameHead + body) | 0;
    Atomics.store(this.#control, control.published, this.#published);
    // If it does not wait, it looks again before it does.
    if (Atomics.load(this.#control, control.waiting) === 1) {
      Atomics.notify(this.#control, control.published);
    }
  }

  #hear({ epoch, frames, error }: WriterMessage): void {
    if (epoch !== this.#epoch) return;
    if (error === undefined) {
      this.#underWay -= frames;
      if (this.#underWay === 0) this.#worker.unref();
      this.#settled(frames, undefined);
    } else {
      this.#epoch += 1;
      this.#fail(Object.assign(new Error(error.message), { code: error.code }));
    }
  }

  #die(reason: string): void {
    if (!this.#closing) this.#fail(new ThreadDied(`The thread that writes has died: ${reason}`));
  }

  #fail(error: Error): void {
    const failed = this.#underWay;
    this.#underWay = 0;
    this.#worker.unref();
    this.#settled(failed, error);
  }
}
