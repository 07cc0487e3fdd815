/** The command line cannot be understood; the message is one sentence that helps. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
