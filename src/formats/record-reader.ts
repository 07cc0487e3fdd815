/**
 * Reads the records of a file that comes in pieces. What is yielded looks like an item, a map of attribute
 * values as JSON would have them; nobody has checked it yet. Throws UnreadableError where the text makes no
 * sense; nothing can be read after that.
 */
export interface RecordReader {
  push(bytes: Uint8Array): Iterable<unknown>;
  /** There are no more pieces. */
  end(): Iterable<unknown>;
}

export type InputFormat = "DYNAMODB_JSON" | "ION" | "CSV";
