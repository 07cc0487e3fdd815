// Called with the sessions that were removed: notes who it was, and whether they left or were forgotten.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand } from "@aws-sdk/lib-dynamodb";

const documents = DynamoDBDocumentClient.from(new DynamoDBClient());

export async function handler({ Records }) {
  for (const { dynamodb, userIdentity } of Records) {
    const { session, user, begun } = dynamodb.OldImage;
    // The service deletes what has expired in its own name; everybody else is a user.
    const isExpired =
      userIdentity?.type === "Service" && userIdentity.principalId === "dynamodb.amazonaws.com";
    // The session's own key makes this harmless if the record comes twice.
    await documents.send(
      new PutCommand({
        TableName: "EndedSessions",
        Item: {
          session: session.S,
          user: user.S,
          seconds: dynamodb.ApproximateCreationDateTime - Number(begun.N),
          how: isExpired ? "expired" : "logged out",
        },
      }),
    );
  }
}
