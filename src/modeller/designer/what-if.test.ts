import { expect, test } from "vitest";
import { editText } from "../../document/edit.ts";
import type { Model } from "../../model/model.ts";
import { parseModel } from "../../model/parse.ts";
import { trialOf } from "./what-if.ts";

const text = `keywright: 1
name: shop
entities:
  Order: { id: [orderId], count: 100, attributes: { orderId: { type: S, bytes: 20 }, note: { type: S, bytes: 10 } } }
  Item: { id: [orderId, position], count: 300, attributes: { orderId: { type: S, bytes: 20 }, position: { type: N, digits: 3 } } }
relations:
  - { from: Order, to: Item, kind: one-to-many, average: 3, max: 50 }
patterns:
  1: { name: An order, read: Order, where: { orderId: equals }, rps: { average: 5, peak: 50 } }
`;
const modelOf = (one: string): Model => parseModel(one, "shop.yaml").model as Model;
const model = modelOf(text);

test("several numbers are tried at once, each in its place", () => {
  const trial = trialOf(
    model,
    "P1.rps.avg=7; 1.rps.peak=70, Order.count=1_000, Order.note.bytes=2000, Order->Item.average=9, 1.skew=0.2, 1.matches=4",
  );
  if (typeof trial === "string") throw new Error(trial);
  const after = modelOf(editText(text, trial.edits));
  const pattern = after.patterns.get("1");
  expect(pattern?.rps).toMatchObject({ average: { value: 7 }, peak: { value: 70 } });
  expect(pattern?.skew).toMatchObject({ key: "orderId", kind: "hottest", value: { value: 0.2 } });
  expect(pattern?.matches?.value).toBe(4);
  expect(after.entities.get("Order")?.count?.value).toBe(1_000);
  expect(after.entities.get("Order")?.attributes.get("note")?.size?.distribution).toEqual({
    kind: "fixed",
    bytes: 2_000,
  });
  expect(after.relations[0]?.average?.value).toBe(9);
  expect(trial.words).toContain("there are 9 Item for each Order");
});

test.each([
  ["1.rps.avg=60", 60, 60],
  ["1.rps.peak=2", 2, 2],
])("a peak is never below the average: %s", (change, average, peak) => {
  const trial = trialOf(model, change);
  if (typeof trial === "string") throw new Error(trial);
  const after = modelOf(editText(text, trial.edits)).patterns.get("1");
  expect(after?.rps).toMatchObject({ average: { value: average }, peak: { value: peak } });
});

test.each([
  ["2.rps.avg=1", "There is no pattern '2'."],
  ["Oder.count=1", "There is no entity 'Oder'. Did you mean 'Order'?"],
  ["Order.notes.bytes=1", "There is no attribute of Order 'notes'. Did you mean 'note'?"],
  ["Item->Order.average=1", "There is no relation from 'Item' to 'Order'."],
  ["Order.note=1", "'Order.note=1' is not a change that can be tried"],
  ["Order.count=many", "'Order.count=many' is not a change that can be tried"],
])("%s is told to be wrong", (change, message) => {
  expect(trialOf(model, change)).toContain(message);
});
