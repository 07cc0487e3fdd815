import { plain } from "../api/response-json.ts";
import type { Caller, Workbench } from "../workbench/workbench.ts";
import type {
  IteratorPosition,
  RecordsPage,
  ShardDescription,
  StreamDescription,
  StreamHandle,
  StreamRecord,
  StreamSource,
} from "./stream-source.ts";

/** The parts of the answers that are looked at. */
interface ListStreamsAnswer {
  readonly Streams: readonly { readonly StreamArn: string; readonly StreamLabel: string }[];
  readonly LastEvaluatedStreamArn?: string;
}

interface DescribeStreamAnswer {
  readonly StreamDescription: {
    readonly StreamStatus: string;
    readonly KeySchema: readonly { readonly AttributeName: string; readonly KeyType: string }[];
    readonly Shards: readonly {
      readonly ShardId: string;
      readonly ParentShardId?: string;
      readonly SequenceNumberRange: { readonly EndingSequenceNumber?: string };
    }[];
    readonly LastEvaluatedShardId?: string;
  };
}

/** Streams as every consumer sees them, through the operations of the service, without a network between. */
export class WorkbenchStreams implements StreamSource {
  readonly #workbench: Pick<Workbench, "execute" | "owners" | "follow">;

  constructor(workbench: Pick<Workbench, "execute" | "owners" | "follow">) {
    this.#workbench = workbench;
  }

  owners(table: string): Promise<readonly Caller[]> {
    return this.#workbench.owners(table);
  }

  async streams(table: string, caller: Caller): Promise<readonly StreamHandle[]> {
    const found: StreamHandle[] = [];
    let start: string | undefined;
    do {
      const body = { TableName: table, ...(start && { ExclusiveStartStreamArn: start }) };
      const page = await this.#ask<ListStreamsAnswer>("ListStreams", body, caller);
      for (const stream of page.Streams) {
        // Labels are times, in UTC.
        const createdAt = Date.parse(`${stream.StreamLabel}Z`);
        found.push({ arn: stream.StreamArn, caller, createdAt });
      }
      start = page.LastEvaluatedStreamArn;
    } while (start !== undefined);
    return found.toSorted((a, b) => a.createdAt - b.createdAt);
  }

  async describe({ arn, caller }: StreamHandle): Promise<StreamDescription> {
    const shards: ShardDescription[] = [];
    for (let start: string | undefined; ; ) {
      const body = { StreamArn: arn, ...(start && { ExclusiveStartShardId: start }) };
      const answer = await this.#ask<DescribeStreamAnswer>("DescribeStream", body, caller);
      const page = answer.StreamDescription;
      for (const { ShardId, ParentShardId, SequenceNumberRange } of page.Shards) {
        const isClosed = SequenceNumberRange.EndingSequenceNumber !== undefined;
        shards.push({ id: ShardId, parent: ParentShardId, isClosed });
      }
      start = page.LastEvaluatedShardId;
      if (start !== undefined) continue;
      const isOpen = page.StreamStatus === "ENABLED" || page.StreamStatus === "ENABLING";
      const hash = page.KeySchema.find(({ KeyType }) => KeyType === "HASH");
      return { isOpen, partitionKey: hash?.AttributeName ?? "", shards };
    }
  }

  async iterator(
    { arn, caller }: StreamHandle,
    shard: string,
    position: IteratorPosition,
  ): Promise<string> {
    const body = { StreamArn: arn, ShardId: shard, ...iteratorType(position) };
    const answer = await this.#ask<{ readonly ShardIterator: string }>(
      "GetShardIterator",
      body,
      caller,
    );
    return answer.ShardIterator;
  }

  async records({ caller }: StreamHandle, iterator: string, limit: number): Promise<RecordsPage> {
    const answer = await this.#ask<{
      readonly Records: readonly StreamRecord[];
      readonly NextShardIterator?: string;
    }>("GetRecords", { ShardIterator: iterator, Limit: limit }, caller);
    return { records: answer.Records, next: answer.NextShardIterator };
  }

  follow(table: string, changed: (what: "table" | "records") => void): () => void {
    return this.#workbench.follow((news) => {
      if (news.table === undefined || news.table === table) changed(news.what);
    });
  }

  async #ask<T>(operation: string, body: object, caller: Caller): Promise<T> {
    return plain<T>(await this.#workbench.execute(operation, body, caller));
  }
}

function iteratorType(position: IteratorPosition): object {
  switch (position.kind) {
    case "start":
      return { ShardIteratorType: "TRIM_HORIZON" };
    case "latest":
      return { ShardIteratorType: "LATEST" };
    case "at":
      return { ShardIteratorType: "AT_SEQUENCE_NUMBER", SequenceNumber: position.sequence };
    case "after":
      return { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: position.sequence };
  }
}
