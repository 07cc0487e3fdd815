/**
 * The answers of a task for each item, in the order of the items, with so many running at once. The first
 * failure is thrown when the tasks under way have ended; no more are started after it.
 */
export async function mapBounded<T, R>(
  items: readonly T[],
  concurrency: number,
  task: (item: T, place: number) => Promise<R>,
): Promise<R[]> {
  const answers = new Array<R>(items.length);
  let next = 0;
  let failure: { readonly reason: unknown } | undefined;
  const work = async (): Promise<void> => {
    while (next < items.length && failure === undefined) {
      const place = next;
      next += 1;
      try {
        answers[place] = await task(items[place] as T, place);
      } catch (reason) {
        failure ??= { reason };
      }
    }
  };
  const workers = Math.max(1, Math.min(items.length, Math.floor(concurrency) || 1));
  await Promise.all(Array.from({ length: workers }, work));
  if (failure !== undefined) throw (failure as { readonly reason: unknown }).reason;
  return answers;
}
