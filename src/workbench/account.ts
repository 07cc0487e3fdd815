import { createHash } from "node:crypto";
import type { Caller } from "./workbench.ts";

/** Whom all requests belong to when one space is shared. */
export const sharedCaller: Caller = { account: "000000000000", region: "us-east-1" };

/** An access key of twelve digits is taken for the account itself; others stand for one each. */
export function accountOf(accessKey: string): string {
  if (/^[0-9]{12}$/.test(accessKey)) return accessKey;
  const hash = createHash("sha256").update(accessKey).digest().readBigUInt64BE();
  return (100_000_000_000n + (hash % 900_000_000_000n)).toString();
}
