import type { Random } from "../random.ts";
import type { Client } from "./concurrent.ts";
import { drawActions, drawCondition, drawItem, plainNames } from "./generate-parts.ts";
import { Oracle } from "./oracle.ts";
import { requestOf } from "./requests.ts";
import type { Step, TableSpec, Write } from "./steps.ts";
import { itemName, keyOf } from "./streams-changes.ts";
import type { Surroundings } from "./streams-surroundings.ts";
import { drawOwnKey, streamTables } from "./streams-tables.ts";
import type { Item, Value } from "./values.ts";

type WriteStep = Extract<Step, { step: "write" | "batchWrite" | "transactWrite" }>;

/**
 * A client with keys of its own, of which it changes one after the other: so an oracle knows what each
 * write does, and in which order. All kinds of writes and values, many of which change nothing.
 */
export class SerialWriter implements Client {
  readonly #surroundings: Surroundings;
  readonly #number: number;
  readonly #oracle = new Oracle();

  constructor(surroundings: Surroundings, number: number) {
    this.#surroundings = surroundings;
    this.#number = number;
    for (const spec of streamTables) this.#oracle.run({ step: "createTable", spec });
  }

  /** The table was deleted and made anew. */
  forget(table: string): void {
    this.#oracle.tables.get(table)?.items.clear();
  }

  async step(random: Random): Promise<void> {
    const tables = [...new Set(random.times(3, () => random.pick(streamTables)))];
    const names = tables.map(({ name }) => name);
    await this.#surroundings.writing(names, () => this.#carryOut(this.#draw(random, tables)));
  }

  async #carryOut(step: WriteStep): Promise<void> {
    const { run } = this.#surroundings;
    const writes = step.step === "write" ? [step.write] : step.writes;
    const transaction =
      step.step === "transactWrite" ? this.#surroundings.transaction() : undefined;
    const befores = writes.map((write) => this.#now(write));
    const expected = this.#oracle.run(step);
    const record = this.#surroundings.recorder("serial", transaction);
    const { operation, body } = requestOf(step);
    // A client that has heard nothing asks again, which must change nothing.
    const answers = await Promise.all(
      step.step === "transactWrite" && step.token !== undefined
        ? [run.send(operation, body), run.send(operation, body)]
        : [run.send(operation, body)],
    );
    for (const got of answers) {
      const [wanted, was] = [errorOf(expected), errorOf(got)];
      run.check(wanted === was, () => `${operation}: ${was} instead of ${wanted}`);
    }
    if ("error" in expected) return;
    record(
      writes.map((write, i) => ({
        table: write.table,
        before: befores[i],
        after: this.#now(write),
      })),
    );
  }

  /** The item as the oracle has it. */
  #now({ table, item }: Write): Item | undefined {
    const name = itemName(table, keyOf(table, item));
    const items = [...(this.#oracle.tables.get(table)?.items.values() ?? [])];
    return items.find((one) => itemName(table, keyOf(table, one)) === name);
  }

  #draw(random: Random, tables: readonly TableSpec[]): WriteStep {
    switch (random.weighted({ single: 65, batch: 15, transaction: 20 })) {
      case "single":
        return {
          step: "write",
          write: this.#write(random, random.pick(tables), [
            "put",
            "put",
            "update",
            "update",
            "delete",
          ]),
          returns: random.pick(["NONE", "ALL_OLD"]),
        };
      case "batch": {
        const writes = this.#writes(random, tables, ["put", "put", "delete"], 8);
        const bare = writes.map(({ kind, table, item }) => ({ kind, table, item }));
        return { step: "batchWrite", writes: bare.sort((a, b) => (a.table < b.table ? -1 : 1)) };
      }
      case "transaction": {
        const kinds = ["put", "put", "update", "update", "delete", "check"] as const;
        const writes = this.#writes(random, tables, kinds, 6);
        const token = `${this.#number}-${random.between(0, 2 ** 31)}`;
        return { step: "transactWrite", writes, ...(random.chance(0.4) && { token }) };
      }
    }
  }

  /** Each key at most once. */
  #writes(
    random: Random,
    tables: readonly TableSpec[],
    kinds: readonly Write["kind"][],
    most: number,
  ): Write[] {
    const writes = new Map<string, Write>();
    for (let left = random.between(1, most); left > 0 || writes.size === 0; left -= 1) {
      const write = this.#write(random, random.pick(tables), kinds);
      // In a transaction an update has to say what it does.
      if (write.actions?.length === 0) continue;
      writes.set(itemName(write.table, keyOf(write.table, write.item)), write);
    }
    return [...writes.values()];
  }

  #write(random: Random, spec: TableSpec, kinds: readonly Write["kind"][]): Write {
    const kind = random.pick(kinds);
    const table = spec.name;
    const key = drawOwnKey(random, spec, this.#number);
    const now = this.#now({ kind, table, item: key });
    const conditional = kind === "check" || random.chance(0.15);
    const condition = conditional && { condition: drawCondition(random, plainNames) };
    if (kind === "put") {
      const again = now !== undefined && random.chance(0.2);
      const item = again ? otherwise(random, now) : { ...drawItem(random, spec, false), ...key };
      return { kind, table, item, ...condition };
    }
    const actions = kind === "update" && { actions: drawActions(random) };
    return { kind, table, item: key, ...actions, ...condition };
  }
}

const errorOf = (answer: object): unknown => ("error" in answer ? answer.error : "no error");

/** The same item, written in another way. */
function otherwise(random: Random, item: Item): Item {
  const shuffled = random.sample(Object.entries(item), Object.keys(item).length);
  return Object.fromEntries(shuffled.map(([name, value]) => [name, rewritten(random, value)]));
}

function rewritten(random: Random, value: Value): Value {
  if ("SS" in value) return { SS: random.sample(value.SS, value.SS.length) };
  if ("NS" in value) return { NS: random.sample(value.NS, value.NS.length) };
  if ("N" in value && random.chance(0.5)) {
    return { N: value.N.includes(".") ? `${value.N}0` : `${value.N}.0` };
  }
  if ("M" in value) return { M: otherwise(random, value.M) };
  return value;
}
