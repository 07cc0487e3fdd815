import { invalidTransferToken } from "../api/errors/transfers.ts";
import { transferDays, transferPageDefault } from "../api/limits.ts";
import type { RecordOf, TransferKind } from "../transfers/transfer-records.ts";
import type { Context } from "./operation.ts";

interface PageRequest {
  readonly limit?: number | undefined;
  readonly token?: string | undefined;
}

/** A page of exports or imports, the latest first. */
export async function transferPage<K extends TransferKind>(
  context: Context,
  kind: K,
  { limit = transferPageDefault, token }: PageRequest,
  wanted: (record: RecordOf[K]) => boolean,
): Promise<{ readonly records: readonly RecordOf[K][]; readonly NextToken?: string }> {
  const after = token === undefined ? undefined : idOf(kind, token);
  const oldest = context.database.clock.now() - transferDays * 86_400_000;
  const all = await context.transfers.records.list(kind, context.namespace);
  const found = all.filter(
    (record) =>
      record.startedAt >= oldest && (after === undefined || record.id < after) && wanted(record),
  );
  const records = found.slice(0, limit);
  const last = records.at(-1);
  return {
    records,
    ...(found.length > limit && last !== undefined && { NextToken: tokenOf(kind, last.id) }),
  };
}

/** Tokens are digits of so many bytes, as the service's are; one for exports is none for imports. */
const tokenBytes = 56;

function tokenOf(kind: TransferKind, id: string): string {
  return Buffer.from(`${kind}:${id}`.padEnd(tokenBytes)).toString("hex");
}

function idOf(kind: TransferKind, token: string): string {
  const text = Buffer.from(token, "hex").toString("utf8");
  const [, id] = new RegExp(`^${kind}:([0-9]{14,}-[0-9a-f]{8}) *$`).exec(text) ?? [];
  if (id === undefined || tokenOf(kind, id) !== token) throw invalidTransferToken(token);
  return id;
}
