// Called with batches of the stream of Views: adds the new views of each page to its counter.
import { ConditionalCheckFailedException, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";

const documents = DynamoDBDocumentClient.from(new DynamoDBClient());
const TableName = "ViewCounters";

export async function handler({ Records }) {
  const pages = new Map();
  for (const record of Records) {
    const page = record.dynamodb.Keys.page.S;
    if (!pages.has(page)) pages.set(page, []);
    pages.get(page).push(record);
  }
  for (const [page, records] of pages) await count(page, records);
}

/**
 * A batch may come more than once: after an error, a timeout or a restart. So the counter also holds the
 * number of the last record that it has counted, and records up to that one are passed over. Both are
 * written together, and only if nobody else has written them meanwhile.
 */
async function count(page, records) {
  const { Item } = await documents.send(
    new GetCommand({ TableName, Key: { page }, ConsistentRead: true }),
  );
  const last = Item?.counted ?? "";
  const fresh = records.map(numberOf).filter((number) => number > last);
  if (fresh.length === 0) return;
  try {
    await documents.send(
      new UpdateCommand({
        TableName,
        Key: { page },
        UpdateExpression: "ADD #views :more SET counted = :number",
        ConditionExpression: Item === undefined ? "attribute_not_exists(page)" : "counted = :last",
        ExpressionAttributeNames: { "#views": "views" },
        ExpressionAttributeValues: {
          ":more": fresh.length,
          ":number": fresh.at(-1),
          ...(Item !== undefined && { ":last": last }),
        },
      }),
    );
  } catch (error) {
    // Another call has counted something of this page: look again.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    await count(page, records);
  }
}

/** Sequence numbers are numbers of different lengths; so written, they order as text. */
const numberOf = ({ dynamodb }) => dynamodb.SequenceNumber.padStart(40, "0");
