// Makes the tables of this example: sessions that expire, and a log of how they ended.
import {
  CreateTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";

const client = new DynamoDBClient();

/** @param {import("@aws-sdk/client-dynamodb").CreateTableCommandInput} table */
async function make(table) {
  try {
    await client.send(
      new CreateTableCommand({
        BillingMode: "PAY_PER_REQUEST",
        KeySchema: [{ AttributeName: "session", KeyType: "HASH" }],
        AttributeDefinitions: [{ AttributeName: "session", AttributeType: "S" }],
        ...table,
      }),
    );
    await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName: table.TableName });
    console.log(`${table.TableName} is made`);
    return true;
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    return false;
  }
}

// The old image tells who was logged in.
const isNew = await make({
  TableName: "Sessions",
  StreamSpecification: { StreamEnabled: true, StreamViewType: "OLD_IMAGE" },
});
if (isNew) {
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: "Sessions",
      TimeToLiveSpecification: { Enabled: true, AttributeName: "expires" },
    }),
  );
}
await make({ TableName: "EndedSessions" });
