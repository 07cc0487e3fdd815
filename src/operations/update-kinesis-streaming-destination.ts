import * as errors from "../api/errors/kinesis.ts";
import { type UpdateKinesisRequest, updateKinesisShape } from "../api/requests/kinesis.ts";
import {
  changeDestinations,
  findDestination,
  passingTo,
  statusOf,
} from "./kinesis-destinations.ts";
import type { Operation } from "./operation.ts";

export const updateKinesisStreamingDestination: Operation<UpdateKinesisRequest> = {
  name: "UpdateKinesisStreamingDestination",
  shape: updateKinesisShape,
  async run(context, request) {
    const { StreamArn: stream, UpdateKinesisStreamingConfiguration: configuration } = request;
    const precision = configuration?.ApproximateCreationDateTimePrecision;
    if (precision === undefined) throw errors.updatedWithoutConfiguration();
    const TableName = await changeDestinations(context, request.TableName, (table, now) => {
      const destination = findDestination(table, stream);
      if (destination === undefined) throw errors.destinationNotFound(table.name, stream);
      if (statusOf(destination, now) !== "ACTIVE") {
        throw errors.destinationNotUpdatable(table.name, stream);
      }
      if (precision === (destination.precision ?? "MILLISECOND")) {
        throw errors.precisionUnchanged(precision, table.uuid, stream);
      }
      return { ...destination, precision, ...passingTo("UPDATING", context) };
    });
    return {
      TableName,
      StreamArn: stream,
      DestinationStatus: "UPDATING",
      UpdateKinesisStreamingConfiguration: configuration,
    };
  },
};
