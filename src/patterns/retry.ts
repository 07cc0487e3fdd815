import { type BackoffOptions, restedFor } from "./backoff.ts";
import { isPassing } from "./errors.ts";
import { type ByteSource, systemBytes } from "./platform.ts";

export interface RetryOptions extends BackoffOptions {
  /** Whether another attempt can help; conflicts and throttling if nothing is said. */
  readonly isPassing?: ((error: unknown) => boolean) | undefined;
}

/** Tries again, after a rest, while what stands in the way will pass. */
export async function retried<T>(
  task: (attempt: number) => Promise<T>,
  options: RetryOptions = {},
): Promise<T> {
  const { isPassing: isWorthIt = isPassing } = options;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await task(attempt);
    } catch (error) {
      if (!isWorthIt(error) || !(await restedFor(attempt, options))) throw error;
    }
  }
}

/** A text of 36 characters that no other request has: a random UUID. */
export function requestToken(bytes: ByteSource = systemBytes): string {
  const random = bytes(16);
  random[6] = ((random[6] as number) & 0x0f) | 0x40;
  random[8] = ((random[8] as number) & 0x3f) | 0x80;
  const hex = [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export interface TransactionOptions extends RetryOptions {
  readonly bytes?: ByteSource | undefined;
}

/**
 * Sends a transaction until it went through or was refused for good. All attempts carry the same
 * ClientRequestToken: one that went through although its answer was lost is not carried out again.
 */
export async function sendTransaction<Input extends object, Output>(
  send: (input: Input & { ClientRequestToken: string }) => Promise<Output>,
  input: Input & { readonly ClientRequestToken?: string | undefined },
  options: TransactionOptions = {},
): Promise<Output> {
  const token = input.ClientRequestToken ?? requestToken(options.bytes);
  const whole = { ...input, ClientRequestToken: token };
  return retried(() => send(whole), options);
}
