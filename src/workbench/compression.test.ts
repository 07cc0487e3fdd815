import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Compression } from "../transfers/object-store.ts";
import { decompressed } from "./compression.ts";

const megabyte = 1024 * 1024;

async function* inPieces(bytes: Uint8Array, size = 256 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function contentOf(
  bytes: Uint8Array,
  compression: Compression,
  size?: number,
): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const piece of decompressed(inPieces(bytes, size), compression)) parts.push(piece);
  return Buffer.concat(parts).toString();
}

/** How many bytes there are in memory when the first of them can be read. */
async function heldAtOnce(bytes: Uint8Array, compression: Compression): Promise<number> {
  const before = process.memoryUsage().arrayBuffers;
  const content = decompressed(inPieces(bytes), compression)[Symbol.asyncIterator]();
  await content.next();
  const held = process.memoryUsage().arrayBuffers - before;
  await content.return?.();
  return held;
}

const uint24 = (value: number): Buffer => {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
};

/** A block of Zstandard as it is, and one of a byte again and again. */
const plain = (text: string, last = true): Buffer =>
  Buffer.concat([uint24((Buffer.byteLength(text) << 3) | Number(last)), Buffer.from(text)]);
const repeated = (byte: string, count: number, last = false): Buffer =>
  Buffer.concat([uint24((count << 3) | 2 | Number(last)), Buffer.from(byte)]);

/** `windowLog` is the power of two that the window is large. */
const frame = (windowLog: number, ...blocks: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, (windowLog - 10) << 3]), ...blocks]);

const skippable = (content: string): Buffer => {
  const head = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, Buffer.from(content)]);
};

test("one frame after the other, in pieces of any size", async () => {
  const file = Buffer.concat([
    skippable("not for us"),
    frame(17, plain("one ", false), plain("two ")),
    skippable(""),
    frame(17, repeated("x", 5, true)),
  ]);
  for (const size of [1, 3, 7, file.length]) {
    expect(await contentOf(file, "ZSTD", size)).toBe("one two xxxxx");
  }
});

test("a file may be made of very many frames", async () => {
  const file = Buffer.concat(Array.from({ length: 13_000 }, () => frame(10, plain("0123456789"))));
  expect(await contentOf(file, "ZSTD")).toHaveLength(130_000);
});

test("of a few bytes that stand for many, not all are there at once", async () => {
  const blocks = Array.from({ length: 800 }, () => repeated("\n", 131_072));
  const zstd = frame(17, ...blocks, plain("end"));
  expect(await heldAtOnce(zstd, "ZSTD")).toBeLessThan(8 * megabyte);
  const gzip = gzipSync(Buffer.alloc(100 * megabyte), { level: 9 });
  expect(await heldAtOnce(gzip, "GZIP")).toBeLessThan(48 * megabyte);
});

test("a window that takes gigabytes is refused", async () => {
  const file = frame(31, ...Array.from({ length: 20 }, () => repeated("a", 131_072)), plain("end"));
  await expect(contentOf(file, "ZSTD")).rejects.toThrow("its window is too large");
  // The size of the content is the window of a frame that is one segment.
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(2n ** 30n);
  const single = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xe0]), size, plain("end")]);
  await expect(contentOf(single, "ZSTD")).rejects.toThrow("its window is too large");
  expect(await contentOf(frame(27, plain("fits")), "ZSTD")).toBe("fits");
});

test.each([
  ["nothing of the kind", Buffer.from('{"Item":{}}'), "it does not begin as a frame does"],
  ["something behind it", Buffer.concat([frame(17, plain("a")), Buffer.from("more")]), "frame"],
  ["no end", frame(17, plain("a", false)), "unexpected EOF"],
  ["half a block", frame(17, plain("a long text")).subarray(0, 14), "unexpected EOF"],
  ["too large a block", frame(17, repeated("a", 200_000, true)), "a block is too large"],
])("what is no Zstandard is told: %s", async (_, bytes, message) => {
  await expect(contentOf(bytes, "ZSTD")).rejects.toThrow(message);
});

test("gzip: several members, and what is not one", async () => {
  const file = Buffer.concat([gzipSync("one "), gzipSync("two")]);
  expect(await contentOf(file, "GZIP", 3)).toBe("one two");
  await expect(contentOf(file.subarray(0, -5), "GZIP")).rejects.toThrow("unexpected end of file");
  await expect(contentOf(Buffer.from("text"), "GZIP")).rejects.toThrow("incorrect header check");
  await expect(contentOf(Buffer.concat([file, Buffer.from("text")]), "GZIP")).rejects.toThrow();
});

test("a large file of gzip leaves no listeners behind", async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error): void => void warnings.push(warning);
  process.on("warning", listen);
  const content = "a".repeat(8 * megabyte);
  expect(await contentOf(gzipSync(content), "GZIP", 256)).toBe(content);
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", listen);
  expect(warnings).toEqual([]);
});
