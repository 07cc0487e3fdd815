import { plain } from "../../src/api/response-json.ts";
import { Catalog } from "../../src/engine/catalog.ts";
import { collectionRange, dataRange, jobKey, versionKey } from "../../src/engine/layout.ts";
import type { Bytes, Store } from "../../src/storage/store.ts";
import { type Workbench, workbenchOn } from "../../src/workbench/workbench.ts";
import type { Ledger } from "./ledger.ts";
import type { StreamCheck } from "./stream-check.ts";
import {
  type Item,
  indexAttributes,
  indexKey,
  lateIndex,
  mainKey,
  mainTable,
  tableKey,
  textOf,
  visitingKey,
  visitingTable,
} from "./tables.ts";
import { claimSum, claims, groupMembers, groups } from "./writer.ts";

export const caller = { account: "123456789012", region: "eu-west-1" };

export interface Description {
  readonly ItemCount?: number;
  readonly GlobalSecondaryIndexes?: readonly {
    readonly IndexName: string;
    readonly IndexStatus: string;
  }[];
}

export interface CheckOptions {
  /** The last acknowledged writes may be gone; what is there must still fit together. */
  readonly lossy?: boolean;
  /** What has read the stream of the main table so far. */
  readonly stream: StreamCheck;
}

/** Compares what a crash has left with the ledger, and makes what was found the ledger's new beginning. */
export async function checkStore(
  store: Store,
  ledger: Ledger,
  options: CheckOptions,
): Promise<readonly string[]> {
  const workbench = await workbenchOn(store);
  try {
    const report = await workbench.verify();
    const check = new Check(workbench, ledger, options);
    await check.run();
    await check.forgetClaims();
    return [...report.problems, ...check.problems, ...(await leftovers(store))];
  } finally {
    await workbench.close();
  }
}

class Check {
  readonly problems: string[] = [];
  readonly #workbench: Workbench;
  readonly #ledger: Ledger;
  readonly #lossy: boolean;
  readonly #stream: StreamCheck;

  constructor(workbench: Workbench, ledger: Ledger, { lossy = false, stream }: CheckOptions) {
    this.#workbench = workbench;
    this.#ledger = ledger;
    this.#lossy = lossy;
    this.#stream = stream;
  }

  async run(): Promise<void> {
    const items = await this.#scan(mainTable);
    const found = new Map(items.map((item) => [mainKey(text(item.pk), text(item.sk)), item]));
    const description = await this.#describe(mainTable);
    if (description?.ItemCount !== items.length) {
      this.problems.push(`${description?.ItemCount} items are counted, ${items.length} found`);
    }
    this.#checkGroups(found);
    await this.#checkStream(found);
    this.#checkSums(found);
    const late = description?.GlobalSecondaryIndexes?.find((i) => i.IndexName === lateIndex);
    this.#settle(indexKey, late === undefined ? null : "present");
    const indexes = ["by-kind", "by-rank", ...(late === undefined ? [] : [lateIndex])];
    for (const index of indexes) await this.#checkIndex(index, items);
    const visitors = await this.#visitors();
    const all = new Map([...found, ...visitors].map(([key, item]) => [key, textOf(item)]));
    for (const key of this.#ledger.sums()) all.delete(key);
    for (const key of new Set([...this.#ledger.keys(), ...all.keys()])) {
      if (key !== tableKey && key !== indexKey) this.#settle(key, all.get(key) ?? null);
    }
    this.#ledger.endLife();
  }

  /** The items of the table that comes and goes, if it is there; then it was not deleted. */
  async #visitors(): Promise<Map<string, Item>> {
    const there = (await this.#describe(visitingTable)) !== undefined;
    if (there) {
      for (const { id, operation } of this.#ledger.open()) {
        if (operation === "DeleteTable") this.#ledger.note({ what: "refused", id });
      }
    }
    this.#settle(tableKey, there ? "present" : null);
    const items = there ? await this.#scan(visitingTable) : [];
    return new Map(items.map((item) => [visitingKey(text(item.pk)), item]));
  }

  #settle(key: string, found: string | null): void {
    const possible = this.#ledger.possible(key);
    if (!this.#lossy && !possible.includes(found)) {
      this.problems.push(
        `${key} is ${short(found)}, but can only be ${possible.map(short).join(" or ")}`,
      );
    }
    this.#ledger.settle(key, found);
  }

  async #checkStream(found: ReadonlyMap<string, Item>): Promise<void> {
    const items = new Map([...found].map(([key, item]) => [key, textOf(item)]));
    const [workbench, ledger] = [this.#workbench, this.#ledger];
    const problems = await this.#stream.run(workbench, caller, ledger, items, this.#lossy);
    this.problems.push(...problems);
  }

  #checkGroups(found: ReadonlyMap<string, Item>): void {
    for (let group = 0; group < groups; group++) {
      const members = Array.from({ length: groupMembers }, (_, n) =>
        text(found.get(mainKey(`group ${group}`, String(n)))?.transaction),
      );
      if (new Set(members).size > 1) {
        this.problems.push(`group ${group} is of the transactions ${members.join(", ")}`);
      }
    }
  }

  #checkSums(found: ReadonlyMap<string, Item>): void {
    for (const key of this.#ledger.sums()) {
      if (!key.startsWith(mainTable)) continue;
      const value = Number(text(found.get(key)?.n) || "0");
      const { least, most } = this.#ledger.sumOf(key);
      if (!this.#lossy && !(value >= least && value <= most)) {
        this.problems.push(`${key} counts ${value}, but must be from ${least} to ${most}`);
      }
      this.#ledger.settleSum(key, value);
    }
    for (let number = 0; number < claims; number++) {
      const { least } = this.#ledger.sumOf(claimSum(number));
      if (least > 1) this.problems.push(`claim ${number} was granted ${least} times`);
      this.#ledger.settleSum(claimSum(number), 0);
    }
  }

