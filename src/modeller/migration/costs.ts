import type { Model } from "../../model/model.ts";
import { Facts } from "../facts.ts";
import { defaultRegion, pricesOf } from "../prices/book.ts";
import type { Membership, StoredRecord } from "../records/record.ts";
import type { EntityMove, RecordMove } from "./moves.ts";
import type { StepCost } from "./step.ts";

/** As much as one partition takes: a new table gives more, one hot key no more. */
export const usualRate = 1_000;

const writeBytes = 1_024;
const readBytes = 4_096;

export interface CostOptions {
  /** Write units for each second. */
  readonly rate: number;
  readonly region: string | undefined;
}

/** Sums up what writing and reading many items takes. */
class Sum {
  items = 0;
  reads = 0;
  writes = 0;
  dollars: number | undefined = 0;
  assumed = false;
  readonly unknown = new Set<string>();

  private readonly options: CostOptions;

  constructor(options: CostOptions) {
    this.options = options;
  }

  private pay(record: StoredRecord, reads: number, writes: number): void {
    this.reads += reads;
    this.writes += writes;
    const prices = pricesOf(this.options.region ?? defaultRegion);
    const own =
      record.table.class === "infrequent-access" ? prices?.infrequentAccess : prices?.standard;
    if (own === undefined || this.dollars === undefined) this.dollars = undefined;
    else {
      this.dollars += (reads * own.readRequests.usd + writes * own.writeRequests.usd) / 1_000_000;
    }
  }

  private countOf(facts: Facts, record: StoredRecord): number | undefined {
    const count = facts.count(record);
    if (count === undefined) this.unknown.add(`how many ${record.name} there are`);
    else if (count.assumed) this.assumed = true;
    return count?.value;
  }

  /** Every item of a kind is read once, page by page. */
  read(facts: Facts, record: StoredRecord): void {
    const [count, size] = [this.countOf(facts, record), facts.sizes.item(record)];
    if (size === undefined) this.unknown.add(`how large ${record.name} is`);
    if (count === undefined || size === undefined) return;
    this.items += count;
    this.pay(record, (count * size.mean) / readBytes / 2, 0);
  }

  /** Every item of a kind is written, or looked at by a transaction, once. */
  write(facts: Facts, record: StoredRecord, factor: number, indexes: readonly Membership[]): void {
    const [count, size] = [this.countOf(facts, record), facts.sizes.item(record)];
    if (size === undefined) this.unknown.add(`how large ${record.name} is`);
    if (count === undefined || size === undefined) return;
    this.pay(record, 0, count * size.expectedUnits(writeBytes) * factor);
    for (const membership of indexes) this.enter(facts, record, membership);
  }

  /** Every item of a kind that is in an index gets its entry. */
  enter(facts: Facts, record: StoredRecord, membership: Membership): void {
    const [count, size] = [this.countOf(facts, record), facts.sizes.entry(record, membership)];
    const share = facts.shareIn(record.entity, membership);
    if (share.assumed) this.assumed = true;
    if (count === undefined || size === undefined) return;
    this.pay(record, 0, count * share.value * size.expectedUnits(writeBytes));
  }

  cost(): StepCost {
    const { items, reads: readUnits, writes: writeUnits, dollars, assumed } = this;
    const { rate } = this.options;
    const unknown = [...this.unknown];
    return {
      items,
      readUnits,
      writeUnits,
      dollars,
      seconds: Math.ceil(writeUnits / rate),
      rate,
      assumed,
      unknown,
    };
  }
}

const indexNames = (record: StoredRecord | undefined): ReadonlySet<string> =>
  new Set(record?.memberships.map(({ index }) => index.name));

/** What a backfill takes: old items are read, new ones are written while the old ones are looked at. */
export function backfillCost(
  old: Model,
  target: Model,
  moves: readonly EntityMove[],
  options: CostOptions,
): StepCost {
  const [before, after] = [Facts.of(old), Facts.of(target)];
  const sum = new Sum(options);
  for (const { entity, moves: list } of moves) {
    const written = list.filter((one) => one.after !== undefined && one.gains.length > 0);
    if (written.length === 0) continue;
    const sources = sourcesOf(before, list, entity);
    for (const record of sources) sum.read(before, record);
    const inPlace = new Set(written.flatMap((one) => one.before ?? []));
    const looked = sources.filter((one) => !inPlace.has(one));
    // One item alone is written under a condition; several make a transaction, which costs double.
    const factor = written.length + looked.length > 1 ? 2 : 1;
    for (const record of looked) sum.write(before, record, factor, []);
    for (const { before: was, after: record } of written) {
      if (record === undefined) continue;
      const had = indexNames(was);
      sum.write(
        after,
        record,
        factor,
        record.memberships.filter(({ index }) => !had.has(index.name)),
      );
    }
  }
  return sum.cost();
}

/** The items that hold the values of an entity before. */
function sourcesOf(
  before: Facts,
  list: readonly RecordMove[],
  entity: string,
): readonly StoredRecord[] {
  const [known] = list.flatMap((one) => one.before ?? []);
  const name = known?.entity.name ?? entity;
  return before.records.filter(
    (one) => one.entity.name === name && (one.role === "item" || one.role === "split"),
  );
}

/** What DynamoDB takes for filling a new index by itself. */
export function indexCost(
  target: Model,
  old: Model,
  table: string,
  index: string,
  options: CostOptions,
): StepCost {
  const sum = new Sum(options);
  const facts = Facts.of(target);
  for (const record of facts.records) {
    if (record.table.name !== table || !old.entities.has(record.entity.name)) continue;
    for (const membership of record.memberships) {
      if (membership.index.name === index) {
        sum.items += facts.count(record)?.value ?? 0;
        sum.enter(facts, record, membership);
      }
    }
  }
  return sum.cost();
}

/** What clearing away takes: each item that goes or changes is written once more. */
export function cleanUpCost(
  old: Model,
  moves: readonly EntityMove[],
  options: CostOptions,
): StepCost {
  const sum = new Sum(options);
  const before = Facts.of(old);
  for (const { moves: list } of moves) {
    for (const { before: was, after, loses } of list) {
      if (was === undefined || (after !== undefined && loses.length === 0)) continue;
      sum.read(before, was);
      const kept = indexNames(after);
      sum.write(
        before,
        was,
        1,
        was.memberships.filter(({ index }) => !kept.has(index.name)),
      );
    }
  }
  return sum.cost();
}
