import { expect, test } from "vitest";
import { Checkpoints } from "./checkpoints.ts";
import type { Notes } from "./stream-source.ts";

/** Notes that are written when the test lets them. */
class SlowNotes implements Notes {
  readonly texts = new Map<string, string>();
  readonly waiting: { write(): void; fail(): void }[] = [];
  writes = 0;

  async read(name: string): Promise<string | undefined> {
    return this.texts.get(name);
  }

  write(name: string, text: string | undefined): Promise<void> {
    this.writes += 1;
    return new Promise((resolve, reject) => {
      this.waiting.push({
        write: () => {
          if (text === undefined) this.texts.delete(name);
          else this.texts.set(name, text);
          resolve();
        },
        fail: () => reject(new Error("the disk is full")),
      });
    });
  }

  async names(): Promise<readonly string[]> {
    return [...this.texts.keys()];
  }

  /** Lets everything be written until nothing is left to write. */
  async flush(checkpoints: Checkpoints): Promise<void> {
    let isDone = false;
    const saved = checkpoints.saved().then(() => {
      isDone = true;
    });
    while (!isDone) {
      this.waiting.shift()?.write();
      await Promise.resolve();
    }
    await saved;
  }
}

async function open(notes: SlowNotes, failures: unknown[] = []): Promise<Checkpoints> {
  return Checkpoints.open(notes, "name", (error) => failures.push(error));
}

test("positions come back as they were", async () => {
  const notes = new SlowNotes();
  const first = await open(notes);
  expect(first.has("arn1")).toBe(false);
  first.begin("arn1");
  first.set("arn1", "a", { kind: "after", sequence: "000000000000000000100" });
  first.set("arn1", "b", { kind: "done" });
  first.set("arn2", "__proto__", { kind: "since", since: 5 });
  await notes.flush(first);
  const second = await open(notes);
  expect(second.streams).toEqual(["arn1", "arn2"]);
  expect(second.position("arn1", "a")).toEqual({
    kind: "after",
    sequence: "000000000000000000100",
  });
  expect(second.position("arn1", "b")).toEqual({ kind: "done" });
  expect(second.position("arn2", "__proto__")).toEqual({ kind: "since", since: 5 });
  expect(second.position("arn1", "c")).toBeUndefined();
});

test("a stream that was begun is known, also without a position", async () => {
  const notes = new SlowNotes();
  const first = await open(notes);
  first.begin("arn");
  await notes.flush(first);
  expect((await open(notes)).has("arn")).toBe(true);
});

test("what is gone is forgotten, and the note with the last of it", async () => {
  const notes = new SlowNotes();
  const checkpoints = await open(notes);
  checkpoints.set("arn", "a", { kind: "done" });
  checkpoints.set("arn", "b", { kind: "start" });
  checkpoints.keepShards("arn", ["b", "c"]);
  await notes.flush(checkpoints);
  expect(checkpoints.position("arn", "a")).toBeUndefined();
  expect(checkpoints.position("arn", "b")).toEqual({ kind: "start" });
  checkpoints.forget("arn");
  await notes.flush(checkpoints);
  expect(notes.texts.size).toBe(0);
});

test("one note is written at a time, and it holds the newest", async () => {
  const notes = new SlowNotes();
  const checkpoints = await open(notes);
  for (let i = 0; i < 100; i += 1) {
    checkpoints.set("arn", "a", { kind: "after", sequence: String(i) });
  }
  expect(notes.waiting).toHaveLength(1);
  await notes.flush(checkpoints);
  expect(notes.writes).toBe(2);
  expect((await open(notes)).position("arn", "a")).toEqual({ kind: "after", sequence: "99" });
});

test("a note that cannot be written is told, and the next one is tried", async () => {
  const notes = new SlowNotes();
  const failures: unknown[] = [];
  const checkpoints = await open(notes, failures);
  checkpoints.set("arn", "a", { kind: "after", sequence: "1" });
  notes.waiting.shift()?.fail();
  await checkpoints.saved();
  expect(failures).toEqual([new Error("the disk is full")]);
  checkpoints.set("arn", "a", { kind: "after", sequence: "2" });
  await notes.flush(checkpoints);
  expect((await open(notes)).position("arn", "a")).toEqual({ kind: "after", sequence: "2" });
});
