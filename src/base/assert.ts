/** A broken invariant: always a defect of this program, never the client's fault. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

export function unreachable(value: never, message = "unreachable"): never {
  throw new InvariantError(`${message}: ${JSON.stringify(value)}`);
}
