import { mixedParameters } from "../api/errors/expression.ts";
import type { ServiceError } from "../api/errors/service-error.ts";
import { keysRepeated, tooManyItems } from "../api/errors/transaction.ts";
import { batchGetKeysMax, batchGetResponseBytesMax } from "../api/limits.ts";
import {
  type BatchGetItemRequest,
  batchGetItemShape,
  type KeysAndAttributes,
} from "../api/requests/batch-get-item.ts";
import { RawJson } from "../api/response-json.ts";
import { checkItem } from "../api/values.ts";
import { emptyRecord } from "../base/record.ts";
import { UnitsByTable } from "../capacity/consumed.ts";
import { readUnits } from "../capacity/metering.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { checkKey } from "../engine/key-checks.ts";
import { itemAddress } from "../engine/keys.ts";
import type { StoredItem } from "../engine/stored-item.ts";
import { compileAttributesToGet } from "../expressions/legacy-read.ts";
import { project } from "../expressions/project.ts";
import type { Projection } from "../expressions/tree.ts";
import type { Item } from "../item/attribute-value.ts";
import type { Bytes } from "../storage/store.ts";
import { valueLayer } from "./envelope.ts";
import type { Context, Operation } from "./operation.ts";
import { checkKeyPaths, compileParameters } from "./parameters.ts";
import { tableNameOf } from "./table-name.ts";

export const batchGetItem: Operation<BatchGetItemRequest> = {
  name: "BatchGetItem",
  shape: batchGetItemShape,
  async run(context, request) {
    const projections = prepare(context, request);
    const reads = await planReads(context, request, projections);
    const found = await context.database.getAll(reads.flatMap(({ addresses }) => addresses));
    return answer(context, request, reads, found);
  },
};

interface TableRead {
  /** As the request names it. */
  readonly name: string;
  readonly table: TableDescriptor;
  readonly block: KeysAndAttributes;
  readonly addresses: readonly Bytes[];
  readonly projection: Projection | undefined;
}

function prepare(
  context: Context,
  { RequestItems }: BatchGetItemRequest,
): ReadonlyMap<string, Projection | undefined> {
  const layer = valueLayer(context.dialect, "BatchGetItem");
  refuseMixedTables(RequestItems);
  const projections = new Map<string, Projection | undefined>();
  let keys = 0;
  for (const table in RequestItems) {
    const block = RequestItems[table] as KeysAndAttributes;
    const compiled = compileParameters("BatchGetItem", block, layer, () =>
      block.AttributesToGet === undefined
        ? undefined
        : compileAttributesToGet(block.AttributesToGet),
    );
    projections.set(table, compiled.projection ?? compiled.before);
    const seen = new Set<string>();
    for (const key of block.Keys) {
      // Keys are compared as sent: 1 and 1.0 are two keys here, though one item.
      const text = keyText(key);
      checkItem(key, layer);
      if (seen.has(text)) throw keysRepeated();
      seen.add(text);
      keys += 1;
      if (keys > batchGetKeysMax) throw tooManyItems("BatchGetItem");
    }
  }
  return projections;
}

/** A projection on one table and AttributesToGet on another do not go together either. */
function refuseMixedTables(blocks: BatchGetItemRequest["RequestItems"]): void {
  let expression = false;
  let legacy = false;
  for (const table in blocks) {
    const { ProjectionExpression, AttributesToGet } = blocks[table] as KeysAndAttributes;
    expression ||= ProjectionExpression !== undefined;
    legacy ||= AttributesToGet !== undefined;
  }
  if (expression && legacy) throw mixedParameters(["AttributesToGet"], ["ProjectionExpression"]);
}

function keyText(key: Item): string {
  return JSON.stringify(
    Object.entries(key).toSorted(([one], [two]) => (one < two ? -1 : one > two ? 1 : 0)),
  );
}

async function planReads(
  context: Context,
  { RequestItems }: BatchGetItemRequest,
  projections: ReadonlyMap<string, Projection | undefined>,
): Promise<readonly TableRead[]> {
  const reads: TableRead[] = [];
  for (const name in RequestItems) {
    const block = RequestItems[name] as KeysAndAttributes;
    const table = await context.database.table(context.namespace, tableNameOf(context, name));
    const projection = projections.get(name);
    const addresses = block.Keys.map((key) => {
      checkKey(table, key);
      return itemAddress(table, key).key;
    });
    checkKeyPaths(table, projection?.paths);
    reads.push({ name, table, block, addresses, projection });
  }
  return reads;
}

/** Items up to 16 MB and as the tables' throughput allows; the keys of the others come back unprocessed. */
function answer(
  context: Context,
  request: BatchGetItemRequest,
  reads: readonly TableRead[],
  found: readonly (StoredItem | undefined)[],
): object {
  const responses = emptyRecord<unknown[]>();
  const unprocessed = emptyRecord<KeysAndAttributes>();
  const consumed = new UnitsByTable();
  const refusals: ServiceError[] = [];
  let at = 0;
  let bytes = 0;
  for (const { name, table, block, addresses, projection } of reads) {
    const items: unknown[] = [];
    const left: Item[] = [];
    const units = consumed.of(name);
    const bytesBefore = bytes;
    block.Keys.forEach((item, i) => {
      const stored = found[at];
      at += 1;
      const size = stored?.size ?? 0;
      if (bytes + size > batchGetResponseBytesMax) {
        left.push(item);
        return;
      }
      const cost = readUnits(size, block.ConsistentRead === true);
      const key = addresses[i] as Bytes;
      const read = { table, index: undefined, key, item, units: cost };
      const refusal = context.traffic.readPart(context, read);
      if (refusal !== undefined) {
        refusals.push(refusal);
        left.push(item);
        return;
      }
      bytes += size;
      units.table += cost;
      if (stored === undefined) return;
      items.push(
        projection === undefined ? new RawJson(stored.json) : project(projection, stored.item),
      );
    });
    responses[name] = items;
    if (left.length > 0) unprocessed[name] = { ...block, Keys: left };
    if (left.length < block.Keys.length) {
      context.traffic.answered(context, "BatchGetItem", table, 0, bytes - bytesBefore);
    }
  }
  if (refusals.length === at) throw allThrottled(context, reads, refusals);
  return {
    Responses: responses,
    UnprocessedKeys: unprocessed,
    ...consumed.report(request.ReturnConsumedCapacity),
  };
}

/** A batch of which nothing could be read is refused as a whole. */
function allThrottled(
  { traffic }: Context,
  reads: readonly TableRead[],
  refusals: readonly ServiceError[],
): unknown {
  for (const { table } of reads) traffic.throttledRequest(table, "BatchGetItem");
  return refusals[0];
}
