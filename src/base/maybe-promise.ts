/** A value that may already be there: an embedded store answers without a thread hop. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value as soon as it is there: at once, if it is there already. */
export function whenThere<T, U>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

export function allThere<T>(values: readonly MaybePromise<T>[]): MaybePromise<readonly T[]> {
  for (const value of values) if (value instanceof Promise) return Promise.all(values);
  return values as readonly T[];
}
