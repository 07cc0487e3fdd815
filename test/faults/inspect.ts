import { Catalog } from "../../src/engine/catalog.ts";
import {
  allJobs,
  collectionRange,
  counterName,
  dataRange,
  metaKey,
  queueRange,
  versionKey,
} from "../../src/engine/layout.ts";
import type { Store } from "../../src/storage/store.ts";
import { type Answer, unmarshalled } from "./steps.ts";
import { byName, idOf, sorted } from "./world.ts";

interface Description {
  readonly ItemCount: number;
  readonly DeletionProtectionEnabled: boolean;
  readonly BillingModeSummary?: { readonly BillingMode: string };
  readonly GlobalSecondaryIndexes?: readonly IndexDescription[];
  readonly LocalSecondaryIndexes?: readonly IndexDescription[];
}

interface IndexDescription {
  readonly IndexName: string;
  /** Local ones have none: they are always there. */
  readonly IndexStatus?: string;
}

type Ask = (operation: string, request: object) => Promise<Answer>;

/** What the database shows of all its tables: the counterpart of `picture`. */
export async function shownBy(ask: Ask): Promise<object> {
  const tables: Record<string, object> = {};
  const { TableNames } = await ask("ListTables", {});
  for (const TableName of TableNames as string[]) {
    const { Table } = (await ask("DescribeTable", { TableName })) as unknown as {
      Table: Description;
    };
    const listed = async (more: object) => {
      const { Items } = await ask("Scan", { TableName, ...more });
      return (Items as Parameters<typeof unmarshalled>[0][]).map(unmarshalled);
    };
    const { TimeToLiveDescription: ttl } = (await ask("DescribeTimeToLive", {
      TableName,
    })) as unknown as { TimeToLiveDescription: { readonly AttributeName?: string } };
    const indexes: Record<string, object> = {};
    for (const { IndexName, IndexStatus = "ACTIVE" } of indexesOf(Table)) {
      indexes[IndexName] =
        IndexStatus === "ACTIVE" ? (await listed({ IndexName })).map(idOf).sort() : { IndexStatus };
    }
    tables[TableName] = {
      protected: Table.DeletionProtectionEnabled,
      billing: Table.BillingModeSummary?.BillingMode ?? "PROVISIONED",
      ttl: ttl.AttributeName ?? "none",
      count: Table.ItemCount,
      items: (await listed({})).map(sorted).sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1)),
      indexes,
    };
  }
  return tables;
}

function indexesOf(table: Description): IndexDescription[] {
  const { GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [] } = table;
  return [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes].sort((a, b) =>
    byName({ name: a.IndexName }, { name: b.IndexName }),
  );
}

/** All ids that tables, indexes and jobs were ever given. */
export async function idsGiven(store: Store): Promise<number[]> {
  const [bytes] = await store.get([metaKey("next-id")]);
  const next = bytes === undefined ? 1 : Buffer.from(bytes).readUInt32BE(0);
  return Array.from({ length: next - 1 }, (_, i) => i + 1);
}

/** Whatever is stored under an id that no table and no index has, and jobs that are not done. */
export async function leftoversOf(store: Store): Promise<string[]> {
  const found: string[] = [];
  const one = { limit: 1, bytesMax: 1 };
  if ((await store.scan(allJobs, one)).entries.length > 0) found.push("a job");
  const tables = await new Catalog(store).all();
  const live = new Set(
    tables.flatMap(({ id, indexes }) => [id, ...indexes.map((each) => each.id)]),
  );
  const queues = new Set(tables.map(({ timeToLive }) => timeToLive?.queueId));
  for (const id of await idsGiven(store)) {
    const queue = await store.scan(queueRange(id), one);
    if (queue.entries.length > 0 && !queues.has(id)) found.push(`the queue ${id}`);
    if (live.has(id)) continue;
    const data = await store.scan(dataRange(id), one);
    if (data.entries.length > 0) found.push(`items of ${id}`);
    const collections = await store.scan(collectionRange(id), one);
    if (collections.entries.length > 0) found.push(`collection sizes of ${id}`);
    const [version] = await store.get([versionKey(id)]);
    if (version !== undefined) found.push(`the version of ${id}`);
    const { count, bytes } = await store.totals(counterName(id));
    if (count !== 0 || bytes !== 0) found.push(`totals of ${id}`);
  }
  return found;
}
