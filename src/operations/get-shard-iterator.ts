import * as errors from "../api/errors/streams.ts";
import {
  type GetShardIteratorRequest,
  getShardIteratorShape,
  type ShardIteratorType,
} from "../api/requests/streams.ts";
import { readSequenceNumber } from "../engine/sequence-number.ts";
import type { Shard } from "../engine/stream-descriptor.ts";
import type { Stream, Streams } from "../engine/streams.ts";
import type { Operation } from "./operation.ts";
import { iteratorText } from "./shard-iterator.ts";
import { findStream } from "./stream-arn.ts";

export const getShardIterator: Operation<GetShardIteratorRequest> = {
  name: "GetShardIterator",
  shape: getShardIteratorShape,
  async run(context, request) {
    const number = sequenceNumberOf(request);
    const { streams, clock } = context.database;
    const { stream, shards } = await streams.shards(await findStream(context, request.StreamArn));
    const shard = shards.find(({ id }) => id === request.ShardId);
    if (shard === undefined) throw errors.shardNotFound();
    const type = request.ShardIteratorType;
    const place = {
      shard: shard.number,
      position: await positionOf(streams, stream, shard, type, number),
      issuedAt: clock.now(),
    };
    return { ShardIterator: iteratorText(request.StreamArn, place, await streams.secret()) };
  },
};

/** Only where the type of the iterator asks for one. */
function sequenceNumberOf(request: GetShardIteratorRequest): number {
  const { ShardIteratorType: type, SequenceNumber: text } = request;
  const isNumbered = type === "AT_SEQUENCE_NUMBER" || type === "AFTER_SEQUENCE_NUMBER";
  if (!isNumbered) {
    if (text !== undefined) throw errors.sequenceNumberGiven(type);
    return 0;
  }
  if (text === undefined) throw errors.sequenceNumberMissing(type);
  const number = readSequenceNumber(text);
  if (number === undefined) throw errors.invalidSequenceNumber();
  return number;
}

function positionOf(
  streams: Streams,
  stream: Stream,
  shard: Shard,
  type: ShardIteratorType,
  number: number,
): Promise<number> {
  switch (type) {
    case "TRIM_HORIZON":
      return streams.oldest(stream, shard);
    case "LATEST":
      return streams.newest(stream, shard);
    case "AT_SEQUENCE_NUMBER":
      return streams.positionOf(stream, shard, number, false);
    case "AFTER_SEQUENCE_NUMBER":
      return streams.positionOf(stream, shard, number, true);
  }
}
