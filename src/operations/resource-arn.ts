import * as errors from "../api/errors/resource-arn.ts";
import type { Context } from "./operation.ts";

/** A table or, with a label, a stream. */
export interface NamedResource {
  readonly table: string;
  readonly stream: string | undefined;
}

/** What is said of an ARN differs from one group of operations to the next. */
interface Refusals {
  readonly otherService: (arn: string) => Error;
  readonly otherAccount: () => Error;
  readonly otherRegion: (arn: string) => Error;
}

export const tagRefusals: Refusals = {
  otherService: errors.tagsDenied,
  otherAccount: errors.tagsDenied,
  otherRegion: errors.tagsOfOtherRegion,
};

export const policyRefusals: Refusals = {
  otherService: errors.notDynamoDbArn,
  otherAccount: errors.policyOfOtherAccount,
  otherRegion: errors.policyOfOtherRegion,
};

const partsOfArn = 6;
const relativeId = /^table\/([^/]+)(?:\/(index|stream)\/([^/]+))?$/;

/** What a `ResourceArn` names, whether it exists or not. Throws if it is no table or stream of the caller. */
export function readResourceArn(context: Context, arn: string, refusals: Refusals): NamedResource {
  if (!arn.startsWith("arn:")) throw errors.arnWithoutPrefix(arn);
  const parts = arn.split(":");
  if (parts.length < partsOfArn) throw errors.arnTooShort(arn, parts.length);
  const [, partition, service, region, account] = parts;
  if (service !== "dynamodb") throw refusals.otherService(arn);
  const [, table, kind, name] = relativeId.exec(parts.slice(partsOfArn - 1).join(":")) ?? [];
  if (table === undefined) throw errors.notDynamoDbArn(arn);
  if (account !== context.account) throw refusals.otherAccount();
  if (partition !== "aws" || region !== context.region) throw refusals.otherRegion(arn);
  if (kind === "index") throw errors.neitherTableNorStream(arn);
  return { table, stream: name };
}
