import type { ReturnItemCollectionMetrics } from "../api/requests/shared.ts";
import { emptyRecord } from "../base/record.ts";
import type { TableUnits } from "../capacity/consumed.ts";
import { indexWriteUnits, tableWriteUnits } from "../capacity/metering.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import type { WriteOutcome } from "../engine/write.ts";
import type { Item, KeyValue } from "../item/attribute-value.ts";

const gigabyte = 1024 ** 3;

/** The units of one write. Only the table's part is multiplied in a transaction. */
export function addWriteUnits(units: TableUnits, outcome: WriteOutcome, factor = 1): void {
  units.table += factor * tableWriteUnits(outcome.before?.size, outcome.after?.size);
  for (const change of outcome.indexes) {
    units.addIndex(change.index.kind, change.index.name, indexWriteUnits(change));
  }
}

export interface ItemCollectionMetrics {
  readonly ItemCollectionKey: Item;
  readonly SizeEstimateRangeGB: readonly [number, number];
}

/** The item collection that a write touched; only tables with a local index have them. */
export function collectionMetrics(
  wanted: ReturnItemCollectionMetrics | undefined,
  table: TableDescriptor,
  item: Item,
  outcome: WriteOutcome,
): ItemCollectionMetrics | undefined {
  if (wanted !== "SIZE" || outcome.collectionBytes === undefined) return undefined;
  const lower = Math.floor(outcome.collectionBytes / gigabyte);
  const [hash] = table.key.hash;
  if (hash === undefined) return undefined;
  return {
    ItemCollectionKey: { [hash.name]: item[hash.name] as KeyValue },
    SizeEstimateRangeGB: [lower, lower + 1],
  };
}

/** The item collections that the writes of one request touched, by the request's name of the table. */
export class CollectionMetrics {
  readonly #wanted: ReturnItemCollectionMetrics | undefined;
  readonly #tables = emptyRecord<ItemCollectionMetrics[]>();

  constructor(wanted: ReturnItemCollectionMetrics | undefined) {
    this.#wanted = wanted;
  }

  add(tableName: string, table: TableDescriptor, item: Item, outcome: WriteOutcome): void {
    const collection = collectionMetrics(this.#wanted, table, item, outcome);
    if (collection === undefined) return;
    const list = this.#tables[tableName];
    if (list === undefined) this.#tables[tableName] = [collection];
    else list.push(collection);
  }

  report(): { readonly ItemCollectionMetrics?: Readonly<Record<string, unknown>> } {
    return Object.keys(this.#tables).length > 0 ? { ItemCollectionMetrics: this.#tables } : {};
  }
}
