import { resourceNotFound } from "../api/errors/table.ts";
import { allThere, type MaybePromise } from "../base/maybe-promise.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import type { Context } from "./operation.ts";

const arnPrefix = "arn:";

/** The table's name in a `TableName` parameter, which may be the table's ARN. */
export function tableNameOf(context: Context, nameOrArn: string): string {
  if (!nameOrArn.startsWith(arnPrefix)) return nameOrArn;
  const [, , service, region, account, resource] = nameOrArn.split(":");
  const name = resource?.startsWith("table/") ? resource.slice("table/".length) : undefined;
  if (
    service !== "dynamodb" ||
    region !== context.region ||
    account !== context.account ||
    name === undefined
  ) {
    throw resourceNotFound();
  }
  return name;
}

export function tableArn(context: Context, name: string): string {
  return `arn:aws:dynamodb:${context.region}:${context.account}:table/${name}`;
}

/** The tables that the parts of a request name, one for each part. */
export function tablesOf(
  context: Context,
  parts: readonly { readonly table: string }[],
): MaybePromise<readonly TableDescriptor[]> {
  const tables: MaybePromise<TableDescriptor>[] = [];
  for (let i = 0; i < parts.length; i += 1) {
    const name = parts[i]?.table as string;
    // Mostly all parts name the same one.
    const found =
      i > 0 && name === parts[i - 1]?.table
        ? (tables[i - 1] as MaybePromise<TableDescriptor>)
        : context.database.table(context.namespace, tableNameOf(context, name));
    tables.push(found);
  }
  return allThere(tables);
}
