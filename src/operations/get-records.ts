import { hash } from "node:crypto";
import { streamRecordsMax } from "../api/limits.ts";
import { type GetRecordsRequest, getRecordsShape } from "../api/requests/streams.ts";
import { RawJson } from "../api/response-json.ts";
import { sequenceNumberText } from "../engine/sequence-number.ts";
import type { NumberedRecord } from "../engine/shard-log.ts";
import type { StreamViewType } from "../engine/stream-descriptor.ts";
import type { Context, Operation } from "./operation.ts";
import { iteratorText, readIterator } from "./shard-iterator.ts";
import { findStream } from "./stream-arn.ts";

export const getRecords: Operation<GetRecordsRequest> = {
  name: "GetRecords",
  shape: getRecordsShape,
  async run(context, request) {
    const { streams, clock } = context.database;
    const secret = await streams.secret();
    const { arn, place } = readIterator(request.ShardIterator, secret, clock.now());
    const stream = await findStream(context, arn);
    const shard = await streams.shard(stream, place.shard);
    const limit = request.Limit ?? streamRecordsMax;
    const page = await streams.read(stream, shard, place.position, limit);
    const bytes = page.records.reduce((sum, { record }) => sum + record.size, 0);
    if (stream.table !== undefined) {
      context.traffic.answered(context, "GetRecords", stream.table, page.records.length, bytes);
    }
    const next = page.next !== undefined && {
      NextShardIterator: iteratorText(
        arn,
        { ...place, position: page.next, issuedAt: clock.now() },
        secret,
      ),
    };
    return {
      Records: page.records.map((one) => describeRecord(context, arn, stream.row.viewType, one)),
      ...next,
    };
  },
};

/** Who deletes an item whose time is over. */
const timeToLive = { PrincipalId: "dynamodb.amazonaws.com", Type: "Service" };

function describeRecord(
  { region }: Context,
  arn: string,
  viewType: StreamViewType,
  { number, record }: NumberedRecord,
): object {
  const sequenceNumber = sequenceNumberText(number);
  return {
    // The same whenever the record is read.
    eventID: hash("sha256", `${arn}/${sequenceNumber}`, "hex").slice(0, 32),
    eventName: record.event,
    eventVersion: "1.1",
    eventSource: "aws:dynamodb",
    awsRegion: region,
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(record.at / 1_000),
      Keys: new RawJson(record.keys),
      ...(record.newImage !== undefined && { NewImage: new RawJson(record.newImage) }),
      ...(record.oldImage !== undefined && { OldImage: new RawJson(record.oldImage) }),
      SequenceNumber: sequenceNumber,
      SizeBytes: record.size,
      StreamViewType: viewType,
    },
    ...(record.expired && { userIdentity: timeToLive }),
  };
}
