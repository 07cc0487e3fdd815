import type { Random } from "../random.ts";
import { decode, flushedAt, type SystemCall, writing } from "./trace.ts";

/** So much of a file reaches the disk at once. */
const pageBytes = 4096;

interface PageWrite {
  readonly at: number;
  readonly bytes: Buffer;
  readonly start: number;
  /** When it had surely reached the disk; undefined: never. */
  readonly flushed: number | undefined;
}

/**
 * What a disk may hold of a file when the power fails. A page that was written but not flushed may be
 * there as it was after any of its writes, whatever became of the other pages.
 */
export class Disk {
  readonly #pages = new Map<number, PageWrite[]>();
  /** When the file was written last. */
  readonly last: number;

  /** `calls` are all of a server that has made the file. */
  constructor(calls: readonly SystemCall[], file: string, flushes = true) {
    const own = calls.filter((call) => call.file === file);
    const positions = new Map<number, number>();
    let last = 0;
    for (const call of own) {
      if (call.name === "lseek") positions.set(call.descriptor, call.result);
      if (!writing.includes(call.name) || !call.succeeded) continue;
      last = call.start;
      const bytes = bytesOf(call);
      const offset = offsetOf(call) ?? positions.get(call.descriptor) ?? 0;
      if (offsetOf(call) === undefined) positions.set(call.descriptor, offset + bytes.length);
      this.#add(offset, bytes, call.start, flushes ? flushedAt(own, call) : undefined);
    }
    this.last = last;
  }

  #add(offset: number, bytes: Buffer, start: number, flushed: number | undefined): void {
    for (let done = 0; done < bytes.length; ) {
      const at = offset + done;
      const page = Math.floor(at / pageBytes);
      const length = Math.min((page + 1) * pageBytes - at, bytes.length - done);
      const write = { at, bytes: bytes.subarray(done, done + length), start, flushed };
      const writes = this.#pages.get(page);
      if (writes === undefined) this.#pages.set(page, [write]);
      else writes.push(write);
      done += length;
    }
  }

  /** The file after a power cut at that time. `share` of what was not flushed is there by chance. */
  image(time: number, random: Random, share: number): Buffer {
    const last = Math.max(...this.#pages.keys());
    const image = Buffer.alloc((last + 1) * pageBytes);
    for (const writes of this.#pages.values()) {
      const begun = writes.filter(({ start }) => start <= time);
      let kept = begun.findLastIndex(({ flushed }) => flushed !== undefined && flushed <= time) + 1;
      while (kept < begun.length && random.chance(share)) kept += 1;
      for (const { at, bytes } of begun.slice(0, kept)) bytes.copy(image, at);
    }
    return image;
  }
}

/** What was written: all strings of the call, one after the other. */
function bytesOf({ raw, result }: SystemCall): Buffer {
  const strings = [...raw.matchAll(/(?:iov_base=|, )"([^"]*)"/g)].map(([, text = ""]) => text);
  return Buffer.from(decode(strings.join("")), "latin1").subarray(0, result);
}

function offsetOf({ name, raw }: SystemCall): number | undefined {
  return name.startsWith("pwrite") ? Number(/, ([0-9]+)$/.exec(raw)?.[1]) : undefined;
}
