// Called every minute: adds up the shards of each candidate, and writes the total where readers find it.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { BatchGetCommand, DynamoDBDocumentClient, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { candidates, shardKey, shards, totalKey } from "./votes.mjs";

const documents = DynamoDBDocumentClient.from(new DynamoDBClient());
const TableName = "Votes";

export async function handler({ time }) {
  for (const candidate of candidates) {
    const total = await sum(candidate);
    await write(candidate, total, time);
    console.log(`${candidate} has ${total} votes as of ${time}`);
  }
}

async function sum(candidate) {
  let keys = Array.from({ length: shards }, (_, shard) => ({ pk: shardKey(candidate, shard) }));
  let total = 0;
  while (keys.length > 0) {
    const request = { Keys: keys, ConsistentRead: true, ProjectionExpression: "votes" };
    const { Responses, UnprocessedKeys } = await documents.send(
      new BatchGetCommand({ RequestItems: { [TableName]: request } }),
    );
    for (const { votes } of Responses?.[TableName] ?? []) total += votes;
    keys = UnprocessedKeys?.[TableName]?.Keys ?? [];
  }
  return total;
}

/** A run that was held up must not overwrite the total of a later one. */
async function write(candidate, total, time) {
  await documents
    .send(
      new UpdateCommand({
        TableName,
        Key: { pk: totalKey(candidate) },
        UpdateExpression: "SET votes = :votes, asOf = :time",
        ConditionExpression: "attribute_not_exists(asOf) OR asOf <= :time",
        ExpressionAttributeValues: { ":votes": total, ":time": time },
      }),
    )
    .catch((error) => {
      if (error.name !== "ConditionalCheckFailedException") throw error;
    });
}
