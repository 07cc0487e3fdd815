import { canonical } from "../generate/typescript-answers.test-support.ts";

/**
 * A request as a text that is the same for all requests that mean the same: names and values stand in the expressions in the place
 * of their placeholders, sets and batches are sorted, and what only measures or repeats a request is left out.
 */
export function requestText(operation: string, request: object): string {
  return `${operation} ${canonical(normal(request))}`;
}

const expressions = [
  "KeyConditionExpression",
  "FilterExpression",
  "ConditionExpression",
  "UpdateExpression",
  "ProjectionExpression",
] as const;

const sets = new Set(["SS", "NS", "BS"]);

function normal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== "object" || value === null) return value;
  const {
    ExpressionAttributeNames: names = {},
    ExpressionAttributeValues: values = {},
    ReturnConsumedCapacity: _,
    ClientRequestToken: __,
    ...rest
  } = value as Record<string, unknown>;
  const stated = new Map<string, string>([
    ...Object.entries(names as object).map(([name, of]) => [name, JSON.stringify(of)] as const),
    ...Object.entries(values as object).map(([name, of]) => [name, canonical(normal(of))] as const),
  ]);
  return Object.fromEntries(
    Object.entries(rest).map(([name, member]) => {
      if ((expressions as readonly string[]).includes(name) && typeof member === "string") {
        return [name, expressionText(member, stated)];
      }
      if (sets.has(name) && Array.isArray(member)) return [name, member.toSorted()];
      if (name === "RequestItems") return [name, batches(member as object)];
      return [name, normal(member)];
    }),
  );
}

/** Of a list with one value both forms mean the same. */
function expressionText(text: string, stated: ReadonlyMap<string, string>): string {
  return text
    .replaceAll(/ IN \((:\w+)\)/g, " = $1")
    .replaceAll(/[#:]\w+/g, (name) => stated.get(name) ?? name);
}

/** The keys or writes of each table, sorted: a batch has no order. */
function batches(tables: object): object {
  const sorted = (list: readonly unknown[]): readonly unknown[] =>
    list.map(normal).toSorted((a, b) => (canonical(a) < canonical(b) ? -1 : 1));
  return Object.fromEntries(
    Object.entries(tables).map(([table, batch]: [string, unknown]) => {
      if (Array.isArray(batch)) return [table, sorted(batch)];
      const { Keys, ...rest } = batch as { readonly Keys: readonly unknown[] };
      return [table, { ...rest, Keys: sorted(Keys) }];
    }),
  );
}
