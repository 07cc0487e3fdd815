import { destinationNotDisabled } from "../api/errors/kinesis.ts";
import { enableKinesisShape, type KinesisRequest } from "../api/requests/kinesis.ts";
import { changeDestinations, isIdle, outcomeOf, passingTo } from "./kinesis-destinations.ts";
import type { Operation } from "./operation.ts";

export const enableKinesisStreamingDestination: Operation<KinesisRequest> = {
  name: "EnableKinesisStreamingDestination",
  shape: enableKinesisShape,
  async run(context, request) {
    const { StreamArn: stream, EnableKinesisStreamingConfiguration: configuration = {} } = request;
    const { ApproximateCreationDateTimePrecision: precision } = configuration;
    const TableName = await changeDestinations(context, request.TableName, (table, now) => {
      if (!(table.kinesis ?? []).every((destination) => isIdle(destination, now))) {
        throw destinationNotDisabled();
      }
      return {
        stream,
        ...outcomeOf(context, stream),
        ...(precision !== undefined && { precision }),
        ...passingTo("ENABLING", context),
      };
    });
    return {
      TableName,
      StreamArn: stream,
      DestinationStatus: "ENABLING",
      EnableKinesisStreamingConfiguration: configuration,
    };
  },
};
