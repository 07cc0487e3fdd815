import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderForTests } from "../folder-for-tests.ts";
import { root } from "../tidy/source-files.ts";
import { endpointOf, runCli } from "./child-support.ts";

const folder = folderForTests("start");

const devices = join(root, "examples/models/device-readings.yaml");

const keywright = (...args: string[]) => runCli(args, root);

test("start with a model says what it made, and serves it", { timeout: 120_000 }, async () => {
  const child = keywright(
    ...["start", devices, "--in-memory", "--port", "0", "--sample-items", "90", "--seed", "7"],
  );
  const url = await endpointOf(child);
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": "DynamoDB_20120810.ListTables",
      authorization:
        "AWS4-HMAC-SHA256 Credential=a/20261116/eu-west-3/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
      "x-amz-date": "20261116T000000Z",
    },
    body: "{}",
  });
  const { TableNames } = (await answer.json()) as { TableNames: string[] };
  child.process.kill("SIGTERM");
  expect(await child.ended).toBe(0);
  expect(TableNames).toHaveLength(3);
  const { out } = child.written;
  expect(out).toMatch(
    /^Model: device-readings\n {2}made Devices: \d+ items; indexes WaitingAlarms, AlarmsById; protected from deletion\n/,
  );
  expect(out).toMatch(/ {2}made Readings-\d{4}-\d\d: \d+ items; indexes ReadingsBySite\n/);
  expect(out).toMatch(/ {2}sample: [\d.]+ Reading for one Device, where the model has 250,000\n/);
  expect(out).not.toContain("point-in-time recovery");
  expect(out).toContain("Tables: one space for all access keys and Regions\n");
});

test("a wrong document is complained about, and the command ends with 2", {
  timeout: 120_000,
}, async () => {
  const file = join(mkdtempSync(join(folder, "model-")), "model.yaml");
  writeFileSync(file, readFileSync(devices, "utf8").replace("read: Alarm", "read: Alarn"));
  const child = keywright("start", file, "--in-memory", "--port", "0");
  expect(await child.ended).toBe(2);
  expect(child.written.err).toContain("names 'Alarn', which is no entity; did you mean 'Alarm'?");
  expect(child.written.out).toBe("");
});

test.each([
  [
    ["start", "--no-sample"],
    "--no-sample is about the tables of a model; name one: keywright start FILE.",
  ],
  [
    ["start", "--seed", "3"],
    "--seed is about the tables of a model; name one: keywright start FILE.",
  ],
  [
    ["start", devices, "--no-sample", "--sample-items", "3"],
    "--no-sample and --sample-items exclude each other; give one of them.",
  ],
  [
    ["start", devices, "--sample-items", "many"],
    "--sample-items takes a whole number, not 'many'.",
  ],
  [
    ["start", devices, "--sample-items", "0"],
    "--sample-items takes 1 or more; --no-sample makes none.",
  ],
  [["start", "nowhere.yaml", "--in-memory", "--port", "0"], "nowhere.yaml cannot be read: ENOENT."],
])("keywright %s is refused", { timeout: 120_000 }, async (args, sentence) => {
  const child = keywright(...args);
  expect(await child.ended).toBe(2);
  expect(child.written.err.replace(/^keywright: /, "")).toBe(`${sentence}\n`);
});
