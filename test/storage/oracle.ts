import type {
  Bytes,
  Decision,
  Entry,
  KeyRange,
  ScanOptions,
  ScanPage,
  Totals,
} from "../../src/storage/store.ts";

/** The simplest store that is right: a map, sorted when asked. Shares no code with the others. */
export class OracleStore {
  readonly #values = new Map<string, Bytes>();
  readonly #totals = new Map<string, Totals>();

  commit<T>(
    readKeys: readonly Bytes[],
    decide: (values: readonly (Bytes | undefined)[]) => Decision<T>,
  ): T {
    const { writes, result } = decide(readKeys.map((key) => this.#values.get(hex(key))));
    for (const write of writes) {
      if (write.kind === "put") this.#values.set(hex(write.key), write.value);
      if (write.kind === "delete") this.#values.delete(hex(write.key));
      if (write.kind === "add") {
        const { count, bytes } = this.totals(write.counter);
        this.#totals.set(hex(write.counter), {
          count: count + write.count,
          bytes: bytes + write.bytes,
        });
      }
    }
    return result;
  }

  totals(counter: Bytes): Totals {
    return this.#totals.get(hex(counter)) ?? { count: 0, bytes: 0 };
  }

  scan({ start, end }: KeyRange, { reverse, limit, bytesMax }: ScanOptions): ScanPage {
    const all = [...this.#values]
      .filter(([key]) => key >= hex(start) && key < hex(end))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    if (reverse) all.reverse();
    const entries: Entry[] = [];
    let bytes = 0;
    for (const [key, value] of all) {
      entries.push({ key: Buffer.from(key, "hex"), value });
      bytes += value.length;
      if (entries.length === limit || bytes >= bytesMax) break;
    }
    return { entries, more: entries.length < all.length };
  }
}

function hex(bytes: Bytes): string {
  return Buffer.from(bytes).toString("hex");
}
