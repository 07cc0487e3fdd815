import { describe, expect, test } from "vitest";
import type { Condition } from "./conditions.ts";
import { AdjacencyList } from "./edges.ts";
import { Placeholders } from "./expression.ts";

const graph = new AdjacencyList();
const ada = { kind: "USER", id: "ada" };
const bob = { kind: "USER", id: "bob#1" };
const follows = { from: ada, label: "FOLLOWS", to: bob };

function written(condition: Condition) {
  const place = new Placeholders();
  return [
    condition.write(place),
    ...Object.values(place.members().ExpressionAttributeValues ?? {}),
  ];
}

describe("a graph", () => {
  test("has nodes and edges, and finds edges from both ends", () => {
    expect(graph.node(ada)).toEqual({ pk: "USER#ada", sk: "@" });
    expect(graph.edge(follows)).toEqual({
      pk: "USER#ada",
      sk: "FOLLOWS#USER#bob#1",
      inversePk: "USER#bob#1",
      inverseSk: "FOLLOWS#USER#ada",
    });
    expect(graph.edgeKey(follows)).toEqual({ pk: "USER#ada", sk: "FOLLOWS#USER#bob#1" });
    expect(graph.mirror(follows, "FOLLOWED_BY")).toEqual({
      pk: "USER#bob#1",
      sk: "FOLLOWED_BY#USER#ada",
    });
  });

  test("asks for edges by label and kind, and not for those of a longer word", () => {
    expect(written(graph.leaving(ada))).toEqual(["#n0 = :v0", "USER#ada"]);
    expect(written(graph.leaving(ada, "FOLLOWS"))).toEqual([
      "#n0 = :v0 AND begins_with(#n1, :v1)",
      "USER#ada",
      "FOLLOWS#",
    ]);
    expect(written(graph.arriving(bob, "FOLLOWS", "USER"))).toEqual([
      "#n0 = :v0 AND begins_with(#n1, :v1)",
      "USER#bob#1",
      "FOLLOWS#USER#",
    ]);
    expect(() => graph.leaving(ada, undefined, "USER")).toThrow("with a label");
  });

  test("reads its items back, whatever the ids hold", () => {
    expect(graph.edgeOf({ ...graph.edge(follows), since: 1 })).toEqual(follows);
    expect(graph.nodeOf(graph.node(bob))).toEqual(bob);
    expect(graph.nodeOf(graph.edge(follows))).toBeUndefined();
    expect(graph.edgeOf(graph.node(ada))).toBeUndefined();
    for (const strange of [
      {},
      { pk: 1, sk: 2 },
      { pk: "x", sk: "A#B#c" },
      { pk: "A#b", sk: "C#d" },
    ]) {
      expect(graph.edgeOf(strange)).toBeUndefined();
    }
  });

  test("takes no word that could be taken for two", () => {
    expect(() => graph.node({ kind: "A#B", id: "c" })).toThrow("'A#B' cannot be a word");
    expect(() => graph.node({ kind: "", id: "c" })).toThrow("cannot be a word");
    expect(() => graph.edge({ ...follows, label: "A#B" })).toThrow("cannot be a word");
    expect(() => new AdjacencyList({ separator: "##" })).toThrow("one character");
    const names = { partition: "P", sort: "S", inversePartition: "IP", inverseSort: "IS" };
    expect(new AdjacencyList({ names, separator: "|" }).edge(follows)).toEqual({
      P: "USER|ada",
      S: "FOLLOWS|USER|bob#1",
      IP: "USER|bob#1",
      IS: "FOLLOWS|USER|ada",
    });
  });
});
