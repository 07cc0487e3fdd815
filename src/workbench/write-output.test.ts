import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OutputError, recordName, writeOutput, writtenText } from "./write-output.ts";

const made = [
  { path: "main.tf", text: "one\n" },
  { path: "parts/alarms.tf", text: "two\n" },
];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "keywright-output-"));
});
afterEach(() => rm(folder, { recursive: true }));

const text = (path: string): Promise<string> => readFile(join(folder, path), "utf8");

describe("output of generators", () => {
  it("is written with a record of what was written, the same each time", async () => {
    expect(await writeOutput(folder, made.toReversed())).toEqual({
      written: ["main.tf", "parts/alarms.tf"],
      unchanged: [],
      kept: [],
    });
    expect([await text("main.tf"), await text("parts/alarms.tf")]).toEqual(["one\n", "two\n"]);
    expect(JSON.parse(await text(recordName))).toEqual({
      files: {
        "main.tf": "2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806",
        "parts/alarms.tf": "27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a",
      },
    });
    expect((await readdir(folder)).toSorted()).toEqual([recordName, "main.tf", "parts"]);
    expect(await writeOutput(folder, made)).toEqual({
      written: [],
      unchanged: ["main.tf", "parts/alarms.tf"],
      kept: [],
    });
  });

  it("replaces its own files, also in a folder that is not there yet", async () => {
    const deep = join(folder, "a", "b");
    await writeOutput(deep, made);
    const changed = [{ path: "main.tf", text: "three\n" }];
    expect((await writeOutput(deep, changed)).written).toEqual(["main.tf"]);
    expect(await text("a/b/main.tf")).toBe("three\n");
    // What another generator wrote there is still known.
    expect((await writeOutput(deep, [{ path: "parts/alarms.tf", text: "4" }])).kept).toEqual([]);
  });

  it("leaves everything alone if one file was changed by somebody", async () => {
    await writeOutput(folder, made);
    await writeFile(join(folder, "main.tf"), "mine\n");
    const next = [
      { path: "another.tf", text: "new\n" },
      { path: "main.tf", text: "three\n" },
      { path: "parts/alarms.tf", text: "four\n" },
    ];
    const refused = await writeOutput(folder, next);
    expect(refused).toEqual({ written: [], unchanged: [], kept: ["main.tf"] });
    expect(writtenText("out", refused)).toMatch(/^Nothing is written to out.*\n {2}main\.tf\n/);
    expect([await text("main.tf"), await text("parts/alarms.tf")]).toEqual(["mine\n", "two\n"]);
    expect((await readdir(folder)).toSorted()).toEqual([recordName, "main.tf", "parts"]);

    expect((await writeOutput(folder, next, { force: true })).written).toHaveLength(3);
    expect(await text("main.tf")).toBe("three\n");
    expect((await writeOutput(folder, made)).kept).toEqual([]);
  });

  it("does not overwrite what was there before, unless it is the same", async () => {
    await writeFile(join(folder, "main.tf"), "one\n");
    expect((await writeOutput(folder, made)).written).toEqual(["parts/alarms.tf"]);
    await rm(join(folder, recordName));
    const other = [{ path: "main.tf", text: "other\n" }];
    expect((await writeOutput(folder, other)).kept).toEqual(["main.tf"]);
  });

  it("knows both texts of a file as its own if it was stopped in between", async () => {
    await writeOutput(folder, made);
    const record = JSON.parse(await text(recordName)) as { files: Record<string, unknown> };
    record.files["main.tf"] = [record.files["main.tf"], "0".repeat(64)];
    await writeFile(join(folder, recordName), JSON.stringify(record));
    expect((await writeOutput(folder, [{ path: "main.tf", text: "x" }])).kept).toEqual([]);
  });

  it("leaves all as it was if a file cannot be written", async () => {
    await writeOutput(folder, made.slice(0, 1));
    await writeFile(join(folder, "parts"), "a file where a folder should be");
    const next = [
      { path: "main.tf", text: "three\n" },
      { path: "parts/alarms.tf", text: "four\n" },
    ];
    await expect(writeOutput(folder, next)).rejects.toThrow(OutputError);
    await rm(join(folder, "parts"));
    await mkdir(join(folder, "parts", "alarms.tf.keywright-unfinished"), { recursive: true });
    await expect(writeOutput(folder, next)).rejects.toThrow("cannot be written to: EISDIR");
    expect(await text("main.tf")).toBe("one\n");
    expect((await readdir(folder)).toSorted()).toEqual([recordName, "main.tf", "parts"]);
  });

  it("says so if its record is not readable", async () => {
    await writeFile(join(folder, recordName), "{");
    await expect(writeOutput(folder, made)).rejects.toThrow("not as keywright writes it");
    expect((await writeOutput(folder, made, { force: true })).written).toHaveLength(2);
  });

  it("stays in its folder", async () => {
    for (const path of ["../x", "/x", "a//b", "a/./b", "a\\b", ""]) {
      await expect(writeOutput(folder, [{ path, text: "" }])).rejects.toThrow("is not below");
    }
  });
});
