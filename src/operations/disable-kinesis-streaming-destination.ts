import { destinationNotActive, disabledWithConfiguration } from "../api/errors/kinesis.ts";
import { disableKinesisShape, type KinesisRequest } from "../api/requests/kinesis.ts";
import {
  changeDestinations,
  findDestination,
  passingTo,
  statusOf,
} from "./kinesis-destinations.ts";
import type { Operation } from "./operation.ts";

export const disableKinesisStreamingDestination: Operation<KinesisRequest> = {
  name: "DisableKinesisStreamingDestination",
  shape: disableKinesisShape,
  async run(context, request) {
    const { StreamArn: stream, EnableKinesisStreamingConfiguration: configuration } = request;
    if (configuration?.ApproximateCreationDateTimePrecision !== undefined) {
      throw disabledWithConfiguration();
    }
    const TableName = await changeDestinations(context, request.TableName, (table, now) => {
      const destination = findDestination(table, stream);
      const status = destination && statusOf(destination, now);
      if (status === "DISABLING") return undefined;
      if (status !== "ACTIVE") throw destinationNotActive();
      // How precise its times were is forgotten.
      return { stream, status: "DISABLED", ...passingTo("DISABLING", context) };
    });
    return { TableName, StreamArn: stream, DestinationStatus: "DISABLING" };
  },
};
