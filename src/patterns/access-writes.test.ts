import { expect, test } from "vitest";
import { accessBase, type Senders } from "./access.ts";
import {
  countIn,
  releaseOf,
  statedWrite,
  totalOf,
  type Write,
  writeOf,
  writeTogether,
} from "./access-writes.ts";
import { allOf, asRead, equalTo, mustExist, present } from "./conditions.ts";
import { Placeholders, UpdateBuilder } from "./expression.ts";
import {
  checkMember,
  deleteMember,
  putMember,
  type TransactMember,
  updateMember,
} from "./transact.ts";

async function sentOf(writes: readonly Write[]): Promise<readonly TransactMember[]> {
  const sent: TransactMember[] = [];
  const senders = {
    transactWrite: async ({ TransactItems }: { TransactItems: TransactMember[] }) => {
      sent.push(...TransactItems);
    },
  } as unknown as Senders;
  await writeTogether(accessBase(senders, {}), writes);
  return sent;
}

const gone = (city: string) =>
  writeOf(deleteMember("People", { city, id: 7 }, present("city")), "missing", "Person");
const put = (city: string, refusal: Write["refusal"] = "condition") =>
  writeOf(putMember("People", { city, id: 7, name: "Ann" }), refusal, "Person");

test("what moves to another key is two writes", async () => {
  expect(await sentOf([gone("Rome"), put("Oslo")])).toEqual([
    gone("Rome").member,
    put("Oslo").member,
  ]);
});

test("what stays under its key is put in place, if what had to hold does", async () => {
  expect(await sentOf([gone("Rome"), put("Rome")])).toEqual([
    putMember("People", { city: "Rome", id: 7, name: "Ann" }, present("city")),
  ]);
});

test("a delete and a put of one item that the caller names stay two, which the service refuses", async () => {
  const stated = [gone("Rome"), put("Rome")].map(({ member, refusal, of }) =>
    statedWrite(member, refusal, of),
  );
  expect(await sentOf(stated)).toEqual(stated.map(({ member }) => member));
});

const release = (name: string) =>
  releaseOf(deleteMember("People", { city: "Rome", id: 7 }), "Person", { name });

test("a unique item that stays with its owner is neither deleted nor put", async () => {
  expect(await sentOf([release("Ann"), put("Rome", "unique")])).toEqual([]);
});

test("a unique item that gets another owner is replaced, whatever comes first", async () => {
  const replaced = [putMember("People", { city: "Rome", id: 7, name: "Ann" })];
  expect(await sentOf([release("Zoe"), put("Rome", "unique")])).toEqual(replaced);
  expect(await sentOf([put("Rome", "unique"), release("Zoe")])).toEqual(replaced);
});

const key = { teamId: "a" };
const count = (numbers: Parameters<typeof countIn>[3]): Write =>
  countIn("Team", "Teams", key, numbers, mustExist("teamId"));
const added = (members: number, points: number): TransactMember =>
  updateMember(
    "Teams",
    key,
    new UpdateBuilder().add("members", members).add("points", points),
    mustExist("teamId"),
  );

test("what several writes add to one item is one update", async () => {
  const counts = [count({ members: 1, points: 5 }), count({ members: 2, points: -2 })];
  expect(await sentOf(counts)).toEqual([added(3, 3)]);
});

test("an item to which nothing is added is only checked", async () => {
  const check = checkMember("Teams", key, mustExist("teamId"));
  expect(await sentOf([count({ members: 1 }), count({ members: -1 })])).toEqual([check]);
  expect(await sentOf([count({ points: undefined })])).toEqual([check]);
});

test("an item that is updated or checked, too, is written once under all conditions", async () => {
  const check = checkMember("Teams", key, equalTo("open", true));
  const both = allOf(equalTo("open", true), mustExist("teamId"));
  expect(await sentOf([writeOf(check, "condition", "Team"), count({ members: 1 })])).toEqual([
    updateMember("Teams", key, new UpdateBuilder().add("members", 1), both),
  ]);
  const update = updateMember("Teams", key, new UpdateBuilder().set("open", false));
  expect(await sentOf([count({ members: 1 }), writeOf(update, "missing", "Team")])).toEqual([
    updateMember(
      "Teams",
      key,
      new UpdateBuilder().set("open", false).add("members", 1),
      mustExist("teamId"),
    ),
  ]);
});

test("two updates of one item that both are stated stay two", async () => {
  const update = () =>
    writeOf(updateMember("Teams", key, new UpdateBuilder().remove("open")), "missing", "Team");
  expect(await sentOf([update(), update()])).toHaveLength(2);
});

test("totals are exact, and what is missing counts as nothing", () => {
  expect(totalOf([0.1, undefined, 0.2])).toBe(0.3);
  expect(totalOf([5n], [7n])).toBe(-2n);
  expect(totalOf([undefined], [])).toBeUndefined();
});

test("an item is as it was read, or still missing", () => {
  const text = (item: Record<string, unknown> | undefined, names: string[]) =>
    asRead("teamId", item, names).write(new Placeholders());
  expect(text(undefined, ["members"])).toBe("attribute_not_exists(#n0)");
  expect(text({ teamId: "a", members: 1 }, ["members", "points"])).toBe(
    "#n0 = :v0 AND attribute_not_exists(#n1)",
  );
  expect(text({ teamId: "a" }, ["points"])).toBe(
    "attribute_exists(#n0) AND attribute_not_exists(#n1)",
  );
  expect(text({ teamId: "a" }, [])).toBe("attribute_exists(#n0)");
});
