// Makes the table of this example: counters of votes in shards, and their totals.
import {
  CreateTableCommand,
  DynamoDBClient,
  ResourceInUseException,
} from "@aws-sdk/client-dynamodb";

try {
  await new DynamoDBClient().send(
    new CreateTableCommand({
      TableName: "Votes",
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    }),
  );
  console.log("Votes is made");
} catch (error) {
  if (!(error instanceof ResourceInUseException)) throw error;
}
