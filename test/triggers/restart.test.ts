import { join } from "node:path";
import { DeleteTableCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { createTable, onDemand, put, telling, until, useWorkplace, valuesOf } from "./support.ts";

const work = useWorkplace();

const place = (name: string) => ({ data: join(work.folder, name), durability: "relaxed" }) as const;

test("a trigger goes on where it stopped, without repeating anything", async () => {
  const handler = work.write("goes-on.mjs", telling);
  const options = { ...place("goes-on"), triggers: [`GoesOn=${handler}?batch-size=4`] };
  const keys = ["a", "b", "c", "d", "e", "f"];
  const all: string[] = [];
  for (let life = 0; life < 4; life += 1) {
    const { client, told, close } = await work.start(options);
    if (life === 0) await createTable(client, "GoesOn", onDemand);
    for (let i = 1; i <= 5; i += 1) {
      await Promise.all(keys.map((key) => put(client, "GoesOn", key, life * 5 + i)));
    }
    // In the first lives it is stopped in the middle of things.
    if (life === 3) await until(() => expect(all.length + valuesOf(told()).length).toBe(120));
    await close();
    all.push(...valuesOf(told()));
  }
  for (const key of keys) {
    const values = all.filter((text) => text.startsWith(`${key}=`));
    expect(values).toEqual(Array.from({ length: 20 }, (_, i) => `${key}=${i + 1}`));
  }
});

test("a call that is running when the server stops is waited for", async () => {
  const slow = `export const handler = async ({ Records }) => {
    console.log("begun");
    await new Promise((next) => setTimeout(next, 500));
    console.log(JSON.stringify({ records: Records }));
  };`;
  const handler = work.write("slow.mjs", slow);
  const options = { ...place("slow"), triggers: [`Slow=${handler}`] };
  const first = await work.start(options);
  await createTable(first.client, "Slow");
  await put(first.client, "Slow", "a", 1);
  await until(() => expect(first.lines()).toContain("[slow] begun"));
  await first.close();
  expect(valuesOf(first.told())).toEqual(["a=1"]);
  const second = await work.start(options);
  await put(second.client, "Slow", "a", 2);
  await until(() => expect(valuesOf(second.told())).toEqual(["a=2"]));
});

test("what had failed comes first after a restart", async () => {
  const handler = work.write(
    "had-failed.mjs",
    "export const handler = async () => { throw new Error('no'); };",
  );
  const options = { ...place("had-failed"), triggers: [`HadFailed=${handler}`] };
  const first = await work.start(options);
  await createTable(first.client, "HadFailed");
  await put(first.client, "HadFailed", "a", 1);
  await until(() => expect(first.lines().some((line) => line.includes("failed with"))).toBe(true));
  await put(first.client, "HadFailed", "a", 2);
  await first.close();
  work.write("had-failed.mjs", telling);
  const second = await work.start(options);
  await put(second.client, "HadFailed", "a", 3);
  await until(() => expect(valuesOf(second.told())).toEqual(["a=1", "a=2", "a=3"]));
});

test("a table that is gone is read to its end", async () => {
  const handler = work.write(
    "gone.mjs",
    "export const handler = async () => { throw new Error('no'); };",
  );
  const options = { ...place("gone"), triggers: [`Gone=${handler}`] };
  const first = await work.start(options);
  await createTable(first.client, "Gone");
  await put(first.client, "Gone", "a", 1);
  await until(() => expect(first.lines().some((line) => line.includes("failed with"))).toBe(true));
  await first.client.send(new DeleteTableCommand({ TableName: "Gone" }));
  await first.close();
  work.write("gone.mjs", telling);
  const second = await work.start(options);
  await until(() => expect(valuesOf(second.told())).toEqual(["a=1"]));
  await second.close();
  const third = await work.start(options);
  await createTable(third.client, "Gone");
  await put(third.client, "Gone", "a", 2);
  await until(() => expect(valuesOf(third.told())).toEqual(["a=2"]));
});

test("a function of another name begins anew", async () => {
  const handler = work.write("named.mjs", telling);
  const first = await work.start({ ...place("named"), triggers: [`Named=${handler}`] });
  await createTable(first.client, "Named");
  await put(first.client, "Named", "a", 1);
  await until(() => expect(valuesOf(first.told())).toEqual(["a=1"]));
  await first.close();
  const triggers = [`Named=${handler}`, `Named=${handler}?name=other`];
  const second = await work.start({ ...place("named"), triggers });
  await put(second.client, "Named", "a", 2);
  await until(() => {
    const lines = second.lines().filter((line) => line.includes('{"records"'));
    const byName = (name: string) =>
      valuesOf(
        lines
          .filter((line) => line.startsWith(`[${name}] `))
          .map((line) => JSON.parse(line.slice(name.length + 3))),
      );
    expect(byName("named")).toEqual(["a=2"]);
    expect(byName("other")).toEqual(["a=1", "a=2"]);
  });
});
