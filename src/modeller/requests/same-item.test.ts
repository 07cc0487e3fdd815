import { expect, test } from "vitest";
import { oneForEachItem } from "./same-item.ts";
import type { Member } from "./write.ts";

const gone = (city: string, TableName = "People"): Member => ({
  kind: "Delete",
  input: {
    TableName,
    Key: { city: { S: city }, id: { S: "7" } },
    ...{
      ConditionExpression: "attribute_exists(#n0)",
      ExpressionAttributeNames: { "#n0": "city" },
    },
  },
  guards: false,
});
const put = (city: string, guards = false): Member => ({
  kind: "Put",
  input: { TableName: "People", Item: { city: { S: city }, id: { S: "7" }, name: { S: "Ann" } } },
  guards,
});
const check: Member = {
  kind: "ConditionCheck",
  input: { TableName: "People", Key: { city: { S: "Rome" }, id: { S: "8" } } },
  guards: false,
};

test("what moves to another key is two writes", () => {
  const members = [check, gone("Rome"), put("Oslo")];
  expect(oneForEachItem(members)).toEqual(members);
  const elsewhere = [gone("Rome", "Others"), put("Rome")];
  expect(oneForEachItem(elsewhere)).toEqual(elsewhere);
});

test("what stays under its key is put in place, if what had to hold does", () => {
  expect(oneForEachItem([check, gone("Rome"), put("Rome")])).toEqual([
    check,
    {
      kind: "Put",
      input: {
        TableName: "People",
        Item: { city: { S: "Rome" }, id: { S: "7" }, name: { S: "Ann" } },
        ConditionExpression: "attribute_exists(#n0)",
        ExpressionAttributeNames: { "#n0": "city" },
      },
      guards: false,
    },
  ]);
});

test("of a guarded value that stays nothing is to be done", () => {
  expect(oneForEachItem([check, gone("Rome"), put("Rome", true)])).toEqual([check]);
});
