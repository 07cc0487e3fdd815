import { expect, test } from "vitest";
import { parseModel } from "../../../model/parse.ts";
import type { Entity } from "../../../model/requirements.ts";
import { neighboursOf, projectionOf, slotsOf } from "./slots.ts";
import type { Unit } from "./units.ts";

const entity = (name: string): string => `  ${name}:
    id: [id]
    count: 1_000
    attributes: { id: { type: S, format: ulid }, large: { type: S, bytes: 900 }, small: { type: S, bytes: 9 } }
`;
const { model } = parseModel(
  `keywright: 1\nname: things\nentities:\n${["A", "B", "C"].map(entity).join("")}`,
  "things.yaml",
);

const unit = (of: string, name: string, wanted: readonly string[], scanned = false): Unit => ({
  table: `${of}s`,
  name,
  document: { key: { partition: "id" } },
  members: [
    {
      entity: model?.entities.get(of) as Entity,
      partition: "{id}",
      sort: "",
      only: undefined,
      wanted,
    },
  ],
  scanned,
});

const names = (slots: readonly (readonly Unit[])[]) =>
  slots.map((slot) => slot.map(({ name }) => name).toSorted());

test("as many as the entity with the most has, and those together that want the same", () => {
  const slots = slotsOf([
    unit("A", "A small", ["small"]),
    unit("A", "A large", ["large"]),
    unit("B", "B large", ["large"]),
    unit("C", "C small", ["small"]),
    unit("C", "C large", ["large"]),
  ]);
  expect(names(slots).toSorted()).toEqual([
    ["A large", "B large", "C large"],
    ["A small", "C small"],
  ]);
  expect(slots.map(projectionOf).toSorted()).toEqual([["large"], ["small"]]);
});

test("what is read as a whole shares with nobody", () => {
  const slots = slotsOf([unit("A", "A", []), unit("B", "all B", ["small"], true)]);
  expect(names(slots)).toEqual([["A"], ["all B"]]);
  expect(slots.map(projectionOf)).toEqual(["keys", ["small"]]);
});

test("one step away: an index goes where there is room, or changes places with its rival", () => {
  const slots = [[unit("A", "A1", []), unit("B", "B1", [])], [unit("A", "A2", [])]];
  const steps = [...neighboursOf(slots)].map(names);
  expect(steps).toEqual([
    [["A2", "B1"], ["A1"]],
    [["A1"], ["A2", "B1"]],
  ]);
});

test("more attributes than can be named are all of them", () => {
  const many = Array.from({ length: 21 }, (_, i) => `a${i}`);
  expect(projectionOf([unit("A", "A", many)])).toBe("all");
});
