import { afterAll, beforeAll, expect, test } from "vitest";
import { operationCase } from "./cases.ts";
import { Client } from "./http.ts";
import { judge } from "./oracle.ts";
import { ServerProcess } from "./server-process.ts";

/**
 * Bodies with as much of one thing as fits into 16 MB, or a sixth of that where time is short: none
 * may take long.
 */
const share = process.env.KEYWRIGHT_LONG === undefined ? 1 / 6 : 1;
const many = (most: number) => Math.floor(most * share);

let server: ServerProcess;
let client: Client;
beforeAll(async () => {
  server = await ServerProcess.start();
  client = new Client(server.port, 15_000);
});
afterAll(async () => {
  client.close();
  await server.stop();
});

const repeated = (part: string, times: number) => part.repeat(times) + part.replace(/,$/, "");
const counted = (times: number, part: (at: number) => string) =>
  Array.from({ length: times }, (_, at) => part(at)).join(",");
const value = '{"a":{"S":""}},';

test.each<[string, string, string]>([
  [
    "values under bad table names",
    "BatchWriteItem",
    `{"RequestItems":{${counted(12, (at) => `"!${at}":[{"PutRequest":{"Item":{"a":{"L":[${repeated('{"S":""},', at === 0 ? many(1_500_000) : 0)}]}}}}]`)}}}`,
  ],
  ["keys", "BatchGetItem", `{"RequestItems":{"abc":{"Keys":[${repeated(value, many(900_000))}]}}}`],
  [
    "puts",
    "BatchWriteItem",
    `{"RequestItems":{"abc":[${repeated(`{"PutRequest":{"Item":${value.slice(0, -1)}}},`, many(350_000))}]}}`,
  ],
  [
    "empty actions",
    "TransactWriteItems",
    `{"TransactItems":[${repeated("{},", many(5_000_000))}]}`,
  ],
  [
    "empty definitions",
    "CreateTable",
    `{"AttributeDefinitions":[${repeated("{},", many(5_000_000))}]}`,
  ],
  ["a table name", "PutItem", `{"TableName":"${"!".repeat(many(16_000_000))}","Item":{}}`],
  [
    "attributes to get",
    "GetItem",
    `{"TableName":"abc","Key":{"a":{"S":"x"}},"AttributesToGet":[${repeated('"",', many(5_000_000))}]}`,
  ],
  [
    "equal numbers",
    "PutItem",
    `{"TableName":"abc","Item":{"a":{"NS":[${repeated('"1",', many(3_500_000))}]}}}`,
  ],
  [
    "placeholders",
    "Scan",
    `{"TableName":"abc","FilterExpression":"a = b","ExpressionAttributeNames":{${counted(many(900_000), (at) => `"#${at}":"x"`)}}}`,
  ],
  [
    "levels",
    "Scan",
    `{"TableName":"abc","x":${"[".repeat(many(7_900_000))}${"]".repeat(many(7_900_000))}}`,
  ],
])(
  "%s",
  async (_, operation, body) => {
    const sent = operationCase("large", operation, Buffer.from(body));
    const { outcome, complaint } = judge(sent, await client.send(sent.sending));
    expect(complaint).toBeUndefined();
    expect(outcome).toMatch(/^400 (Validation|ResourceNotFound)Exception$/);
    expect(server.written).toEqual([]);
  },
  30_000,
);
