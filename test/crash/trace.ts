import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** One call of the system, as `strace -ff -ttt -T -y` writes it. */
export interface SystemCall {
  readonly name: string;
  /** Seconds. */
  readonly start: number;
  readonly end: number;
  readonly succeeded: boolean;
  /** The file descriptor that it is about, -1 if none, and the file or socket behind it. */
  readonly descriptor: number;
  readonly file: string;
  /** All arguments, in one character per byte. */
  readonly text: string;
  /** The same as strace writes them. */
  readonly raw: string;
  readonly result: number;
}

/** The bytes of a string that strace has written in hexadecimal digits, one character each. */
export const decode = (text: string): string =>
  text.replace(/\\x([0-9a-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );

const reading = ["read", "readv", "recvfrom", "recvmsg"];
export const writing = ["write", "writev", "sendto", "sendmsg", "pwrite64", "pwritev", "pwritev2"];
export const flushing = ["fsync", "fdatasync"];

/** The command that runs another one and writes its calls to files that begin with the prefix. */
export function tracing(prefix: string): readonly string[] {
  const calls = [...reading, ...writing, ...flushing, "msync", "lseek", "openat", "open"];
  return [
    ...["strace", "-ff", "-ttt", "-T", "-y", "-xx", "-s", "1000000"],
    ...["-e", `trace=${calls.map((name) => `?${name}`).join(",")}`, "-e", "signal=none"],
    ...["-o", prefix],
  ];
}

/** Whether strace is here and may trace. */
export function mayTrace(): boolean {
  return spawnSync("strace", ["-f", "-o", "/dev/null", "true"]).status === 0;
}

/** The calls of all threads, by their beginning. */
export function readTrace(prefix: string): SystemCall[] {
  const folder = dirname(prefix);
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(prefix)}.`))
    .flatMap((name) => readFileSync(join(folder, name), "latin1").split("\n"))
    .flatMap(parseCall)
    .sort((a, b) => a.start - b.start);
}

const line = /^([0-9.]+) (\w+)\((.*)\)\s+= (-?[0-9]+)(<[^>]*>)?[^<]*<([0-9.]+)>$/;

export function parseCall(text: string): SystemCall[] {
  const parts = line.exec(text);
  if (parts === null) return [];
  const [, start, name = "", raw = "", result, opened = "", duration] = parts;
  const [, descriptor, file] = /^([0-9]+)<([^>]*)>/.exec(raw) ?? [];
  const opening = name.startsWith("open");
  return [
    {
      name,
      start: Number(start),
      end: Number(start) + Number(duration),
      succeeded: Number(result) >= 0,
      descriptor: opening ? Number(result) : Number(descriptor ?? -1),
      file: decode(opening ? opened.slice(1, -1) : (file ?? "")),
      text: decode(raw),
      raw,
      result: Number(result),
    },
  ];
}

/** The arrival of the request that holds the marker, and the beginning of its answer. */
export function exchange(
  calls: readonly SystemCall[],
  marker: string,
): { readonly asked?: SystemCall; readonly answer?: SystemCall } {
  const isSocket = ({ file }: SystemCall) => file.startsWith("socket:") || file.startsWith("TCP");
  const asked = calls.find(
    (call) => reading.includes(call.name) && isSocket(call) && call.text.includes(marker),
  );
  if (asked === undefined) return {};
  const answer = calls.find(
    (call) => writing.includes(call.name) && call.file === asked.file && call.start >= asked.end,
  );
  return answer === undefined ? { asked } : { asked, answer };
}

/**
 * Whether a request was answered only when what it wrote was on disk; otherwise, what was missing. The
 * marker is a word that its item holds and nothing else does. A commit of LMDB writes pages, flushes them,
 * then writes the root that makes them count, through a descriptor whose writes are flushed each.
 */
export function judge(calls: readonly SystemCall[], dataFile: string, marker: string): string {
  const { asked, answer } = exchange(calls, marker);
  if (asked === undefined) return "no request";
  if (answer === undefined) return "no answer";
  if (!answer.text.includes("HTTP/1.1 200")) return "a bad answer";

  const before = calls.filter((call) => call.file === dataFile && call.end <= answer.start);
  const writes = before.filter((call) => writing.includes(call.name) && call.succeeded);
  const item = writes.find((call) => call.start >= asked.end && call.text.includes(marker));
  if (item === undefined) return "answered before it was written";
  const flushed = flushedAt(before, item);
  if (flushed === undefined) return "answered before it was flushed";
  const root = writes.find(
    (call) => call.start >= flushed && flushedAt(before, call) !== undefined,
  );
  return root === undefined ? "answered before its root was on disk" : "on disk";
}

/** When a write to a file had reached the disk, if it ever did; `calls` are those about that file. */
export function flushedAt(calls: readonly SystemCall[], write: SystemCall): number | undefined {
  const opening = calls.findLast(
    (call) =>
      call.name.startsWith("open") &&
      call.descriptor === write.descriptor &&
      call.start <= write.start,
  );
  if (opening !== undefined && /\bO_D?SYNC\b/.test(opening.text)) return write.end;
  const flush = calls.find(
    (call) =>
      call.succeeded &&
      call.start >= write.end &&
      (flushing.includes(call.name) || (call.name === "msync" && call.text.includes("MS_SYNC"))),
  );
  return flush?.end;
}
