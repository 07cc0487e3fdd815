import { registry, streamRegistry } from "../operations/registry.ts";
import { scalingPrefix, scalingRegistry } from "../operations/scaling-registry.ts";

/** Whole targets, so that finding an operation is one look-up. */
const operations = new Map<string, string>();
for (const name of registry.keys()) operations.set(`DynamoDB_20120810.${name}`, name);
for (const name of streamRegistry.keys()) operations.set(`DynamoDBStreams_20120810.${name}`, name);
for (const name of scalingRegistry.keys()) operations.set(name, name);

/** Application Auto Scaling, which speaks version 1.1 of the protocol, shares the endpoint. */
export function isScalingTarget(target: string | undefined): boolean {
  return target?.startsWith(scalingPrefix) ?? false;
}

/** The operation that an `X-Amz-Target` header names, or undefined if there is no such operation. */
export function operationOf(target: string | undefined): string | undefined {
  return target === undefined ? undefined : operations.get(target);
}
