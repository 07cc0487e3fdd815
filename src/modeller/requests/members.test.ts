import { expect, test } from "vitest";
import { inputOf, type Member, oneForEachItem } from "./members.ts";

const mustExist: Member["condition"] = (placeholders) =>
  `attribute_exists(${placeholders.name("city")})`;
const member = (kind: Member["kind"], city: string, more: Partial<Member> = {}): Member => ({
  kind,
  table: "People",
  key: { city: { S: city }, id: { S: "7" } },
  ...(kind === "Put" && { item: { city: { S: city }, id: { S: "7" }, name: { S: "Ann" } } }),
  steps: [],
  condition: () => undefined,
  guards: false,
  isStated: false,
  ...more,
});
const gone = member("Delete", "Rome", { condition: mustExist });
const check = member("ConditionCheck", "Bonn", { condition: mustExist });
const add = (amount: number, more: Partial<Member> = {}): Member =>
  member("Update", "Bonn", {
    counts: {
      added: new Map([["orders", String(amount)]]),
      steps: (added) =>
        [...added].map(([name, N]) => ({ kind: "add", name, value: { N } }) as const),
    },
    ...more,
  });
const inputs = (...members: readonly Member[]): readonly object[] =>
  oneForEachItem(members).map((one) => ({ [one.kind]: inputOf(one) }));

test("an item that moves to another key is two writes", () => {
  const members = [check, gone, member("Put", "Oslo")];
  expect(oneForEachItem(members)).toEqual(members);
  const elsewhere = [{ ...gone, table: "Others" }, member("Put", "Rome")];
  expect(oneForEachItem(elsewhere)).toEqual(elsewhere);
});

test("an item that stays under its key is put in place, if what had to hold does", () => {
  expect(inputs(check, gone, member("Put", "Rome"))[1]).toEqual({
    Put: {
      TableName: "People",
      Item: { city: { S: "Rome" }, id: { S: "7" }, name: { S: "Ann" } },
      ConditionExpression: "attribute_exists(#n0)",
      ExpressionAttributeNames: { "#n0": "city" },
    },
  });
});

test("a unique item that keeps its owner is not written, and one that changes it is replaced", () => {
  const item = { city: { S: "Rome" }, id: { S: "7" } };
  const old = member("Delete", "Rome", { guards: true, item });
  const same = member("Put", "Rome", { guards: true, item, condition: mustExist });
  expect(oneForEachItem([check, old, same])).toEqual([check]);
  const other = { ...same, item: { ...item, owner: { S: "9" } } };
  expect(inputs(old, other)).toEqual([{ Put: { TableName: "People", Item: other.item } }]);
});

test("several additions to one item are one update with all conditions", () => {
  expect(inputs(check, add(1), add(2, { condition: mustExist }))).toEqual([
    {
      Update: {
        TableName: "People",
        Key: { city: { S: "Bonn" }, id: { S: "7" } },
        UpdateExpression: "ADD #n0 :v0",
        ConditionExpression: "attribute_exists(#n1)",
        ExpressionAttributeNames: { "#n0": "orders", "#n1": "city" },
        ExpressionAttributeValues: { ":v0": { N: "3" } },
      },
    },
  ]);
});

test("additions that add up to nothing leave the conditions", () => {
  expect(inputs(add(1, { condition: mustExist }), add(-1))).toMatchObject([{ ConditionCheck: {} }]);
  expect(inputs(add(1), add(-1))).toEqual([]);
});

test("a delete and a put of one item that both are stated stay two, which the service refuses", () => {
  const stated = { isStated: true };
  const members = [member("Delete", "Rome", stated), member("Put", "Rome", stated)];
  expect(oneForEachItem(members)).toEqual(members);
});

test("two updates that the caller names stay two", () => {
  const update = member("Update", "Bonn", { steps: [{ kind: "remove", name: "orders" }] });
  expect(inputs(update, update)).toHaveLength(2);
});
