import { expect, test } from "vitest";
import { createTable, put, until, useWorkplace } from "./support.ts";

const work = useWorkplace();

const versioned = (version: number, before = "") => `${before}
export const handler = async ({ Records }) => {
  const values = Records.map(({ dynamodb }) => Number(dynamodb.NewImage.v.N));
  console.log(JSON.stringify({ version: ${version}, values }));
};`;

test("a change is loaded between two batches, and no record is lost or repeated", async () => {
  const handler = work.write("reload.mjs", versioned(1));
  const { client, told, lines } = await work.start({
    triggers: [`Reload=${handler}?batch-size=5`],
  });
  await createTable(client, "Reload");
  let value = 0;
  for (let version = 1; version <= 4; version += 1) {
    if (version > 1) work.write("reload.mjs", versioned(version));
    // Records go on coming while the file changes.
    await until(async () => {
      value += 1;
      await put(client, "Reload", "key", value);
      expect(told().some((one) => one.version === version)).toBe(true);
    });
  }
  await until(() => expect(told().flatMap(({ values }) => values)).toHaveLength(value));
  const all = told().flatMap(({ values }) => values);
  expect(all).toEqual(Array.from({ length: value }, (_, i) => i + 1));
  const versions = told().map((one) => one.version);
  expect(versions).toEqual(versions.toSorted());
  const reloads = lines().filter((line) => line.endsWith(" reload has changed and is loaded anew"));
  expect(reloads).toHaveLength(3);
});

test("a change of a file that is imported is one, too", async () => {
  work.write("part.mjs", "export const word = 'old';");
  const handler = work.write(
    "whole.mjs",
    `import { word } from "./part.mjs";
     export const handler = async () => console.log(JSON.stringify({ word }));`,
  );
  const { client, told } = await work.start({ triggers: [`Parts=${handler}`] });
  await createTable(client, "Parts");
  await put(client, "Parts", "a", 1);
  await until(() => expect(told()).toEqual([{ word: "old" }]));
  work.write("part.mjs", "export const word = 'new';");
  await until(async () => {
    await put(client, "Parts", "a", Math.random());
    expect(told().at(-1)).toEqual({ word: "new" });
  });
});

test("what cannot be loaded is told, costs no attempt, and goes on when it is mended", async () => {
  const handler = work.write("broken.mjs", versioned(1));
  const { client, told, lines } = await work.start({
    triggers: [`Broken=${handler}?retries=0`],
  });
  await createTable(client, "Broken");
  await put(client, "Broken", "a", 1);
  await until(() => expect(told()).toHaveLength(1));
  work.write("broken.mjs", versioned(2, "const const = 1;"));
  await until(() => expect(lines().join("\n")).toContain("SyntaxError"));
  await put(client, "Broken", "a", 2);
  await put(client, "Broken", "a", 3);
  expect(lines().join("\n")).toMatch(
    / broken cannot be loaded and is tried again when it changes\n\[broken\] \S+broken\.mjs:1\n/,
  );
  work.write("broken.mjs", versioned(3));
  await until(() => expect(told().flatMap(({ values }) => values)).toEqual([1, 2, 3]));
  expect(told().at(-1)?.version).toBe(3);
  expect(lines().some((line) => line.includes("given up"))).toBe(false);
});

test("a failing function that is mended need not wait for its next try", async () => {
  const handler = work.write(
    "mended.mjs",
    "export const handler = async () => { throw new Error('no'); };",
  );
  const { client, told, lines } = await work.start({ triggers: [`Mended=${handler}`] });
  await createTable(client, "Mended");
  await put(client, "Mended", "a", 1);
  // By then the next try is seconds away.
  await until(() => expect(lines().some((line) => line.includes("call 5: failed"))).toBe(true));
  const began = performance.now();
  work.write("mended.mjs", versioned(1));
  await until(() => expect(told()).toHaveLength(1));
  expect(performance.now() - began).toBeLessThan(3_000);
});
