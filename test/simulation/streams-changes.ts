import type { Interval } from "./concurrent.ts";
import { keyNames } from "./steps.ts";
import { specOf, type ViewType } from "./streams-tables.ts";
import { canonical, type Item, same, stable } from "./values.ts";

/** What an acknowledged request has done to one item. */
export interface Change extends Interval {
  readonly table: string;
  readonly key: Item;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  /** By the clock, which stands still while a request is under way. */
  readonly at: number;
  /** Those of one transaction have the same number. */
  readonly transaction: number | undefined;
}

/** A stream of a table, from the moment at which it is switched on to that at which it is switched off. */
export interface Era {
  readonly table: string;
  readonly arn: string;
  readonly viewType: ViewType;
  readonly on: Interval;
  off?: Interval & { readonly at: number };
}

export const dayMs = 24 * 3_600_000;

/** All that was acknowledged: what the streams have to tell. */
export class Changes {
  readonly eras: Era[] = [];
  /** In the order of their acknowledgement, by table and key. */
  readonly serial = new Map<string, Change[]>();
  readonly contended = new Map<string, Change[]>();
  count = 0;

  /** A change that changes nothing is none. */
  add(kind: "serial" | "contended", change: Change): void {
    if (same(change.before, change.after)) return;
    const name = itemName(change.table, change.key);
    const all = this[kind];
    const known = all.get(name);
    if (known === undefined) all.set(name, [change]);
    else known.push(change);
    this.count += 1;
  }
}

export function keyOf(table: string, item: Item): Item {
  return Object.fromEntries(
    keyNames(specOf(table)).map((name) => [name, canonical(item[name] as Item[string])]),
  );
}

export const itemName = (table: string, key: Item): string => `${table} ${stable(key)}`;

/** The change is in this stream, whatever the order of what went on at the same time. */
export const isSurely = ({ start, end }: Interval, { on, off }: Era): boolean =>
  start > on.end && (off === undefined || end < off.start);

export const isPossibly = ({ start, end }: Interval, { on, off }: Era): boolean =>
  end > on.start && (off === undefined || start < off.end);
