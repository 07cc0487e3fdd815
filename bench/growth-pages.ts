import { Connection } from "./connection.ts";
import { collectionKey, collectionSortKey } from "./growth-fill.ts";
import { type LoadOptions, type Measurement, must, runCalls } from "./phase.ts";
import type { RunningTarget } from "./targets.ts";
import type { Attributes, Call } from "./workload.ts";

/** A page at one place of a large item collection, or of a whole table. */
export interface PagePlace {
  readonly what: string;
  readonly calls: readonly Call[];
}

export interface PageResult {
  readonly round: number;
  readonly what: string;
  readonly measured: Measurement;
}

export const pageItems = 100;
/** Pages of one kind that begin near each other, so that not one page alone is asked for. */
const neighbours = 64;
const slices = 1_000;

export async function pagePlaces(
  server: RunningTarget,
  collection: { readonly table: string; readonly items: number },
  large: { readonly table: string },
): Promise<PagePlace[]> {
  return [
    ...queryPlaces(collection.table, collection.items),
    await scanPlace(server, large.table, "Scan, early", 0),
    await scanPlace(server, large.table, "Scan, late", slices - 1),
  ];
}

function queryPlaces(table: string, items: number): PagePlace[] {
  const last = items - pageItems - neighbours;
  return [true, false].flatMap((forward) => {
    const direction = forward ? "forward" : "backward";
    const from = (position: number): Call[] =>
      Array.from({ length: neighbours }, (_, i) => {
        const index = forward ? position + i : items - 1 - position - i;
        return queryCall(table, forward, { ...collectionKey, sk: collectionSortKey(index) });
      });
    return [
      { what: `Query ${direction}, first page`, calls: [queryCall(table, forward)] },
      { what: `Query ${direction}, in the middle`, calls: from(Math.floor(items / 2)) },
      { what: `Query ${direction}, at the end`, calls: from(last) },
    ];
  });
}

function queryCall(TableName: string, ScanIndexForward: boolean, start?: Attributes): Call {
  const body = {
    TableName,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": collectionKey.pk },
    Limit: pageItems,
    ScanIndexForward,
    ...(start === undefined ? {} : { ExclusiveStartKey: start }),
  };
  return { operation: "Query", body };
}

/** A segment of a parallel scan begins at its share of the table, which nobody else can name. */
async function scanPlace(
  server: RunningTarget,
  TableName: string,
  what: string,
  Segment: number,
): Promise<PagePlace> {
  const connection = new Connection(server.port);
  const { Items } = await must(connection, server, {
    operation: "Scan",
    body: { TableName, Segment, TotalSegments: slices, Limit: neighbours },
  });
  connection.close();
  const calls = (Items as Attributes[]).map(({ pk, sk }) => ({
    operation: "Scan",
    body: { TableName, Limit: pageItems, ExclusiveStartKey: { pk, sk } },
  }));
  return { what, calls };
}

/** The places take turns, in reverse order in every second round. */
export async function measurePages(
  server: RunningTarget,
  places: readonly PagePlace[],
  rounds: number,
  load: LoadOptions,
): Promise<PageResult[]> {
  const results: PageResult[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? places : [...places].reverse();
    for (const { what, calls } of order) {
      const measured = await runCalls(server, calls, load);
      if ("unsupported" in measured) throw new Error(`${what}: ${measured.unsupported}`);
      results.push({ round, what, measured });
    }
  }
  return results;
}
