import { createHmac, timingSafeEqual } from "node:crypto";
import { invalidShardIterator, iteratorExpired } from "../api/errors/streams.ts";
import { shardIteratorMinutes } from "../api/limits.ts";
import type { Bytes } from "../storage/store.ts";

/** A place in a shard, and the moment at which it was handed out. */
export interface ShardPosition {
  readonly shard: number;
  readonly position: number;
  readonly issuedAt: number;
}

const placeBytes = 20;
const sealBytes = 16;
const version = "1";

/**
 * An iterator is the stream's ARN, a version and 36 bytes in base64: the place and a seal over all of it,
 * so that only what was handed out is taken back.
 */
export function iteratorText(arn: string, place: ShardPosition, secret: Bytes): string {
  const bytes = Buffer.allocUnsafe(placeBytes);
  bytes.writeUInt32BE(place.shard, 0);
  bytes.writeBigUInt64BE(BigInt(place.position), 4);
  bytes.writeBigUInt64BE(BigInt(place.issuedAt), 12);
  const sealed = Buffer.concat([bytes, seal(arn, bytes, secret)]);
  return `${arn}|${version}|${sealed.toString("base64")}`;
}

/** Throws if the text was not handed out here, or too long ago. */
export function readIterator(
  text: string,
  secret: Bytes,
  now: number,
): { readonly arn: string; readonly place: ShardPosition } {
  const [arn = "", saidVersion, code = "", ...more] = text.split("|");
  const sealed = Buffer.from(code, "base64");
  const bytes = sealed.subarray(0, placeBytes);
  if (
    saidVersion !== version ||
    more.length > 0 ||
    sealed.length !== placeBytes + sealBytes ||
    // Several texts stand for the same bytes; one of them was handed out.
    sealed.toString("base64") !== code ||
    !timingSafeEqual(sealed.subarray(placeBytes), seal(arn, bytes, secret))
  ) {
    throw invalidShardIterator();
  }
  const place: ShardPosition = {
    shard: bytes.readUInt32BE(0),
    position: Number(bytes.readBigUInt64BE(4)),
    issuedAt: Number(bytes.readBigUInt64BE(12)),
  };
  if (now - place.issuedAt > shardIteratorMinutes * 60_000) throw iteratorExpired();
  return { arn, place };
}

function seal(arn: string, place: Bytes, secret: Bytes): Buffer {
  const digest = createHmac("sha256", secret).update(arn).update("|").update(place).digest();
  return digest.subarray(0, sealBytes);
}
