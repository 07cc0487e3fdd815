import { DescribeEndpointsCommand, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { clientFor, createTable, useServer } from "../harness.ts";

const server = useServer();

test("the endpoint is where the client asked", async () => {
  const { Endpoints } = await server.client.send(new DescribeEndpointsCommand({}));
  expect(Endpoints).toEqual([
    { Address: new URL(server.running.url).host, CachePeriodInMinutes: 1_440 },
  ]);
});

test("whoever goes there finds the same tables", async () => {
  const name = await createTable(server, { key: "pk:S" });
  const { Endpoints } = await server.client.send(new DescribeEndpointsCommand({}));
  const client = clientFor(`http://${Endpoints?.[0]?.Address}`);
  const { TableNames } = await client.send(new ListTablesCommand({}));
  expect(TableNames).toContain(name);
  client.destroy();
});
