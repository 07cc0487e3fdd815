import { ServiceError } from "../api/errors/service-error.ts";
import { RawJson } from "../api/response-json.ts";
import type { UnitsByTable } from "../capacity/consumed.ts";
import { readUnits } from "../capacity/metering.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { checkKey } from "../engine/key-checks.ts";
import { itemAddress } from "../engine/keys.ts";
import type { StoredItem } from "../engine/stored-item.ts";
import { compileItemRead } from "../partiql/compile.ts";
import { refuseMultiAttributeIndex } from "../partiql/open-statement.ts";
import type { CompiledRead } from "../partiql/operation.ts";
import { type TranslatedSelect, translateStatement } from "../partiql/translate.ts";
import type { Bytes } from "../storage/store.ts";
import { type BatchMember, DistinctItems } from "./batch-statement.ts";
import type { Context } from "./operation.ts";
import { findTable, selected } from "./statement.ts";

const operation = "BatchExecuteStatement";

interface PlannedRead {
  readonly member: BatchMember;
  readonly table: TableDescriptor;
  readonly read: CompiledRead & { kind: "get" };
  readonly key: Bytes;
}

/** The SELECTs of a batch, each of one item. */
export async function readBatch(
  context: Context,
  members: readonly BatchMember[],
  units: UnitsByTable,
): Promise<void> {
  const planned: PlannedRead[] = [];
  for (const member of members) {
    const read = await plan(context, member);
    if (read !== undefined) planned.push(read);
  }
  const items = new DistinctItems();
  for (const { key } of planned) items.add(key);
  const found = await context.database.getAll(planned.map(({ key }) => key));
  const served = new Map<TableDescriptor, number | undefined>();
  planned.forEach((read, i) => {
    const bytes = answer(context, read, found[i], units);
    const sum = served.get(read.table);
    served.set(read.table, bytes === undefined ? sum : (sum ?? 0) + bytes);
  });
  for (const [table, bytes] of served) {
    if (bytes === undefined) context.traffic.throttledRequest(table, operation);
    else context.traffic.answered(context, operation, table, 0, bytes);
  }
}

async function plan(context: Context, member: BatchMember): Promise<PlannedRead | undefined> {
  const { statement } = member;
  if (statement === undefined) return undefined;
  const found = await findTable(context, statement.table);
  return member.attempt(() => {
    const table = found instanceof ServiceError ? undefined : found;
    refuseMultiAttributeIndex(statement, table);
    const translated = translateStatement(statement, member.parameters) as TranslatedSelect;
    if (table === undefined) throw found;
    const read = compileItemRead(translated, table, operation);
    checkKey(table, read.key);
    return { member, table, read, key: itemAddress(table, read.key).key };
  });
}

/** The bytes read; nothing if throughput forbids it. */
function answer(
  context: Context,
  { member, table, read, key }: PlannedRead,
  stored: StoredItem | undefined,
  units: UnitsByTable,
): number | undefined {
  const size = stored?.size ?? 0;
  const cost = readUnits(size, member.consistent);
  const refusal = context.traffic.readPart(context, {
    table,
    index: undefined,
    key,
    item: read.key,
    units: cost,
  });
  if (refusal !== undefined) {
    member.fail(refusal, read.table);
    return undefined;
  }
  units.of(read.table).table += cost;
  const { columns } = read;
  if (stored === undefined) member.answer(read.table, undefined);
  else if (columns === undefined) member.answer(read.table, new RawJson(stored.json));
  else member.answer(read.table, selected(columns, stored.item));
  return size;
}
