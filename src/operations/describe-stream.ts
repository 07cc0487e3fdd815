import { shardFilterIncomplete, shardNotFound } from "../api/errors/streams.ts";
import { streamShardsPageMax } from "../api/limits.ts";
import {
  type DescribeStreamRequest,
  describeStreamShape,
  type ShardFilter,
} from "../api/requests/streams.ts";
import { sequenceNumberText } from "../engine/sequence-number.ts";
import type { Shard } from "../engine/stream-descriptor.ts";
import type { Stream } from "../engine/streams.ts";
import type { Context, Operation } from "./operation.ts";
import { findStream } from "./stream-arn.ts";
import { describeKey, seconds } from "./table-description.ts";

export const describeStream: Operation<DescribeStreamRequest> = {
  name: "DescribeStream",
  shape: describeStreamShape,
  async run(context, request) {
    const { Limit: limit = streamShardsPageMax, ExclusiveStartShardId: start = "" } = request;
    checkFilter(request.ShardFilter);
    const found = await findStream(context, request.StreamArn);
    const { stream, shards: all } = await context.database.streams.shards(found);
    const wanted = filtered(all, request.ShardFilter).filter(({ id }) => id > start);
    const shards = wanted.slice(0, limit);
    const { row, status } = stream;
    return {
      StreamDescription: {
        StreamArn: request.StreamArn,
        StreamLabel: row.label,
        StreamStatus: status,
        StreamViewType: row.viewType,
        CreationRequestDateTime: seconds(row.createdAt),
        TableName: row.table,
        KeySchema: describeKey(row.key),
        Shards: await Promise.all(shards.map((shard) => describeShard(context, stream, shard))),
        ...(wanted.length > limit && { LastEvaluatedShardId: shards.at(-1)?.id }),
      },
    };
  },
};

function checkFilter(filter: ShardFilter | undefined): void {
  if (filter === undefined) return;
  if (filter.Type === undefined) throw shardFilterIncomplete("Type");
  if (filter.ShardId === undefined) throw shardFilterIncomplete("ShardId");
}

/** The children of a shard, which itself may be gone by now. */
function filtered(shards: readonly Shard[], filter: ShardFilter | undefined): readonly Shard[] {
  if (filter === undefined) return shards;
  const children = shards.filter(({ parent }) => parent === filter.ShardId);
  if (children.length === 0 && !shards.some(({ id }) => id === filter.ShardId)) {
    throw shardNotFound();
  }
  return children;
}

async function describeShard(context: Context, stream: Stream, shard: Shard): Promise<object> {
  const { starting, ending } = await context.database.streams.bounds(stream, shard);
  return {
    ShardId: shard.id,
    SequenceNumberRange: {
      StartingSequenceNumber: sequenceNumberText(starting),
      ...(ending !== undefined && { EndingSequenceNumber: sequenceNumberText(ending) }),
    },
    ...(shard.parent !== undefined && { ParentShardId: shard.parent }),
  };
}
