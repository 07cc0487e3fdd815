import { expect, test } from "vitest";
import { type CpuProfile, selfTimes } from "./profile.ts";

function node(id: number, functionName: string, url = ""): CpuProfile["nodes"][number] {
  return { id, callFrame: { functionName, url, lineNumber: 4, columnNumber: 2 } };
}

test("self time is the share of busy samples; the same function in two places of the tree is one", () => {
  const profile: CpuProfile = {
    nodes: [
      node(1, "(idle)"),
      node(2, "parse", "node:http"),
      node(3, "parse", "node:http"),
      node(4, ""),
      node(5, "put", "file:///x/node_modules/lmdb/write.js"),
    ],
    samples: [1, 2, 3, 4, 5, 1],
    timeDeltas: [900, 30, 30, 20, 20, 900],
  };
  expect(selfTimes(profile, 50)).toEqual([
    { name: "parse", place: "node:http", microseconds: 30 },
    { name: "(anonymous)", place: "native", microseconds: 10 },
    { name: "put", place: "lmdb/write.js", microseconds: 10 },
  ]);
});
