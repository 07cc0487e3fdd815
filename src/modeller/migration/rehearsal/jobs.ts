import type { Item } from "../../../item/attribute-value.ts";
import type { StoredRecord } from "../../records/record.ts";
import { kindOf } from "../../requests/kinds.ts";
import { valuesIn } from "../../requests/stored-names.ts";
import type { EntityMove } from "../moves.ts";
import { noteCopies, withCopies } from "./copies.ts";
import { readOne } from "./entity-reader.ts";
import { type Image, imageId, imagesOf, keyOf } from "./images.ts";
import type { Side } from "./side.ts";
import { readItem, sent, type World, writingOf } from "./world.ts";
import {
  type Entry,
  entriesFor,
  isTaken,
  isWritten,
  withStrangers,
  writeEntries,
} from "./write-set.ts";

/** Something that goes through tables page by page while others go on. */
export interface Job {
  readonly done: boolean;
  /** Items that were written so far. */
  readonly items: number;
  tick(): Promise<void>;
}

interface Page {
  readonly Items?: readonly Item[];
  readonly LastEvaluatedKey?: Item;
}

/** Where a job is: kept after each page, so that another one can go on from there. */
export interface Progress {
  /** Tables that are still to be gone through, the first from a key on. */
  readonly tables: readonly string[];
  readonly start: Item | undefined;
  readonly items: number;
}

const pageSize = 50;

/** What has to be written, and what to note when it is. */
interface Prepared {
  readonly entries: readonly Entry[];
  readonly written?: () => void;
}

/** One thing that a job does with what it has found. */
type Work = () => Promise<Prepared | undefined>;

/** Goes through tables; each item becomes work, which is read in one turn and written in the next. */
abstract class PagedJob implements Job {
  protected readonly world: World;
  private tables: readonly string[];
  private start: Item | undefined;
  private works: Work[] = [];
  private readyWorks: { readonly work: Work; readonly prepared: Prepared }[] = [];
  items = 0;

  constructor(world: World, { tables, start, items }: Progress) {
    this.world = world;
    this.tables = tables;
    this.start = start;
    this.items = items;
  }

  get done(): boolean {
    return this.tables.length === 0 && this.works.length === 0 && this.readyWorks.length === 0;
  }

  /** Where another one could go on; nothing in the middle of a page. */
  get progress(): Progress | undefined {
    if (this.works.length > 0 || this.readyWorks.length > 0) return undefined;
    return { tables: this.tables, start: this.start, items: this.items };
  }

  protected abstract workOf(table: string, item: Item): Work | undefined;
  protected readonly guarded: boolean = true;

  async tick(): Promise<void> {
    if (this.readyWorks.length > 0) return this.write();
    if (this.works.length > 0) return this.read();
    const [table] = this.tables;
    if (table === undefined) return;
    const page = await sent<Page>(this.world, "Scan", {
      TableName: table,
      Limit: pageSize,
      ...(this.start !== undefined && { ExclusiveStartKey: this.start }),
    });
    this.works = (page.Items ?? []).flatMap((item) => this.workOf(table, item) ?? []);
    this.start = page.LastEvaluatedKey;
    if (this.start === undefined) this.tables = this.tables.slice(1);
  }

  private async read(): Promise<void> {
    for (const work of this.works.splice(0, 10)) {
      const prepared = await work();
      if (prepared === undefined || isWritten(prepared.entries)) continue;
      this.readyWorks.push({ work, prepared });
    }
  }

  private async write(): Promise<void> {
    for (const { work, prepared } of this.readyWorks.splice(0)) {
      const outcome = await writeEntries(this.world, prepared.entries, this.guarded);
      if (outcome === "written") {
        this.items += 1;
        prepared.written?.();
      } else {
        // Somebody was faster: it is looked at again.
        this.world.counts.again += 1;
        this.works.push(work);
      }
    }
  }
}

const recordsIn = ({ facts }: Side, table: string): readonly StoredRecord[] =>
  facts.records.filter((one) => one.table.name === table);

