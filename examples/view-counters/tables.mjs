// Makes the tables of this example: what is viewed, and how often.
import {
  CreateTableCommand,
  DynamoDBClient,
  ResourceInUseException,
} from "@aws-sdk/client-dynamodb";

const client = new DynamoDBClient();

/** @param {import("@aws-sdk/client-dynamodb").CreateTableCommandInput} table */
async function make(table) {
  try {
    await client.send(new CreateTableCommand({ BillingMode: "PAY_PER_REQUEST", ...table }));
    console.log(`${table.TableName} is made`);
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
}

// One item for each view. Views of one page share its partition key, so they reach the trigger in order.
await make({
  TableName: "Views",
  KeySchema: [
    { AttributeName: "page", KeyType: "HASH" },
    { AttributeName: "viewed", KeyType: "RANGE" },
  ],
  AttributeDefinitions: [
    { AttributeName: "page", AttributeType: "S" },
    { AttributeName: "viewed", AttributeType: "S" },
  ],
  StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" },
});

// One item for each page.
await make({
  TableName: "ViewCounters",
  KeySchema: [{ AttributeName: "page", KeyType: "HASH" }],
  AttributeDefinitions: [{ AttributeName: "page", AttributeType: "S" }],
});
