import { describe, expect, test } from "vitest";
import { modelOf } from "../../model/model.test-support.ts";
import { tableRequests } from "./table-requests.ts";

const model = modelOf(`keywright: 1
name: m
entities:
  Note:
    id: [noteId]
    count: 5
    attributes:
      noteId: { type: S, bytes: 4 }
      title: { type: S, bytes: 4 }
      at: { type: N, format: epoch-seconds }
      ends: { type: N, format: epoch-seconds }
      rank: { type: N, digits: 2 }
patterns: {}
design:
  tables:
    Notes:
      billing: { provisioned: { read: 5, write: 6, autoScaling: { write: { min: 2, max: 9 } } } }
      class: infrequent-access
      key: { noteId: S, part: S }
      entities:
        Note:
          key: { noteId: "{noteId}", part: NOTE }
          names: { title: t, at: a, ends: e }
      indexes:
        ByTime:
          key: { partition: [part, rank], sort: at }
          projection: [title, noteId]
          throughput: { read: 7, write: 8, autoScaling: { read: { min: 1, max: 3, target: 50 } } }
        Ranked: { local: true, key: { sort: rank }, projection: [noteId] }
        Plain: { key: { partition: rank }, projection: all }
      ttl: ends
      stream: old-image
      encryption: { key: alias/notes }
      deletionProtection: true
    Logs:
      key: { noteId: S }
      entities: { Note: { key: { noteId: "{noteId}" } } }
      maximum: { read: 100 }
      prewarm: { write: 5_000 }
      periods: { every: quarter, attribute: at, older: { billing: { provisioned: { read: 1, write: 2 } } } }
`);
const requests = tableRequests(model, Date.UTC(2026, 0, 5));

describe("the requests that make tables", () => {
  test("call attributes as they are stored", () => {
    const [notes] = requests;
    expect(notes?.create).toEqual({
      TableName: "Notes",
      AttributeDefinitions: [
        { AttributeName: "noteId", AttributeType: "S" },
        { AttributeName: "part", AttributeType: "S" },
        { AttributeName: "rank", AttributeType: "N" },
        { AttributeName: "a", AttributeType: "N" },
      ],
      KeySchema: [
        { AttributeName: "noteId", KeyType: "HASH" },
        { AttributeName: "part", KeyType: "RANGE" },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: "Ranked",
          KeySchema: [
            { AttributeName: "noteId", KeyType: "HASH" },
            { AttributeName: "rank", KeyType: "RANGE" },
          ],
          Projection: { ProjectionType: "KEYS_ONLY" },
        },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: "ByTime",
          KeySchema: [
            { AttributeName: "part", KeyType: "HASH" },
            { AttributeName: "rank", KeyType: "HASH" },
            { AttributeName: "a", KeyType: "RANGE" },
          ],
          Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["t"] },
          ProvisionedThroughput: { ReadCapacityUnits: 7, WriteCapacityUnits: 8 },
        },
        {
          IndexName: "Plain",
          KeySchema: [{ AttributeName: "rank", KeyType: "HASH" }],
          Projection: { ProjectionType: "ALL" },
          ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 6 },
        },
      ],
      BillingMode: "PROVISIONED",
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 6 },
      TableClass: "STANDARD_INFREQUENT_ACCESS",
      StreamSpecification: { StreamEnabled: true, StreamViewType: "OLD_IMAGE" },
      SSESpecification: { Enabled: true, SSEType: "KMS", KMSMasterKeyId: "alias/notes" },
      DeletionProtectionEnabled: true,
    });
    expect(notes?.ttl).toBe("e");
    expect(notes?.scaling).toEqual([
      { index: undefined, direction: "write", min: 2, max: 9, target: 70 },
      { index: "ByTime", direction: "read", min: 1, max: 3, target: 50 },
    ]);
  });

  test("make a table for this period and one for the last, which may be run another way", () => {
    const [, current, before] = requests;
    expect(current?.create).toMatchObject({
      TableName: "Logs-2026-Q1",
      BillingMode: "PAY_PER_REQUEST",
      OnDemandThroughput: { MaxReadRequestUnits: 100 },
      WarmThroughput: { WriteUnitsPerSecond: 5_000 },
    });
    expect(before?.create).toMatchObject({
      TableName: "Logs-2025-Q4",
      BillingMode: "PROVISIONED",
      ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 2 },
    });
    expect(before?.create.OnDemandThroughput).toBeUndefined();
    expect(requests).toHaveLength(3);
  });
});
