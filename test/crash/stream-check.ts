import { plain } from "../../src/api/response-json.ts";
import type { Workbench } from "../../src/workbench/workbench.ts";
import type { Ledger } from "./ledger.ts";
import { type Item, mainKey, mainTable, textOf, writeName } from "./tables.ts";

type Caller = Parameters<Workbench["execute"]>[2];

interface StreamRecord {
  readonly eventName: "INSERT" | "MODIFY" | "REMOVE";
  readonly dynamodb: {
    readonly Keys: Item;
    readonly SequenceNumber: string;
    readonly OldImage?: Item;
    readonly NewImage?: Item;
  };
}

/** Everything that a record can tell. */
export const mainStream = {
  StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
};

/**
 * Reads the stream of the main table from kill to kill. Its records, one after the other, must make of
 * what was there at the last check what is there now; what was acknowledged is among them once, what was
 * refused not at all, and whatever was answered before something else was asked comes before it.
 */
export class StreamCheck {
  /** How many records were read. */
  records = 0;
  /** What the records have made so far. */
  readonly #items = new Map<string, string>();
  /** The last number that was read of each shard. */
  readonly #read = new Map<string, string>();

  /** `items`: those of the table now, as text. Without what was lost, acknowledged or not, if it is `lossy`. */
  async run(
    workbench: Workbench,
    caller: Caller,
    ledger: Ledger,
    items: ReadonlyMap<string, string>,
    lossy: boolean,
  ): Promise<string[]> {
    const problems: string[] = [];
    const seen = new Map<string, number>();
    for await (const records of this.#shards(workbench, caller)) {
      problems.push(...this.#replay(records, seen));
      if (!lossy) problems.push(...outOfOrder(records, ledger));
    }
    problems.push(...this.#differences(items));
    return [...problems, ...(lossy ? [] : miscounted(seen, ledger))];
  }

  #replay(records: readonly StreamRecord[], seen: Map<string, number>): string[] {
    const problems: string[] = [];
    for (const record of records) {
      const { key, before, after } = changeOf(record);
      const known = this.#items.get(key);
      const number = record.dynamodb.SequenceNumber;
      if (before !== known) {
        problems.push(`record ${number} says that ${key} was not what the one before has left`);
      }
      const event = before === undefined ? "INSERT" : after === undefined ? "REMOVE" : "MODIFY";
      if (record.eventName !== event) {
        problems.push(`record ${number} of ${key} calls itself ${record.eventName}`);
      }
      if (before === after) problems.push(`record ${number} of ${key} tells of no change`);
      if (after === undefined) this.#items.delete(key);
      else {
        this.#items.set(key, after);
        const value = writeName(key, after);
        seen.set(value, (seen.get(value) ?? 0) + 1);
      }
      this.records += 1;
    }
    return problems;
  }

  #differences(items: ReadonlyMap<string, string>): string[] {
    const keys = new Set([...items.keys(), ...this.#items.keys()]);
    const wrong = [...keys].filter((key) => items.get(key) !== this.#items.get(key));
    return wrong.map((key) => `the stream has made something else of ${key} than the table holds`);
  }

  /** The new records of each shard. */
  async *#shards(workbench: Workbench, caller: Caller): AsyncGenerator<readonly StreamRecord[]> {
    const ask = async <T>(operation: string, body: object): Promise<T> =>
      plain<T>(await workbench.execute(operation, body, caller));
    const { Table } = await ask<{ Table: { LatestStreamArn: string } }>("DescribeTable", {
      TableName: mainTable,
    });
    const StreamArn = Table.LatestStreamArn;
    const { StreamDescription: description } = await ask<{
      StreamDescription: { Shards: { ShardId: string }[] };
    }>("DescribeStream", { StreamArn });
    for (const { ShardId } of description.Shards) {
      const SequenceNumber = this.#read.get(ShardId);
      let { ShardIterator } = await ask<{ ShardIterator?: string }>("GetShardIterator", {
        StreamArn,
        ShardId,
        ...(SequenceNumber === undefined
          ? { ShardIteratorType: "TRIM_HORIZON" }
          : { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber }),
      });
      const records: StreamRecord[] = [];
      while (ShardIterator !== undefined) {
        const page: { Records: StreamRecord[]; NextShardIterator?: string } = await ask(
          "GetRecords",
          { ShardIterator },
        );
        records.push(...page.Records);
        ShardIterator = page.Records.length === 0 ? undefined : page.NextShardIterator;
      }
      const last = records.at(-1);
      if (last !== undefined) this.#read.set(ShardId, last.dynamodb.SequenceNumber);
      yield records;
    }
  }
}

function changeOf({ dynamodb: { Keys, OldImage, NewImage } }: StreamRecord) {
  const { pk, sk } = Keys as { pk: { S: string }; sk: { S: string } };
  return {
    key: mainKey(pk.S, sk.S),
    before: OldImage && textOf(OldImage),
    after: NewImage && textOf(NewImage),
  };
}

/** Whether a record comes after one whose request was sent when its own had been answered long since. */
function outOfOrder(records: readonly StreamRecord[], ledger: Ledger): string[] {
  const problems: string[] = [];
  let answered = Number.POSITIVE_INFINITY;
  for (const record of records.toReversed()) {
    const { key, after } = changeOf(record);
    const attempt = after === undefined ? undefined : ledger.made(writeName(key, after));
    if (attempt === undefined) continue;
    if (answered < attempt.sent) {
      problems.push(`record ${record.dynamodb.SequenceNumber} of ${key} comes before older ones`);
    }
    answered = Math.min(answered, attempt.acknowledged);
  }
  return problems;
}

function miscounted(seen: ReadonlyMap<string, number>, ledger: Ledger): string[] {
  const problems: string[] = [];
  for (const [value, attempt] of ledger.allMade()) {
    const count = seen.get(value) ?? 0;
    const isAcknowledged = Number.isFinite(attempt.acknowledged);
    if (count > 1 || (isAcknowledged && count === 0)) {
      const what = isAcknowledged ? "acknowledged" : "unanswered";
      problems.push(`${count} records tell of one ${what} write: ${value.slice(0, 80)}`);
    }
  }
  for (const value of ledger.allRefused()) {
    if (seen.has(value)) problems.push(`a record tells of a refused write: ${value.slice(0, 80)}`);
  }
  return problems;
}
