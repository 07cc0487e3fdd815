import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { accountOf } from "../../src/workbench/account.ts";
import { randomOf } from "../random.ts";
import { clientFor } from "../sdk/harness.ts";
import { type Child, run } from "../server/child-support.ts";
import { long, seedsOf } from "../simulation/settings.ts";
import { root } from "../tidy/source-files.ts";
import { createTable, onDemand, useWorkplace } from "./support.ts";

const work = useWorkplace();
const [seed = 0] = seedsOf(1);
const kills = long ? 60 : 5;
const keys = Array.from({ length: 24 }, (_, i) => `key${i}`);
const caller = { account: accountOf("AKIDEXAMPLE"), region: "us-east-1" };

/**
 * Writes down what it gets, with the value that each record replaces: so it can be seen whether one is missing.
 * Now and then it fails, before it has done anything.
 */
const handlerText = `
import { appendFileSync } from "node:fs";
export const handler = async ({ Records }) => {
  if (Math.random() < 0.05) throw new Error("now and then");
  const lines = Records.map(({ dynamodb: { Keys, OldImage, NewImage } }) =>
    [process.pid, Keys.pk.S, OldImage?.v.N ?? "none", NewImage.v.N].join(" "));
  appendFileSync(process.env.LAMBDA_TASK_ROOT + "/handed-over.txt", lines.join("\\n") + "\\n");
};`;

interface Handed {
  readonly life: string;
  readonly key: string;
  readonly old: string;
  readonly value: string;
}

function handedOver(): Handed[] {
  const file = join(work.folder, "handed-over.txt");
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [life = "", key = "", old = "", value = ""] = line.split(" ");
      return { life, key, old, value };
    });
}

/** What is wrong with how the records of one key were handed over: nothing is left out, nothing turned round. */
function problemsOf(key: string, handed: readonly Handed[]): string[] {
  const problems: string[] = [];
  const seen = new Set(["none"]);
  let last: Handed | undefined;
  for (const one of handed) {
    const where = `${key}: ${one.old} → ${one.value} in ${one.life}`;
    // Within a life each record follows the one before it; a new life may go back, but not ahead.
    if (last?.life === one.life && last.value !== one.old) {
      problems.push(`${where} comes after ${last.value}`);
    }
    if (!seen.has(one.old)) problems.push(`${where}, which leaves something out`);
    seen.add(one.value);
    last = one;
  }
  return problems;
}

async function serve(): Promise<{ child: Child; client: DynamoDBClient }> {
  const options = {
    server: {
      data: join(work.folder, "data"),
      durability: "relaxed",
      triggers: [`Crash=${join(work.folder, "h.mjs")}?batch-size=10&parallel=3`],
    },
    caller,
    table: "Crash",
    splits: 4,
    splitEveryMs: 250,
  };
  const main = fileURLToPath(new URL("./crash-main.mjs", import.meta.url));
  const library = join(root, "dist", "index.js");
  const child = run(process.execPath, [main, library, JSON.stringify(options)]);
  for (;;) {
    const url = /^ready (\S+)$/m.exec(child.written.out)?.[1];
    if (url !== undefined) return { child, client: clientFor(url) };
    if (child.process.exitCode !== null) throw new Error(child.written.err);
    await sleep(10);
  }
}

/** Each key gets one value after the other, until the server dies. */
async function write(client: DynamoDBClient, next: Map<string, number>, acknowledged: Set<string>) {
  await Promise.all(
    keys.map(async (key) => {
      for (;;) {
        const value = next.get(key) ?? 1;
        next.set(key, value + 1);
        const Item = { pk: { S: key }, v: { N: String(value) } };
        try {
          await client.send(new PutItemCommand({ TableName: "Crash", Item }));
        } catch {
          return;
        }
        acknowledged.add(`${key}=${value}`);
        await sleep(5);
      }
    }),
  );
}

test(`${kills} kills, and splits: each record is handed over at least once, in the order of its key`, {
  timeout: long ? 1_800_000 : 180_000,
}, async () => {
  const random = randomOf(seed, 0);
  work.write("h.mjs", handlerText);
  const next = new Map<string, number>();
  const acknowledged = new Set<string>();
  let splits = 0;
  for (let life = 0; life < kills; life += 1) {
    const { child, client } = await serve();
    if (life === 0) await createTable(client, "Crash", onDemand);
    const target = acknowledged.size + random.between(1, 400);
    const writing = write(client, next, acknowledged);
    while (acknowledged.size < target) await sleep(5);
    // Somewhere in what the trigger makes of it.
    await sleep(random.few(500));
    child.process.kill("SIGKILL");
    expect(await child.ended).toBe("SIGKILL");
    await writing;
    client.destroy();
    splits += child.written.out.split("split").length - 1;
  }
  const { child, client } = await serve();
  try {
    const current = new Map<string, string>();
    for (const key of keys) {
      const Key = { pk: { S: key } };
      const { Item } = await client.send(new GetItemCommand({ TableName: "Crash", Key }));
      current.set(key, Item?.v?.N ?? "none");
    }
    // The last value of each key is handed over last.
    const began = performance.now();
    const isComplete = () => {
      const all = handedOver();
      return keys.every(
        (key) => all.findLast((one) => one.key === key)?.value === current.get(key),
      );
    };
    while (!isComplete()) {
      if (performance.now() - began > 60_000) throw new Error("not all is handed over");
      await sleep(50);
    }
  } finally {
    child.process.kill("SIGKILL");
    await child.ended;
    client.destroy();
  }
  const all = handedOver();
  expect(
    keys.flatMap((key) =>
      problemsOf(
        key,
        all.filter((one) => one.key === key),
      ),
    ),
  ).toEqual([]);
  const delivered = new Set(all.map(({ key, value }) => `${key}=${value}`));
  expect([...acknowledged].filter((one) => !delivered.has(one))).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(kills * 10);
  expect(splits).toBeGreaterThan(0);
  const writes = acknowledged.size;
  if (long) console.log({ seed, kills, splits, acknowledged: writes, handedOver: all.length });
});

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
