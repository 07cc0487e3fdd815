/** A text that cannot be read on: where it stops making sense, and why. What comes before it was read. */
export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
}

/**
 * A record that takes more than this is no item: of all items of 400 KB, a list of booleans is the longest as
 * text, and stays below. How long the text of one item may be is also how long others wait while it is read.
 */
export const recordBytesMax = 4 * 1024 * 1024;
