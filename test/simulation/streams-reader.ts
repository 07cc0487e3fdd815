import type { Random } from "../random.ts";
import { dayMs } from "./streams-changes.ts";
import type { Surroundings } from "./streams-surroundings.ts";
import type { Item } from "./values.ts";

export interface StreamRecord {
  readonly eventID: string;
  readonly eventName: "INSERT" | "MODIFY" | "REMOVE";
  readonly dynamodb: {
    readonly ApproximateCreationDateTime: number;
    readonly Keys: Item;
    readonly NewImage?: Item;
    readonly OldImage?: Item;
    readonly SequenceNumber: string;
    readonly SizeBytes: number;
    readonly StreamViewType: string;
  };
  readonly userIdentity?: object;
}

interface Described {
  readonly ShardId: string;
  readonly ParentShardId?: string;
  readonly SequenceNumberRange: {
    readonly StartingSequenceNumber: string;
    readonly EndingSequenceNumber?: string;
  };
}

/** A shard, and how far it was read. */
export interface ReadShard {
  readonly id: string;
  readonly parent: string | undefined;
  readonly starting: bigint;
  ending: bigint | undefined;
  readonly records: StreamRecord[];
  /** Where a consumer goes on, also one that was started anew. */
  checkpoint: string | undefined;
  iterator: { readonly text: string; readonly issuedAt: number } | undefined;
  /** There is nothing more to come. */
  finished: boolean;
  /** What comes after the checkpoint is gone: to go on with what is left. */
  trimmed: boolean;
}

const iteratorMs = 15 * 60_000;

/**
 * Reads one stream as consumers do: a shard when its parent is done, page by page, from the last record
 * that was seen. Complains of answers that no consumer could live with.
 */
export class StreamReader {
  readonly arn: string;
  readonly shards = new Map<string, ReadShard>();
  /** The stream is no longer there. */
  gone = false;
  readonly #surroundings: Surroundings;

  constructor(surroundings: Surroundings, arn: string) {
    this.#surroundings = surroundings;
    this.arn = arn;
  }

  /** Shards that can be read now. */
  ready(): ReadShard[] {
    if (this.gone) return [];
    return [...this.shards.values()].filter(
      ({ finished, parent = "" }) => !finished && (this.shards.get(parent)?.finished ?? true),
    );
  }

