import { type Call, Workload } from "../workload.ts";

/**
 * The same requests on a table with two global indexes that hold whole items. Every put moves the
 * entries of both, an update that of one.
 */
export class IndexedWorkload extends Workload {
  override createTable(): Call {
    const { operation, body } = super.createTable();
    const { AttributeDefinitions } = body as { AttributeDefinitions: object[] };
    return {
      operation,
      body: {
        ...body,
        AttributeDefinitions: [
          ...AttributeDefinitions,
          { AttributeName: "mail", AttributeType: "S" },
          { AttributeName: "status", AttributeType: "S" },
          { AttributeName: "total", AttributeType: "N" },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: "ByMail",
            KeySchema: [{ AttributeName: "mail", KeyType: "HASH" }],
            Projection: { ProjectionType: "ALL" },
          },
          {
            IndexName: "ByStatus",
            KeySchema: [
              { AttributeName: "status", KeyType: "HASH" },
              { AttributeName: "total", KeyType: "RANGE" },
            ],
            Projection: { ProjectionType: "ALL" },
          },
        ],
      },
    };
  }
}
