import { expect, test } from "vitest";
import { parseOptions, UsageError } from "./options.ts";

test("the defaults measure load", () => {
  expect(parseOptions([])).toEqual({
    mode: "load",
    ours: ["flush"],
    peers: ["dynalite", "dynoxide"],
    operations: ["put", "get", "update", "query", "batchwrite", "transact"],
    connections: [1, 32],
    seconds: 4,
    warmUpSeconds: 1,
    rounds: 3,
    items: 20_000,
    itemBytes: undefined,
    folder: undefined,
    build: true,
    record: true,
  });
});

test("lists and numbers are read; a quick run records nothing", () => {
  const options = parseOptions(
    "--quick --ops get,put --conns 8 --peers none --ours memory,memory --secs 0.25".split(" "),
  );
  expect(options).toMatchObject({
    operations: ["get", "put"],
    connections: [8],
    peers: [],
    ours: ["memory"],
    seconds: 0.25,
    record: false,
  });
});

test("starting is measured ten times, on every store", () => {
  expect(parseOptions(["--start"])).toMatchObject({
    mode: "start",
    rounds: 10,
    ours: ["flush", "relaxed", "memory"],
  });
});

test("each kind of run has its own number of items and connections", () => {
  const growth = parseOptions("--growth --folder /tmp/kept".split(" "));
  expect(growth).toMatchObject({ mode: "growth", items: 10_000_000, connections: [32] });
  expect(growth.folder).toBe("/tmp/kept");
  expect(parseOptions(["--growth", "--quick"])).toMatchObject({ items: 100_000, record: false });
  expect(parseOptions(["--postgres"])).toMatchObject({ items: 20_000, connections: [1, 8, 32] });
});

test.each([
  ["--ops get,got", "--ops knows"],
  ["--peers sqlite", "--peers knows"],
  ["--conns 0", "--conns takes"],
  ["--conns 1.5", "--conns takes"],
  ["--secs -1", "Option '--secs' argument"],
  ["--secs=0", "--secs takes"],
  ["--items many", "--items takes"],
  ["--start --stages", "--stages and --start exclude"],
  ["--growth --postgres", "--postgres and --growth exclude"],
  ["--folder /tmp/kept", "--folder is for --growth"],
  ["--frobnicate", "Unknown option"],
])("%s is refused", (line, text) => {
  expect(() => parseOptions(line.split(" "))).toThrow(UsageError);
  expect(() => parseOptions(line.split(" "))).toThrow(text);
});
