import {
  type _Record,
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
} from "@aws-sdk/client-dynamodb-streams";

/** How far a shard has been worked through; what a consumer keeps when it is stopped. */
export type Checkpoint = { readonly after: string } | "end" | "begin";

/**
 * Reads a stream as the Kinesis client library does: it discovers shards, begins with one only when its
 * parent has been read to the end, and keeps a checkpoint for each. Another one can take over from those.
 */
export class Consumer {
  readonly checkpoints: Map<string, Checkpoint>;
  readonly #client: DynamoDBStreamsClient;
  readonly #arn: string;
  readonly #take: (record: _Record, shardId: string) => void;
  readonly #iterators = new Map<string, string>();
  readonly #limit: number;

  constructor(
    client: DynamoDBStreamsClient,
    arn: string,
    take: (record: _Record, shardId: string) => void,
    options: { checkpoints?: ReadonlyMap<string, Checkpoint>; limit?: number } = {},
  ) {
    this.#client = client;
    this.#arn = arn;
    this.#take = take;
    this.#limit = options.limit ?? 1_000;
    this.checkpoints = new Map(options.checkpoints);
  }

  /** One page of each shard whose turn it is. True if there was anything to take. */
  async round(): Promise<boolean> {
    let taken = false;
    const shards = await this.#shards();
    const known = new Set(shards.map(({ ShardId }) => ShardId));
    for (const { ShardId = "", ParentShardId } of shards) {
      if (!this.checkpoints.has(ShardId)) this.checkpoints.set(ShardId, "begin");
      const waits =
        ParentShardId !== undefined &&
        known.has(ParentShardId) &&
        this.checkpoints.get(ParentShardId) !== "end";
      if (waits || this.checkpoints.get(ShardId) === "end") continue;
      if (await this.#page(ShardId)) taken = true;
    }
    return taken;
  }

  /** Goes on until a round finds nothing. */
  async catchUp(): Promise<void> {
    while (await this.round());
  }

  async #page(shardId: string): Promise<boolean> {
    const iterator = this.#iterators.get(shardId) ?? (await this.#iterator(shardId));
    this.#iterators.delete(shardId);
    try {
      const { Records = [], NextShardIterator: next } = await this.#client.send(
        new GetRecordsCommand({ ShardIterator: iterator, Limit: this.#limit }),
      );
      for (const record of Records) {
        this.#take(record, shardId);
        this.checkpoints.set(shardId, { after: record.dynamodb?.SequenceNumber as string });
      }
      if (next === undefined) this.checkpoints.set(shardId, "end");
      else this.#iterators.set(shardId, next);
      // The end of a shard is something, too: its children's turn has come.
      return Records.length > 0 || next === undefined;
    } catch (error) {
      if (error instanceof ExpiredIteratorException) return true;
      throw error;
    }
  }

  async #iterator(shardId: string): Promise<string> {
    const checkpoint = this.checkpoints.get(shardId);
    const { ShardIterator } = await this.#client.send(
      new GetShardIteratorCommand({
        StreamArn: this.#arn,
        ShardId: shardId,
        ...(typeof checkpoint === "object"
          ? { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: checkpoint.after }
          : { ShardIteratorType: "TRIM_HORIZON" }),
      }),
    );
    return ShardIterator as string;
  }

  async #shards(): Promise<Shard[]> {
    const shards: Shard[] = [];
    let start: string | undefined;
    do {
      const { StreamDescription: page } = await this.#client.send(
        new DescribeStreamCommand({ StreamArn: this.#arn, ExclusiveStartShardId: start }),
      );
      shards.push(...(page?.Shards ?? []));
      start = page?.LastEvaluatedShardId;
    } while (start !== undefined);
    return shards;
  }
}
