/** What was asked for cannot be done; the message is one sentence that says what to change. */
export class TriggerOptionsError extends Error {
  override readonly name = "TriggerOptionsError";
}
