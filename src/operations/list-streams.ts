import { streamsPageMax } from "../api/limits.ts";
import { type ListStreamsRequest, listStreamsShape } from "../api/requests/streams.ts";
import type { StreamRow } from "../engine/stream-descriptor.ts";
import type { Context, Operation } from "./operation.ts";
import { readStreamArn, streamArn } from "./stream-arn.ts";
import { tableArn } from "./table-name.ts";

export const listStreams: Operation<ListStreamsRequest> = {
  name: "ListStreams",
  shape: listStreamsShape,
  async run(context, request) {
    const { TableName: table, Limit: limit = streamsPageMax } = request;
    const { ExclusiveStartStreamArn: startArn } = request;
    const start = startArn === undefined ? undefined : readStreamArn(context, startArn);
    const { streams } = context.database;
    const found = await streams.list(context.namespace, table, start, limit + 1);
    const rows = found.slice(0, limit);
    const last = rows.at(-1);
    return {
      Streams: rows.map((row) => ({
        StreamArn: arnOf(context, row),
        TableName: row.table,
        StreamLabel: row.label,
      })),
      ...(found.length > limit &&
        last !== undefined && { LastEvaluatedStreamArn: arnOf(context, last) }),
    };
  },
};

function arnOf(context: Context, { table, label }: StreamRow): string {
  return streamArn(tableArn(context, table), label);
}
