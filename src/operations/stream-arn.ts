import { invalidStreamArn, streamNotFound } from "../api/errors/streams.ts";
import type { Stream } from "../engine/streams.ts";
import type { Context } from "./operation.ts";

export interface StreamName {
  readonly table: string;
  readonly label: string;
}

const form =
  /^arn:aws[a-z-]*:dynamodb:([^:/]*):([^:/]*):table\/([a-zA-Z0-9_.-]+)\/stream\/([^/]+)$/;

export function streamArn(tableArn: string, label: string): string {
  return `${tableArn}/stream/${label}`;
}

/** What an ARN names. Throws if it is none, or one of another account or Region. */
export function readStreamArn({ account, region }: Context, arn: string): StreamName {
  const [, ofRegion, ofAccount, table, label] = form.exec(arn) ?? [];
  if (table === undefined || label === undefined) throw invalidStreamArn();
  if (ofRegion !== region || ofAccount !== account) throw streamNotFound(arn);
  return { table, label };
}

export async function findStream(context: Context, arn: string): Promise<Stream> {
  const { table, label } = readStreamArn(context, arn);
  const stream = await context.database.streams.find(context.namespace, table, label);
  if (stream === undefined) throw streamNotFound(arn);
  return stream;
}
