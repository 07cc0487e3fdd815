import type { Bytes, Entry, ScanOptions, ScanPage } from "./store.ts";

/** Collects the entries of a scan until its limit or its bytes are reached. */
export class PageBuilder {
  readonly #entries: Entry[] = [];
  readonly #limit: number;
  readonly #bytesMax: number;
  #bytes = 0;
  #more = false;

  constructor(options: ScanOptions) {
    this.#limit = options.limit;
    this.#bytesMax = options.bytesMax;
  }

  /** True if the page takes no further entry; offering one more then only shows that there is more. */
  get full(): boolean {
    const count = this.#entries.length;
    return count >= this.#limit || (count > 0 && this.#bytes >= this.#bytesMax);
  }

  /** False if the entry did not fit: the page is complete and the range holds more. */
  offer(key: Bytes, value: Bytes): boolean {
    if (this.full) {
      this.#more = true;
      return false;
    }
    this.#entries.push({ key, value });
    this.#bytes += value.length;
    return true;
  }

  page(): ScanPage {
    return { entries: this.#entries, more: this.#more };
  }
}
