import * as sdk from "@aws-sdk/client-dynamodb";
import * as streamsSdk from "@aws-sdk/client-dynamodb-streams";
import { expect, test } from "vitest";
import { registry, streamRegistry } from "../../src/operations/registry.ts";
import { read, tableBelow } from "./source-files.ts";

const states = new Map(
  tableBelow(read("COMPATIBILITY.md"), "## Operations").map(([name = "", state = ""]) => [
    name,
    state,
  ]),
);

const operationsOf = (client: object): string[] =>
  Object.keys(client)
    .filter((name) => name.endsWith("Command") && !name.startsWith("$"))
    .map((name) => name.slice(0, -"Command".length))
    .toSorted();

const sdkOperations = operationsOf(sdk);

test("the registry knows every operation of the SDK", () => {
  expect([...registry.keys()].toSorted()).toEqual(sdkOperations);
});

test("COMPATIBILITY.md lists every operation, in order", () => {
  expect([...states.keys()]).toEqual(sdkOperations);
});

test("COMPATIBILITY.md says no of what the registry cannot run, and only of that", () => {
  for (const [name, operation] of registry) {
    const state = states.get(name);
    if (operation === undefined) expect(state, name).toBe("no");
    else expect(["yes", "partly"], name).toContain(state);
  }
});

test("the streams service is known and listed whole", () => {
  const listed = tableBelow(read("COMPATIBILITY.md"), "## Streams");
  expect([...streamRegistry.keys()].toSorted()).toEqual(operationsOf(streamsSdk));
  expect(listed.map(([name]) => name)).toEqual(operationsOf(streamsSdk));
});
