import { listTablesPageMax } from "../api/limits.ts";
import { type ListTablesRequest, listTablesShape } from "../api/requests/list-tables.ts";
import { isGone } from "../engine/catalog.ts";
import type { Context, Operation } from "./operation.ts";

export const listTables: Operation<ListTablesRequest> = {
  name: "ListTables",
  shape: listTablesShape,
  async run(context, request) {
    const limit = request.Limit ?? listTablesPageMax;
    const found = await existingNames(context, request.ExclusiveStartTableName, limit + 1);
    const names = found.slice(0, limit);
    const last = names.at(-1);
    return {
      ...(found.length > limit && last !== undefined && { LastEvaluatedTableName: last }),
      TableNames: names,
    };
  },
};

/** The catalogue may still hold tables whose deletion is over: they are passed by. */
async function existingNames(
  { database, namespace }: Context,
  startAfter: string | undefined,
  count: number,
): Promise<string[]> {
  const existing: string[] = [];
  let after = startAfter;
  for (;;) {
    const names = await database.catalog.names(namespace, after, count);
    for (const name of names) {
      const table = await database.catalog.find(namespace, name);
      if (table === undefined || isGone(table, database.clock.now())) continue;
      existing.push(name);
      if (existing.length === count) return existing;
    }
    if (names.length < count) return existing;
    after = names.at(-1);
  }
}