  async #checkIndex(index: string, items: readonly Item[]): Promise<void> {
    const attributes = indexAttributes[index] ?? [];
    const wanted = items
      .filter((item) => attributes.every((name) => name in item))
      .map(textOf)
      .sort();
    const found = (await this.#scan(mainTable, index)).map(textOf).sort();
    if (JSON.stringify(found) !== JSON.stringify(wanted)) {
      this.problems.push(
        `index ${index} has ${found.length} items that are not its ${wanted.length}`,
      );
    }
  }

  /** Claims can be made anew in the next life. */
  async forgetClaims(): Promise<void> {
    const deletions = Array.from({ length: claims }, (_, number) => {
      this.#ledger.settle(mainKey("claim", String(number)), null);
      const Key = { pk: { S: "claim" }, sk: { S: String(number) } };
      return this.#execute("DeleteItem", { TableName: mainTable, Key });
    });
    await Promise.all(deletions);
  }

  async #execute<T>(operation: string, body: object): Promise<T> {
    return plain<T>(await this.#workbench.execute(operation, body, caller));
  }

  async #describe(table: string): Promise<Description | undefined> {
    try {
      const body = { TableName: table };
      return (await this.#execute<{ Table: Description }>("DescribeTable", body)).Table;
    } catch (error) {
      if ((error as Error).name === "ResourceNotFoundException") return undefined;
      throw error;
    }
  }

  async #scan(table: string, index?: string): Promise<Item[]> {
    const items: Item[] = [];
    let start: Item | undefined;
    do {
      const page: { Items: Item[]; LastEvaluatedKey?: Item } = await this.#execute("Scan", {
        TableName: table,
        ...(index !== undefined && { IndexName: index }),
        ...(start !== undefined && { ExclusiveStartKey: start }),
      });
      items.push(...page.Items);
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
    return items;
  }
}

const wholeStore = {
  range: { start: Buffer.from([0]), end: Buffer.from([255]) },
  options: { limit: 1_000_000, bytesMax: 1_000_000_000 },
};

/** Jobs that nobody does, and data that belongs to no table. */
async function leftovers(store: Store): Promise<string[]> {
  const tables = await new Catalog(store).all();
  const ids = new Set(tables.flatMap(({ id, indexes }) => [id, ...indexes.map((i) => i.id)]));
  const kinds = new Map<number, string>(
    (
      [
        [dataRange(0).start, "data"],
        [collectionRange(0).start, "collection sizes"],
        [versionKey(0), "a version"],
        [jobKey(0), "a job"],
      ] as const
    ).map(([key, name]: readonly [Bytes, string]) => [key[0] as number, name]),
  );
  const { entries } = await store.scan(wholeStore.range, wholeStore.options);
  const found = new Set<string>();
  for (const { key } of entries) {
    const kind = kinds.get(key[0] as number);
    const id = kind === undefined ? 0 : Buffer.from(key).readUInt32BE(1);
    if (kind !== undefined && (kind === "a job" || !ids.has(id))) {
      found.add(`${kind} of ${id} is left over`);
    }
  }
  return [...found];
}

function text(value: Item[string] | undefined): string {
  if (value === undefined) return "";
  return "S" in value ? value.S : value.N;
}

const short = (value: string | null): string => value?.replace(/p{9,}/, "p…") ?? "absent";
