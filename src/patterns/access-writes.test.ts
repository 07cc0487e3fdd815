import { expect, test } from "vitest";
import { accessBase, type Senders } from "./access.ts";
import { type Write, writeOf, writeTogether } from "./access-writes.ts";
import { present } from "./conditions.ts";
import { deleteMember, putMember, type TransactMember } from "./transact.ts";

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

test("of a guarded value that stays nothing is to be done", async () => {
  expect(await sentOf([gone("Rome"), put("Rome", "unique")])).toEqual([]);
});
