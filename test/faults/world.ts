/** An item as plain values: a string is S, a number is N. Every item has `pk`, some have `sk`. */
export type Plain = Readonly<Record<string, string | number>>;

export interface WorldIndex {
  readonly name: string;
  readonly kind: "global" | "local";
  /** The attribute that an item must have to be in the index. */
  readonly attribute: string;
}

export interface WorldTable {
  readonly range: boolean;
  readonly protected: boolean;
  readonly billing: "PAY_PER_REQUEST" | "PROVISIONED";
  readonly indexes: readonly WorldIndex[];
  /** The attribute by which items expire, and when that was last changed. */
  readonly ttl?: string;
  readonly ttlChangedAt?: number;
  readonly items: ReadonlyMap<string, Plain>;
}

/** All that the database should hold: plain maps that are copied, never changed. */
export interface World {
  readonly tables: ReadonlyMap<string, WorldTable>;
  /** Client tokens of transactions that took place. */
  readonly tokens: ReadonlySet<string>;
  /** The time in seconds. */
  readonly now: number;
}

export const hour = 3_600;
/** When every history begins. */
export const beginning = Date.UTC(2026, 0, 1) / 1_000;

export const emptyWorld: World = { tables: new Map(), tokens: new Set(), now: beginning };

/** Without what has expired by now. */
export function swept(world: World): World {
  let after = world;
  for (const [name, { ttl, items }] of world.tables) {
    if (ttl === undefined) continue;
    for (const [id, item] of items) {
      const expiry = item[ttl];
      if (typeof expiry === "number" && expiry < world.now) {
        after = withItem(after, name, id, undefined);
      }
    }
  }
  return after;
}

/** An answer of the service that refuses: nothing has happened. */
export class Refused extends Error {
  readonly type: string;

  constructor(type: string) {
    super(type);
    this.type = type;
  }
}

export const idOf = ({ pk, sk }: Plain): string => (sk === undefined ? `${pk}` : `${pk}/${sk}`);

export function tableOf(world: World, name: string): WorldTable {
  const table = world.tables.get(name);
  if (table === undefined) throw new Refused("ResourceNotFoundException");
  return table;
}

export function withTable(world: World, name: string, table: WorldTable | undefined): World {
  const tables = new Map(world.tables);
  if (table === undefined) tables.delete(name);
  else tables.set(name, table);
  return { ...world, tables };
}

/** With one item changed; `undefined` removes it. */
export function withItem(world: World, name: string, id: string, item: Plain | undefined): World {
  const table = tableOf(world, name);
  const items = new Map(table.items);
  if (item === undefined) items.delete(id);
  else items.set(id, item);
  return withTable(world, name, { ...table, items });
}

export function idsOf(table: WorldTable, holds: (item: Plain) => boolean = () => true): string[] {
  const ids: string[] = [];
  for (const [id, item] of table.items) if (holds(item)) ids.push(id);
  return ids.sort();
}

/** What the database should show of the tables, to be compared with what it shows. */
export function picture(world: World): object {
  const tables: Record<string, object> = {};
  for (const name of [...world.tables.keys()].sort()) {
    tables[name] = tablePicture(tableOf(world, name));
  }
  return tables;
}

const pictures = new WeakMap<WorldTable, object>();

function tablePicture(table: WorldTable): object {
  const known = pictures.get(table);
  if (known !== undefined) return known;
  const ids = idsOf(table);
  const indexes: Record<string, readonly string[]> = {};
  for (const { name, attribute } of [...table.indexes].sort(byName)) {
    indexes[name] = ids.filter((id) => table.items.get(id)?.[attribute] !== undefined);
  }
  const made = {
    protected: table.protected,
    billing: table.billing,
    ttl: table.ttl ?? "none",
    count: table.items.size,
    items: ids.map((id) => sorted(table.items.get(id) as Plain)),
    indexes,
  };
  pictures.set(table, made);
  return made;
}

const texts = new WeakMap<World, string>();

/** Equal texts, equal worlds. */
export function textOf(world: World): string {
  const known = texts.get(world);
  if (known !== undefined) return known;
  const changes = [...world.tables].map(([name, { ttlChangedAt }]) => [name, ttlChangedAt]);
  const tokens = [...world.tokens].sort();
  const text = JSON.stringify([picture(world), tokens, world.now, changes.sort()]);
  texts.set(world, text);
  return text;
}

export const byName = (a: { name: string }, b: { name: string }): number =>
  a.name < b.name ? -1 : 1;

const inOrder = new WeakMap<Plain, Plain>();

/** The item with its attributes in order. */
export function sorted(item: Plain): Plain {
  let made = inOrder.get(item);
  if (made === undefined) {
    made = Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
    inOrder.set(item, made);
  }
  return made;
}