/** The old tables that a backfill reads. */
export function sourceTables({ old }: World, moves: readonly EntityMove[]): readonly string[] {
  const moved = new Set(moves.map(({ entity }) => old.own(entity)));
  const tables = old.facts.records
    .filter(({ role, entity }) => role === "item" && moved.has(entity.name))
    .map(({ table }) => table.name);
  return [...new Set(tables)];
}

/** Copies what there is: every entity that is moved gets the items that the new design wants. */
export class Backfill extends PagedJob {
  private readonly moved: ReadonlySet<string>;
  protected override readonly guarded: boolean;

  /** Without conditions it loses what is written meanwhile: a rehearsal has to find that. */
  constructor(
    world: World,
    moves: readonly EntityMove[],
    { progress, guarded = true }: { readonly progress?: Progress; readonly guarded?: boolean } = {},
  ) {
    super(world, progress ?? { tables: sourceTables(world, moves), start: undefined, items: 0 });
    this.moved = new Set(moves.map(({ entity }) => entity));
    this.guarded = guarded;
  }

  protected workOf(table: string, item: Item): Work | undefined {
    const { world } = this;
    const { old, new: next } = world;
    const record = kindOf(item, recordsIn(old, table));
    const entity = record && old.common(record.entity.name);
    if (record?.role !== "item" || entity === undefined || !this.moved.has(entity))
      return undefined;
    const name = record.entity.name;
    const found = valuesIn(record, item);
    const sides = [old, next];
    // What is in the page need not be read again, unless there is more of it or somebody was faster.
    const isAll = old.facts.records.every(
      (one) => one.entity.name !== name || one === record || one.role === "unique",
    );
    let first: Item | undefined = isAll || !this.guarded ? item : undefined;
    return async () => {
      const own = first === undefined ? await readOne(world, old, name, found) : found;
      const key = keyOf(item, [record.table.partition.name, record.table.sort?.name]);
      const raw = new Map(first === undefined ? [] : [[imageId({ table, key }), first]]);
      first = this.guarded ? undefined : first;
      if (own === undefined) return undefined;
      const values = await withCopies(world, old, entity, old.toCommon(name, own));
      // New items follow from the old ones, which have to stay as they are for the moment.
      const blind = ({ of, kind }: Image): boolean => !of.includes("old") && kind !== "unique";
      const known = { raw, blind };
      const entries = await entriesFor(
        world,
        sides,
        entity,
        values,
        values,
        writingOf(world),
        known,
      );
      const twice = await this.takenBy(record, entries);
      if (twice === undefined) {
        return { entries, written: () => noteCopies(world, entity, values) };
      }
      world.failures.push(twice);
      return undefined;
    };
  }

  /** A guard of the new design that belongs to somebody else who still has the value. */
  private async takenBy(
    record: StoredRecord,
    entries: readonly Entry[],
  ): Promise<string | undefined> {
    const { world } = this;
    const { old, new: next } = world;
    const entity = old.common(record.entity.name);
    for (const entry of entries) {
      if (!isTaken([entry], "new") || entry.raw === undefined) continue;
      const other = await readOne(
        world,
        old,
        record.entity.name,
        old.toOwn(record.entity.name, new Map(Object.entries(entry.raw))),
      );
      const values = other && old.toCommon(record.entity.name, other);
      const images = values && imagesOf([next], entity, values, writingOf(world));
      if (images?.has(imageId(entry))) {
        return `two ${entity} have the value of the guard ${JSON.stringify(entry.key)}`;
      }
    }
    return undefined;
  }
}

/**
 * Takes away what lies in the new places and is in the old ones no more: while old writers were still there, they
 * deleted and changed things without the new place knowing.
 */
export class Sweep extends PagedJob {
  private readonly kinds: ReadonlySet<StoredRecord>;

