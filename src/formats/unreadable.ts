/** A text that cannot be read on: where it stops making sense, and why. What comes before it was read. */
export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
}

/** A record that takes more than this is no item: the largest item, as text, stays far below. */
export const recordBytesMax = 16 * 1024 * 1024;
