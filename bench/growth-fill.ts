import { ServiceError } from "../src/api/errors/service-error.ts";
import { accountOf } from "../src/workbench/account.ts";
import { openWorkbench, type Workbench } from "../src/workbench/workbench.ts";
import type { Children } from "./children.ts";
import { pause } from "./phase.ts";
import { type Attributes, type Call, Workload } from "./workload.ts";

/** The first argument that makes this program fill a folder instead of measuring. */
export const fillRole = "--fill-folder";

/** A table as the growth benchmark wants it. */
export interface TableWish {
  readonly table: string;
  readonly items: number;
  readonly itemBytes: number;
  /** All items under one partition key, in the order of their sort keys. */
  readonly oneCollection: boolean;
}

/** The driver signs with this access key, and each access key has tables of its own. */
const caller = { account: accountOf("BENCH"), region: "us-east-1" };
const batchItems = 25;
const batchesUnderWay = 64;
const progressEvery = 250_000;

export const collectionKey: Attributes = { pk: { S: "collection" } };

export function collectionSortKey(index: number): { S: string } {
  return { S: `event#${String(index).padStart(9, "0")}` };
}

/** Fills in a child process: the folder is closed and its memory given back when this resolves. */
export async function fillFolder(
  children: Children,
  folder: string,
  wishes: readonly TableWish[],
  say: (text: string) => void,
): Promise<void> {
  const program = process.argv[1] as string;
  const child = children.start(process.execPath, [
    program,
    fillRole,
    folder,
    JSON.stringify(wishes),
  ]);
  child.stderr?.on("data", (text: Buffer) => say(text.toString().trimEnd()));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`filling ${folder} failed: ${children.outputOf(child).trim()}`);
}

/** The items are what the product writes, through its own operations; only the flushes are left out. */
export async function fill([folder, wishes]: readonly string[]): Promise<void> {
  const workbench = await openWorkbench({ data: folder as string, durability: "relaxed" });
  for (const wish of JSON.parse(wishes as string) as TableWish[]) await fillTable(workbench, wish);
  await workbench.close();
}

async function fillTable(workbench: Workbench, wish: TableWish): Promise<void> {
  const workload = new Workload(wish);
  const execute = ({ operation, body }: Call) => workbench.execute(operation, body, caller);
  const found = await countOf(workbench, wish.table);
  if (found === wish.items) return say(`${wish.table}: ${found} items are there`);
  if (found === undefined) {
    await execute(workload.createTable());
    while ((await countOf(workbench, wish.table)) === undefined) await pause(50);
  }
  // An earlier run that was stopped has written all but what was then under way.
  const first = Math.max(0, (found ?? 0) - batchItems * batchesUnderWay);
  await putItems(execute, workload, wish, first - (first % batchItems));
  const count = await countOf(workbench, wish.table);
  if (count !== wish.items) throw new Error(`${wish.table} holds ${count} of ${wish.items} items`);
}

async function putItems(
  execute: (call: Call) => unknown,
  workload: Workload,
  { table, items, oneCollection }: TableWish,
  first: number,
): Promise<void> {
  const began = performance.now();
  let next = first;
  workload.reseed(first + 1);
  const itemOf = (index: number): Attributes =>
    oneCollection
      ? { ...workload.item(index), ...collectionKey, sk: collectionSortKey(index) }
      : workload.item(index);
  const worker = async (): Promise<void> => {
    while (next < items) {
      const start = next;
      const end = Math.min(items, start + batchItems);
      next = end;
      const requests = Array.from({ length: end - start }, (_, i) => ({
        PutRequest: { Item: itemOf(start + i) },
      }));
      await execute({
        operation: "BatchWriteItem",
        body: { RequestItems: { [table]: requests } },
      });
      if (end % progressEvery === 0) {
        const perSecond = ((end - first) / (performance.now() - began)) * 1_000;
        say(`${table}: ${end} of ${items} items, ${perSecond.toFixed(0)}/s`);
      }
    }
  };
  await Promise.all(Array.from({ length: batchesUnderWay }, worker));
}

/** Undefined if there is no such table, or if it is not ready. */
async function countOf(workbench: Workbench, TableName: string): Promise<number | undefined> {
  try {
    const answer = await workbench.execute("DescribeTable", { TableName }, caller);
    const { Table } = answer as { Table: { TableStatus: string; ItemCount: number } };
    return Table.TableStatus === "ACTIVE" ? Table.ItemCount : undefined;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
