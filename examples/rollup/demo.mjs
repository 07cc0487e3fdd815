// Casts votes, and waits for the next roll-up to show them.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { candidates, shardKey, shards, totalKey } from "./votes.mjs";

const documents = DynamoDBDocumentClient.from(new DynamoDBClient());
const TableName = "Votes";

async function total(candidate) {
  const { Item } = await documents.send(
    new GetCommand({ TableName, Key: { pk: totalKey(candidate) } }),
  );
  return Item?.votes ?? 0;
}

const before = new Map();
for (const candidate of candidates) before.set(candidate, await total(candidate));

async function vote(candidate) {
  // Any shard will do: that is what spreads the writes.
  const shard = Math.floor(Math.random() * shards);
  await documents.send(
    new UpdateCommand({
      TableName,
      Key: { pk: shardKey(candidate, shard) },
      UpdateExpression: "ADD votes :one",
      ExpressionAttributeValues: { ":one": 1 },
    }),
  );
}

const votes = new Map([
  ["ada", 120],
  ["grace", 90],
  ["edsger", 40],
]);
for (const [candidate, count] of votes) {
  await Promise.all(Array.from({ length: count }, () => vote(candidate)));
}
console.log(`cast ${[...votes.values()].reduce((sum, count) => sum + count)} votes`);

for (const [candidate, count] of votes) {
  while ((await total(candidate)) < before.get(candidate) + count) {
    await new Promise((next) => setTimeout(next, 200));
  }
  console.log(`${candidate}: ${(await total(candidate)) - before.get(candidate)} more`);
}
