import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ListenError } from "../../src/server/listen-error.ts";
import {
  type RunningServer,
  type ServerOptions,
  startServer,
} from "../../src/server/start-server.ts";
import { amzJson, type Reply, send, signed } from "./wire-support.ts";

async function withServer<T>(
  options: ServerOptions,
  use: (server: RunningServer) => Promise<T>,
): Promise<T> {
  const server = await startServer(options);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

function execute(
  server: RunningServer,
  operation: string,
  body: unknown,
  signature = signed(),
): Promise<Reply> {
  return send(server.port, {
    headers: { ...amzJson, ...signature, "x-amz-target": `DynamoDB_20120810.${operation}` },
    body: JSON.stringify(body),
  });
}

const things = {
  TableName: "Things",
  BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
  KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
};

async function tableNames(server: RunningServer, signature = signed()): Promise<unknown> {
  const reply = await execute(server, "ListTables", {}, signature);
  return JSON.parse(reply.text).TableNames;
}

async function temporaryFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "keywright-"));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test("tables belong to an access key and a Region", () =>
  withServer({}, async (server) => {
    expect((await execute(server, "CreateTable", things)).status).toBe(200);
    expect(await tableNames(server)).toEqual(["Things"]);
    expect(await tableNames(server, signed("OTHER", "eu-west-1"))).toEqual([]);
    expect(await tableNames(server, signed("AKIDEXAMPLE", "us-east-1"))).toEqual([]);
  }));

test("shared tables belong to all", () =>
  withServer({ shared: true }, async (server) => {
    expect((await execute(server, "CreateTable", things)).status).toBe(200);
    expect(await tableNames(server, signed("OTHER", "us-east-1"))).toEqual(["Things"]);
  }));

test("an operation's own errors pass through", () =>
  withServer({}, async (server) => {
    const reply = await execute(server, "DescribeTable", { TableName: "Nothing" });
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.text).__type).toBe(
      "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
    );
  }));

test.each([
  ["2026-10", "Value at 'TableName' failed"],
  ["2026-05", "Value '' at 'tableName' failed"],
] as const)("the texts of %s", (dialect, text) =>
  withServer({ dialect }, async (server) => {
    const reply = await execute(server, "PutItem", { TableName: "", Item: {} });
    expect(JSON.parse(reply.text).message).toContain(text);
  }),
);

test("the port is told, and taken only once", () =>
  withServer({}, async (server) => {
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    const second = startServer({ port: server.port });
    await expect(second).rejects.toThrow(ListenError);
    await expect(second).rejects.toThrow(
      `Port ${server.port} on 127.0.0.1 is taken by another program; stop it or use --port N`,
    );
  }));

test("a folder keeps the data, and one server at a time may use it", () =>
  temporaryFolder(async (data) => {
    await withServer({ data }, async (server) => {
      expect((await execute(server, "CreateTable", things)).status).toBe(200);
      await expect(startServer({ data })).rejects.toThrow(/data folder .* is already open/);
      expect(await tableNames(server)).toEqual(["Things"]);
    });
    await withServer({ data }, async (server) => {
      expect(await tableNames(server)).toEqual(["Things"]);
    });
  }));

test("a port that is taken leaves the folder free", () =>
  temporaryFolder((data) =>
    withServer({}, async ({ port }) => {
      await expect(startServer({ data, port })).rejects.toThrow(ListenError);
      await withServer({ data }, async (server) => {
        expect(await tableNames(server)).toEqual([]);
      });
    }),
  ));
