import * as sdk from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { registry } from "../../src/operations/registry.ts";
import { read, tableBelow } from "./source-files.ts";

const states = new Map(
  tableBelow(read("COMPATIBILITY.md"), "## Operations").map(([name = "", state = ""]) => [
    name,
    state,
  ]),
);

const sdkOperations = Object.keys(sdk)
  .filter((name) => name.endsWith("Command") && !name.startsWith("$"))
  .map((name) => name.slice(0, -"Command".length))
  .toSorted();

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
