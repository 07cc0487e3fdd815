/**
 * A process that writes and is killed: opens the folder named by its argument, says "open" or the name
 * of the error, then commits pairs of keys that belong together, each with an entry of a log, and says
 * each acknowledged number.
 */
import { openLmdbStore } from "../../src/storage/lmdb/lmdb-store.ts";
import type { Durability } from "../../src/storage/store.ts";

const [path = "", durability = "flush"] = process.argv.slice(2);
const say = (text: string) => process.send?.(text);

try {
  const store = openLmdbStore({ path, durability: durability as Durability });
  say("open");
  for (let n = 0; ; n++) {
    const value = Buffer.alloc(300 + (n % 5_000), n % 256);
    await store.commit([], () => ({
      writes: [
        { kind: "put", key: Buffer.from(`a${n}`), value },
        { kind: "put", key: Buffer.from(`b${n}`), value },
        { kind: "append", log: Buffer.from("log"), value: Buffer.from(String(n)) },
        { kind: "add", counter: Buffer.from("pairs"), count: 1, bytes: value.length },
      ],
      result: undefined,
    }));
    say(String(n));
  }
} catch (error) {
  say(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  process.exit(1);
}
