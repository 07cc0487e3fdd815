export type Verdict =
  | { readonly kind: "done" }
  | { readonly kind: "failed" }
  /** The records before this one are done. */
  | { readonly kind: "failed-from"; readonly index: number };

/** What a function with ReportBatchItemFailures says of the batch that it was given. */
export function verdictOf(json: string, sequences: readonly string[]): Verdict {
  const response: unknown = JSON.parse(json);
  if (isEmpty(response)) return { kind: "done" };
  if (typeof response !== "object" || response === null || Array.isArray(response)) {
    return { kind: "failed" };
  }
  const { batchItemFailures } = response as { readonly batchItemFailures?: unknown };
  if (batchItemFailures === undefined || isEmpty(batchItemFailures)) return { kind: "done" };
  if (!Array.isArray(batchItemFailures)) return { kind: "failed" };
  let first = sequences.length;
  for (const failure of batchItemFailures as unknown[]) {
    const index = sequences.indexOf(identifierOf(failure) ?? "");
    // One that cannot be understood makes the whole batch fail.
    if (index === -1) return { kind: "failed" };
    first = Math.min(first, index);
  }
  return { kind: "failed-from", index: first };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function identifierOf(failure: unknown): string | undefined {
  if (typeof failure !== "object" || failure === null) return undefined;
  const { itemIdentifier } = failure as { readonly itemIdentifier?: unknown };
  return typeof itemIdentifier === "string" ? itemIdentifier : undefined;
}
