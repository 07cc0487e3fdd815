/** A value that may already be there: an embedded store answers without a thread hop. */
export type MaybePromise<T> = T | Promise<T>;