  constructor(world: World, moves: readonly EntityMove[]) {
    const kinds = new Set(
      moves.flatMap((one) =>
        one.moves.flatMap(({ before, after }) => (before === undefined && after ? [after] : [])),
      ),
    );
    const tables = [...new Set([...kinds].map(({ table }) => table.name))];
    super(world, { tables, start: undefined, items: 0 });
    this.kinds = kinds;
  }

  protected workOf(table: string, item: Item): Work | undefined {
    const { world } = this;
    const all = [...recordsIn(world.new, table), ...oldKinds(world, table)];
    const record = kindOf(item, all);
    if (record === undefined || !this.kinds.has(record)) return undefined;
    const entity = record.entity.name;
    const found = valuesIn(record, item);
    return async () => {
      const { old, new: next } = world;
      const name = old.own(entity);
      const own = await readOne(world, old, name, old.toOwn(name, found));
      const values = own && old.toCommon(name, own);
      const images = values && imagesOf([next], entity, values, writingOf(world));
      const key = keyOf(item, [record.table.partition.name, record.table.sort?.name]);
      const image = { table, key, kind: "main" as const, of: ["new" as const] };
      if (images?.has(imageId(image))) return undefined;
      const gone: Entry = {
        ...image,
        raw: await readItem(world, table, key),
        item: undefined,
      };
      // It may come again between reading and deleting, so what it would belong to has to stay away, or as it is.
      const before = values ?? found;
      const beside = await entriesFor(world, [old], entity, before, values, writingOf(world));
      const guards = beside.map((one) => ({ ...one, item: one.raw }));
      return { entries: [...guards, gone] };
    };
  }
}

/** Kinds of items that only the old design has in a table. */
function oldKinds({ old, counterpart }: World, table: string): readonly StoredRecord[] {
  return recordsIn(old, table).filter((one) => counterpart(one) === undefined);
}

/** Kinds of items that only the new design has in a table. */
function newKinds({ old, new: next, counterpart }: World, table: string): readonly StoredRecord[] {
  const known = new Set(recordsIn(old, table).map(counterpart));
  return recordsIn(next, table).filter((one) => !known.has(one));
}

/** Takes away, in tables that stay, what the new design does not have. */
export class CleanUp extends PagedJob {
  /** Kinds of items that go or lose something. */
  private readonly changed: ReadonlySet<StoredRecord>;

  constructor(world: World) {
    const { old, new: next, counterpart } = world;
    const changed = old.facts.records.filter((record) => {
      if (!next.model.design?.tables.has(record.table.name)) return false;
      const names = new Set(counterpart(record)?.attributes.map(({ name }) => name));
      return record.attributes.some(({ name }) => !names.has(name));
    });
    const tables = [...new Set(changed.map(({ table }) => table.name))];
    super(world, { tables, start: undefined, items: 0 });
    this.changed = new Set(changed);
  }

  protected workOf(table: string, item: Item): Work | undefined {
    const { world } = this;
    const { old, new: next, counterpart } = world;
    const record = kindOf(item, [...recordsIn(old, table), ...newKinds(world, table)]);
    if (record === undefined || !this.changed.has(record)) return undefined;
    const name = record.entity.name;
    const entity = old.common(name);
    const found = next.toOwn(entity, old.toCommon(name, valuesIn(record, item)));
    const key = keyOf(item, [record.table.partition.name, record.table.sort?.name]);
    const image = { table, key, kind: "main" as const, of: ["new" as const] };
    return async () => {
      const raw = await readItem(world, table, key);
      if (raw === undefined) return undefined;
      if (counterpart(record) === undefined) {
        return { entries: [{ ...image, raw, item: undefined }] };
      }
      const own = await readOne(world, next, entity, found);
      const images = own && imagesOf([next], entity, own, writingOf(world));
      const wanted = images?.get(imageId(image))?.item;
      // What is not known to belong to anything is left alone.
      if (wanted === undefined) return undefined;
      const item = withStrangers(wanted, raw, world.names(table));
      return { entries: [{ ...image, raw, item }] };
    };
  }
}