  async describe(random: Random): Promise<void> {
    if (this.gone) return;
    const listed = new Map<string, Described>();
    let start: string | undefined;
    let status: string;
    let pages = 0;
    do {
      const answer = await this.#ask("DescribeStream", {
        StreamArn: this.arn,
        ...(random.chance(0.5) && { Limit: random.between(1, 10) }),
        ...(start !== undefined && { ExclusiveStartShardId: start }),
      });
      if (answer === undefined) return;
      const description = answer.StreamDescription as {
        StreamStatus: string;
        Shards: readonly Described[];
        LastEvaluatedShardId?: string;
      };
      for (const shard of description.Shards) {
        this.#check(!listed.has(shard.ShardId), () => `${shard.ShardId} is listed twice`);
        listed.set(shard.ShardId, shard);
      }
      status = description.StreamStatus;
      start = description.LastEvaluatedShardId;
      pages += 1;
    } while (start !== undefined);
    for (const shard of listed.values()) this.#meet(shard);
    this.#checkFamilies(listed, status, pages);
  }

  #meet({ ShardId: id, ParentShardId: parent, SequenceNumberRange: range }: Described): void {
    const starting = BigInt(range.StartingSequenceNumber);
    const ending =
      range.EndingSequenceNumber === undefined ? undefined : BigInt(range.EndingSequenceNumber);
    const known = this.shards.get(id);
    if (known === undefined) {
      this.shards.set(id, {
        ...{ id, parent, starting, ending, records: [] },
        ...{ checkpoint: undefined, iterator: undefined, finished: false, trimmed: false },
      });
      return;
    }
    const same = known.parent === parent && known.starting === starting;
    this.#check(same, () => `${id} is described in another way than before`);
    // Another front end may not have heard of its end yet.
    if (ending === undefined) return;
    const first = known.ending === undefined;
    this.#check(first || known.ending === ending, () => `${id} has ended twice`);
    known.ending = ending;
  }

  /** Whoever has read a shard to its end must find where to go on. */
  #checkFamilies(listed: ReadonlyMap<string, Described>, status: string, pages: number): void {
    const parents = new Set([...listed.values()].map(({ ParentShardId }) => ParentShardId));
    for (const { ShardId, ParentShardId = "", SequenceNumberRange: range } of listed.values()) {
      const closed = range.EndingSequenceNumber !== undefined;
      if (closed && status === "ENABLED") {
        this.#check(parents.has(ShardId), () => `${ShardId} is closed and has no children`);
      }
      const parent = listed.get(ParentShardId)?.SequenceNumberRange;
      // Between two pages a shard may be split.
      if (parent === undefined || pages > 1) continue;
      const after = BigInt(parent.EndingSequenceNumber ?? 10n ** 50n);
      this.#check(
        BigInt(range.StartingSequenceNumber) > after,
        () => `${ShardId} begins before its parent has ended`,
      );
    }
  }

  /** Reads all that is there when nobody writes: parents before their children. */
  async finish(random: Random): Promise<void> {
    const { problems } = this.#surroundings.run;
    const quiet = new Set<string>();
    for (;;) {
      await this.describe(random);
      const ready = this.ready().filter(({ id }) => !quiet.has(id));
      if (ready.length === 0) return;
      for (const shard of ready) {
        // An iterator may have expired, and then its place be trimmed; an empty page is the end.
        while (!shard.finished && !this.gone && problems.length === 0) {
          if ((await this.read(shard, random)) === 0) break;
        }
        if (!shard.finished) quiet.add(shard.id);
      }
    }
  }

  /** Does a little of the work. */
  async step(random: Random): Promise<void> {
    const ready = this.ready();
    if (ready.length === 0 || random.chance(0.2)) await this.describe(random);
    else await this.read(random.pick(ready), random);
  }

  /** Begins with what comes now: open shards from their ends on, and those that follow as a whole. */
  async beginLatest(random: Random): Promise<void> {
    await this.describe(random);
    for (const shard of this.shards.values()) {
      shard.finished = shard.ending !== undefined;
      if (shard.finished) continue;
      const body = { StreamArn: this.arn, ShardId: shard.id, ShardIteratorType: "LATEST" };
      const issuedAt = this.#now;
      const answer = await this.#ask("GetShardIterator", body, shard);
      if (answer === undefined) continue;
      shard.iterator = { text: answer.ShardIterator as string, issuedAt };
    }
  }

  /** Reads a page; answers how many records there were, or nothing if it has to be tried again. */
  async read(shard: ReadShard, random: Random): Promise<number | undefined> {
    const iterator = shard.iterator ?? (await this.#iterate(shard, random));
    if (iterator === undefined) return undefined;
    shard.iterator = undefined;
    const limit = random.chance(0.2)
      ? undefined
      : random.between(1, random.chance(0.5) ? 5 : 1_000);
    const answer = await this.#ask(
      "GetRecords",
      { ShardIterator: iterator.text, ...(limit !== undefined && { Limit: limit }) },
      shard,
      iterator.issuedAt,
    );
    if (answer === undefined) return undefined;
    const records = answer.Records as readonly StreamRecord[];
    this.#check(records.length <= (limit ?? 1_000), () => `more than ${limit} records in a page`);
    this.#take(shard, records);
    const next = answer.NextShardIterator as string | undefined;
    if (next === undefined) shard.finished = true;
    else shard.iterator = { text: next, issuedAt: this.#now };
    return records.length;
  }

  #take(shard: ReadShard, records: readonly StreamRecord[]): void {
    for (const record of records) {
      const number = BigInt(record.dynamodb.SequenceNumber);
      const isLater = shard.checkpoint === undefined || number > BigInt(shard.checkpoint);
      this.#check(isLater, () => `${number} comes after ${shard.checkpoint} in ${shard.id}`);
      shard.records.push(record);
      shard.checkpoint = record.dynamodb.SequenceNumber;
    }
  }

  /** From where the shard was left, or from its beginning. */
  async #iterate(shard: ReadShard, random: Random): Promise<ReadShard["iterator"]> {
    const { checkpoint, id: ShardId } = shard;
    const at = random.chance(0.15);
    const fromHorizon = checkpoint === undefined || shard.trimmed;
    shard.trimmed = false;
    const place = fromHorizon
      ? { ShardIteratorType: "TRIM_HORIZON" }
      : {
          ShardIteratorType: at ? "AT_SEQUENCE_NUMBER" : "AFTER_SEQUENCE_NUMBER",
          SequenceNumber: checkpoint,
        };
    const body = { StreamArn: this.arn, ShardId, ...place };
    const issuedAt = this.#now;
    const answer = await this.#ask("GetShardIterator", body, shard);
    if (answer === undefined) return undefined;
    const text = answer.ShardIterator as string;
    if (place.ShardIteratorType !== "AT_SEQUENCE_NUMBER") return { text, issuedAt };
    const page = await this.#ask("GetRecords", { ShardIterator: text, Limit: 1 }, shard, issuedAt);
    if (page === undefined) return undefined;
    const [record] = page.Records as readonly StreamRecord[];
    const number = record?.dynamodb.SequenceNumber;
    this.#check(number === checkpoint, () => `${number} is found at ${checkpoint} in ${ShardId}`);
    const next = page.NextShardIterator as string | undefined;
    if (next === undefined) shard.finished = true;
    return next === undefined ? undefined : { text: next, issuedAt: this.#now };
  }

  get #now(): number {
    return this.#surroundings.target.clock.now();
  }

  /** The answer, or nothing if something is gone that may be gone. */
  async #ask(
    operation: string,
    body: Record<string, unknown>,
    shard?: ReadShard,
    issuedAt?: number,
  ): Promise<Record<string, unknown> | undefined> {
    const { run } = this.#surroundings;
    const answer = await run.send(operation, body);
    if ("answer" in answer) return answer.answer;
    const complain = (): void =>
      run.problem(`${this.arn}: ${operation} ${JSON.stringify(body)} answered ${answer.error}`);
    switch (answer.error) {
      case "ExpiredIteratorException":
        if (issuedAt === undefined || this.#now - issuedAt <= iteratorMs) complain();
        return undefined;
      case "TrimmedDataAccessException":
        if (shard === undefined || !this.#mayBeGone()) complain();
        else shard.trimmed = true;
        return undefined;
      case "ResourceNotFoundException":
        if (!this.#mayBeGone()) complain();
        else if (shard === undefined) this.gone = true;
        else shard.finished = true;
        return undefined;
      default:
        complain();
        return undefined;
    }
  }

  /** Only when a day has passed since the first record could have been written. */
  #mayBeGone(): boolean {
    return this.#now - this.#surroundings.beganAt >= dayMs;
  }

  #check(holds: boolean, text: () => string): void {
    this.#surroundings.run.check(holds, () => `${this.arn}: ${text()}`);
  }
}
