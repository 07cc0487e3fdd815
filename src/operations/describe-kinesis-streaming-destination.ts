import { type DescribeKinesisRequest, describeKinesisShape } from "../api/requests/kinesis.ts";
import type { KinesisDestination } from "../engine/descriptor.ts";
import { requireTable, statusOf } from "./kinesis-destinations.ts";
import type { Operation } from "./operation.ts";
import { tableNameOf } from "./table-name.ts";

export const describeKinesisStreamingDestination: Operation<DescribeKinesisRequest> = {
  name: "DescribeKinesisStreamingDestination",
  shape: describeKinesisShape,
  async run(context, request) {
    const { database, namespace } = context;
    const name = tableNameOf(context, request.TableName);
    const now = database.clock.now();
    const table = requireTable(await database.catalog.find(namespace, name), name, now);
    return {
      TableName: name,
      KinesisDataStreamDestinations: (table.kinesis ?? []).map((one) => describe(one, now)),
    };
  },
};

function describe(destination: KinesisDestination, now: number): object {
  const { stream, precision, failure } = destination;
  const status = statusOf(destination, now);
  const failed = status === "ENABLE_FAILED" && failure !== undefined;
  return {
    StreamArn: stream,
    DestinationStatus: status,
    ...(failed && { DestinationStatusDescription: failure }),
    ...(precision !== undefined && !failed && { ApproximateCreationDateTimePrecision: precision }),
  };
}
