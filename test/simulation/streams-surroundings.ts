import { Run } from "./concurrent.ts";
import { Gate } from "./gate.ts";
import { type Change, Changes, keyOf } from "./streams-changes.ts";
import { streamTables } from "./streams-tables.ts";
import type { StreamsTarget } from "./streams-target.ts";
import type { Item } from "./values.ts";

/** What all that takes part in a history shares. */
export class Surroundings {
  readonly target: StreamsTarget;
  readonly run: Run;
  readonly changes = new Changes();
  /** Time stands still while a write is under way. */
  readonly time = new Gate();
  readonly tables = new Map(streamTables.map(({ name }) => [name, new Gate()]));
  /** By the clock. */
  readonly beganAt: number;
  #transactions = 0;

  constructor(target: StreamsTarget) {
    this.target = target;
    this.beganAt = target.clock.now();
    this.run = new Run(target);
  }

  /** Writes to these tables while none of them is made anew and the clock stands. */
  async writing<T>(tables: readonly string[], work: () => Promise<T>): Promise<T> {
    const inside = [...new Set(tables)]
      .map((name) => this.tables.get(name) as Gate)
      .reduce<() => Promise<T>>((next, gate) => () => gate.together(next), work);
    return this.time.together(inside);
  }

  transaction(): number {
    this.#transactions += 1;
    return this.#transactions;
  }

  /** The changes that a request has made, if it was carried out. */
  recorder(kind: "serial" | "contended", transaction?: number) {
    const start = this.run.tick();
    return (changes: readonly Pick<Change, "table" | "before" | "after">[]): void => {
      const end = this.run.tick();
      const at = this.target.clock.now();
      for (const change of changes) {
        const item = change.after ?? change.before;
        if (item === undefined) continue;
        const key = keyOf(change.table, item);
        this.changes.add(kind, { ...change, key, start, end, at, transaction });
      }
    };
  }

  async item(table: string, Key: Item): Promise<Item | undefined> {
    const body = { TableName: table, Key, ConsistentRead: true };
    return (await this.run.expect("GetItem", body))?.Item as Item | undefined;
  }
}
