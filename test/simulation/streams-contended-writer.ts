import type { Random } from "../random.ts";
import type { Client } from "./concurrent.ts";
import { drawPlain, plainNames } from "./generate-parts.ts";
import { updated } from "./meaning.ts";
import { requestOf } from "./requests.ts";
import type { Action, Condition, TableSpec, Write } from "./steps.ts";
import type { Surroundings } from "./streams-surroundings.ts";
import { drawOwnKey, everybody, specOf, streamTables } from "./streams-tables.ts";
import { canonicalItem, type Item, type Value } from "./values.ts";

/** Each has a value of its own in this attribute, so that whoever finds it knows who has written it. */
export const mark = "vmark";

/**
 * Changes a few keys that all clients of this kind change at the same time. What a write has found is
 * known from its answer or from its condition, and what it leaves is known to nobody else.
 */
export class ContendedWriter implements Client {
  readonly #surroundings: Surroundings;
  readonly #number: number;
  #marks = 0;

  constructor(surroundings: Surroundings, number: number) {
    this.#surroundings = surroundings;
    this.#number = number;
  }

  async step(random: Random): Promise<void> {
    if (random.chance(0.25)) {
      const tables = random.sample(streamTables, random.between(1, 3));
      const names = tables.map(({ name }) => name);
      await this.#surroundings.writing(names, () => this.#transact(random, tables));
      return;
    }
    const { name } = random.pick(streamTables);
    await this.#surroundings.writing([name], () => this.#single(random, specOf(name)));
  }

  async #single(random: Random, spec: TableSpec): Promise<void> {
    const write = this.#write(random, spec, drawOwnKey(random, spec, everybody));
    const condition: Condition = { is: random.chance(0.5) ? "exists" : "missing", path: [mark] };
    const conditional = random.chance(0.2) && { condition };
    const record = this.#surroundings.recorder("contended");
    const { operation, body } = requestOf({
      step: "write",
      write: { ...write, ...conditional },
      returns: "ALL_OLD",
    });
    const { run } = this.#surroundings;
    const answer = await run.expect(operation, body, "ConditionalCheckFailedException");
    if (answer === undefined) return;
    const before = answer.Attributes as Item | undefined;
    record([{ table: spec.name, before, after: afterOf(write, before) }]);
  }

  /** Writes what nobody has changed since it was read. */
  async #transact(random: Random, tables: readonly TableSpec[]): Promise<void> {
    const { run } = this.#surroundings;
    const befores: (Item | undefined)[] = [];
    const writes: Write[] = [];
    for (const spec of tables) {
      const key = drawOwnKey(random, spec, everybody);
      const before = await this.#surroundings.item(spec.name, key);
      const seen = before?.[mark];
      const condition: Condition =
        seen === undefined
          ? { is: "missing", path: [mark] }
          : { is: "compare", path: [mark], op: "=", value: seen };
      befores.push(before);
      writes.push({ ...this.#write(random, spec, key), condition });
    }
    const token = random.chance(0.4) && { token: this.#mark() };
    const { operation, body } = requestOf({ step: "transactWrite", writes, ...token });
    const record = this.#surroundings.recorder("contended", this.#surroundings.transaction());
    const once = () => run.expect(operation, body, "TransactionCanceledException");
    const answers = await Promise.all(token === false ? [once()] : [once(), once()]);
    if (answers.every((answer) => answer === undefined)) return;
    record(
      writes.map((write, i) => ({
        table: write.table,
        before: befores[i],
        after: afterOf(write, befores[i]),
      })),
    );
  }

  #write(random: Random, { name: table }: TableSpec, key: Item): Write {
    switch (random.weighted({ put: 35, update: 35, delete: 20, nothing: 10 })) {
      case "put":
        return { kind: "put", table, item: { ...key, ...this.#attributes(random) } };
      case "update": {
        const attributes = Object.entries(this.#attributes(random));
        const set = attributes.map(
          ([name, value]): Action => ({ do: "set", path: [name], to: { of: "value", value } }),
        );
        const counting: Action = { do: "add", path: ["vctr"], value: { N: "1" } };
        return { kind: "update", table, item: key, actions: [...set, counting] };
      }
      case "delete":
        return { kind: "delete", table, item: key };
      case "nothing":
        return {
          kind: "update",
          table,
          item: key,
          actions: [{ do: "remove", path: ["vnone"] }],
        };
    }
  }

  #attributes(random: Random): Item {
    const attributes: Record<string, Value> = { [mark]: { S: this.#mark() } };
    for (const name of random.sample(plainNames, random.between(0, 4))) {
      attributes[name] = drawPlain(random, name);
    }
    if (random.chance(0.1)) attributes.vpad = { S: "p".repeat(random.between(1, 3_000)) };
    return attributes;
  }

  #mark(): string {
    this.#marks += 1;
    return `${this.#number}-${this.#marks}`;
  }
}

function afterOf({ kind, item, actions = [] }: Write, before: Item | undefined): Item | undefined {
  if (kind === "delete") return undefined;
  return kind === "put" ? canonicalItem(item) : updated(actions, before, canonicalItem(item));
}
