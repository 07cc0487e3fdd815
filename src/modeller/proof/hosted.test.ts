import { expect, test } from "vitest";
import { modelOf } from "../../model/model.test-support.ts";
import { Facts } from "../facts.ts";
import { storable } from "./hosted.ts";

const facts = Facts.of(
  modelOf(`
keywright: 1
name: readings
entities:
  Reading:
    id: [sensor, position]
    attributes:
      sensor: { type: S, values: [north, south] }
      position: { type: N }
      serial: { type: S, unique: true, present: 0.5 }
patterns:
  1: { name: Read, read: Reading, where: { sensor: equals } }
`),
);

const reading = (sensor: string, position: number, serial?: string) =>
  new Map([
    ["sensor", { S: sensor }],
    ["position", { N: String(position) }],
    ...(serial === undefined ? [] : ([["serial", { S: serial }]] as const)),
  ]);

test("a state that can be stored has each id and each unique value once", () => {
  const [first, sameId, sameSerial, other, another] = [
    reading("north", 1, "a"),
    reading("north", 1, "b"),
    reading("south", 1, "a"),
    reading("south", 2),
    reading("south", 3),
  ] as const;
  const state = new Map([["Reading", [first, sameId, sameSerial, other, another]]]);
  expect(storable(facts, state).get("Reading")).toEqual([first, other, another]);
});
