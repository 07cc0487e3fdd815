import { randomFillSync } from "node:crypto";

const idLength = 52;
const alphabet = Buffer.from("0123456789ABCDEFGHIJKLMNOPQRSTUV", "latin1");
const pool = Buffer.allocUnsafe(idLength * 128);
const id = Buffer.allocUnsafe(idLength);
let used = pool.length;

/** 52 digits and capitals, as the service's own ids. Randomness is drawn for many ids at once. */
export function requestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  for (let i = 0; i < idLength; i += 1) {
    id[i] = alphabet[(pool[used + i] as number) & 31] as number;
  }
  used += idLength;
  return id.toString("latin1");
}
