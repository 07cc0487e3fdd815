import { assert } from "../base/assert.ts";
import type { Item } from "../item/attribute-value.ts";
import type { Bytes } from "../storage/store.ts";

const head = 5;
const layoutVersion = 1;

/**
 * A stored item or index entry: one byte of layout version, four bytes of item size (little endian),
 * then the item as DynamoDB JSON, ready to be spliced into an answer.
 */
export class StoredItem {
  readonly bytes: Bytes;
  readonly size: number;
  #item: Item | undefined;

  constructor(bytes: Bytes, size: number, item: Item | undefined) {
    this.bytes = bytes;
    this.size = size;
    this.#item = item;
  }

  static read(bytes: Bytes): StoredItem {
    assert(bytes[0] === layoutVersion, "a stored item with an unknown layout");
    const size =
      (bytes[1] as number) |
      ((bytes[2] as number) << 8) |
      ((bytes[3] as number) << 16) |
      ((bytes[4] as number) << 24);
    return new StoredItem(bytes, size, undefined);
  }

  static make(item: Item, size: number): StoredItem {
    const json = JSON.stringify(item);
    const length = Buffer.byteLength(json);
    const bytes = Buffer.allocUnsafe(head + length);
    bytes[0] = layoutVersion;
    bytes.writeInt32LE(size, 1);
    // Text of one byte a character is only copied.
    bytes.write(json, head, length === json.length ? "latin1" : "utf8");
    return new StoredItem(bytes, size, item);
  }

  /** The item as JSON text. */
  get json(): Bytes {
    return this.bytes.subarray(head);
  }

  /** The item itself, parsed at most once. */
  get item(): Item {
    if (this.#item === undefined) {
      const { buffer, byteOffset, byteLength } = this.bytes;
      this.#item = JSON.parse(
        Buffer.from(buffer, byteOffset, byteLength).toString("utf8", head),
      ) as Item;
    }
    return this.#item;
  }
}
