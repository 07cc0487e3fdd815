// Views some pages many times, and shows the counters as the trigger follows.
import { randomUUID } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { BatchWriteCommand, DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";

const documents = DynamoDBDocumentClient.from(new DynamoDBClient());
const pages = new Map([
  ["/home", 250],
  ["/pricing", 75],
  ["/imprint", 3],
]);

for (const [page, views] of pages) {
  for (let done = 0; done < views; done += 25) {
    const requests = Array.from({ length: Math.min(25, views - done) }, () => ({
      PutRequest: { Item: { page, viewed: `${new Date().toISOString()}#${randomUUID()}` } },
    }));
    await documents.send(new BatchWriteCommand({ RequestItems: { Views: requests } }));
  }
}
console.log(`viewed ${[...pages].map(([page, views]) => `${page} ${views} times`).join(", ")}`);

for (;;) {
  const { Items = [] } = await documents.send(new ScanCommand({ TableName: "ViewCounters" }));
  const counted = new Map(Items.map(({ page, views }) => [page, views]));
  if ([...pages].every(([page, views]) => counted.get(page) >= views)) {
    for (const page of pages.keys()) console.log(`${page}: ${counted.get(page)}`);
    break;
  }
  await new Promise((next) => setTimeout(next, 50));
}
