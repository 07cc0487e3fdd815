import { resourceNotFound } from "../api/errors/table.ts";
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
