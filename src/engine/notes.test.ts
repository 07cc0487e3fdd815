import { expect, test } from "vitest";
import { openMemoryStore } from "../storage/memory/memory-store.ts";
import { Notes } from "./notes.ts";

test("notes are kept by name until they are thrown away", async () => {
  const notes = new Notes(openMemoryStore());
  expect(await notes.read("a/b")).toBeUndefined();
  await notes.write("a/b", "first");
  await notes.write("a/b", "größer");
  await notes.write("a/c/d", "other");
  await notes.write("b", "else");
  expect(await notes.read("a/b")).toBe("größer");
  expect(await notes.names("a/")).toEqual(["a/b", "a/c/d"]);
  expect(await notes.names("")).toEqual(["a/b", "a/c/d", "b"]);
  expect(await notes.names("c")).toEqual([]);
  await notes.write("a/b", undefined);
  expect(await notes.read("a/b")).toBeUndefined();
  expect(await notes.names("a/")).toEqual(["a/c/d"]);
});
