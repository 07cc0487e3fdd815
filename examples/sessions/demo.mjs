// Begins three sessions; one user logs out, one comes back in time, and all others are forgotten.
import { randomUUID } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";

const documents = DynamoDBDocumentClient.from(new DynamoDBClient());
const TableName = "Sessions";
const now = () => Math.floor(Date.now() / 1_000);
const livesSeconds = 6;

async function login(user) {
  const session = randomUUID();
  const Item = { session, user, begun: now(), expires: now() + livesSeconds };
  await documents.send(new PutCommand({ TableName, Item }));
  return session;
}

/** A session that has expired may still be there: whoever reads it has to look at the time. */
async function isValid(session) {
  const { Item } = await documents.send(new GetCommand({ TableName, Key: { session } }));
  return Item !== undefined && Item.expires > now();
}

/** Each request makes the session live longer. */
async function touch(session) {
  await documents.send(
    new UpdateCommand({
      TableName,
      Key: { session },
      UpdateExpression: "SET expires = :expires",
      ConditionExpression: "expires > :now",
      ExpressionAttributeValues: { ":expires": now() + 2 * livesSeconds, ":now": now() },
    }),
  );
}

async function ended(session) {
  for (;;) {
    const { Item } = await documents.send(
      new GetCommand({ TableName: "EndedSessions", Key: { session } }),
    );
    if (Item !== undefined) return Item;
    await new Promise((next) => setTimeout(next, 100));
  }
}

const sessions = {
  ada: await login("ada"),
  grace: await login("grace"),
  edsger: await login("edsger"),
};
await documents.send(new DeleteCommand({ TableName, Key: { session: sessions.ada } }));
await touch(sessions.grace);
console.log(`ada's session is valid: ${await isValid(sessions.ada)}`);
console.log(`grace's session is valid: ${await isValid(sessions.grace)}`);

for (const [user, session] of Object.entries(sessions)) {
  const { how } = await ended(session);
  console.log(`${user} ${how}`);
}
console.log(`grace's session is valid: ${await isValid(sessions.grace)}`);
