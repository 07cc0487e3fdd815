import { expect, test } from "vitest";
import type { AttributeValue } from "../../src/item/attribute-value.ts";
import { modelOf } from "../../src/model/model.test-support.ts";
import { Facts } from "../../src/modeller/facts.ts";
import type { Plan } from "../../src/modeller/plans/plan.ts";
import { plansOf } from "../../src/modeller/plans/planner.ts";
import type { Execute } from "../../src/modeller/requests/run.ts";
import { runPlan } from "../../src/modeller/requests/run-plan.ts";
import { proveModel } from "../../src/workbench/model-prove.ts";
import { now, serve } from "./measure.ts";

const people = `keywright: 1
name: people
entities:
  Person:
    id: [personId]
    count: 20
    attributes:
      personId: { type: S, format: ulid }
      email: { type: S, bytes: 20, unique: true }
      city: { type: S, bytes: 8, distinct: 5 }
patterns:
  address: { name: Another address, update: Person, where: { personId: equals }, changes: [email], condition: exists, rps: 1 }
  leave: { name: Leave, delete: Person, where: { personId: equals }, condition: exists, rps: 1 }
  known: { name: By address, read: Person, where: { email: equals }, rps: 1 }
design:
  tables:
    People:
      key: { personId: S }
      entities: { Person: { key: { personId: "{personId}" } } }
      unique: [{ entity: Person, attribute: email, table: Addresses, key: { email: "{email}" } }]
    Addresses: { key: { email: S } }
`;

async function opened() {
  const model = modelOf(people);
  const plans = plansOf(Facts.of(model));
  const served = await serve(model, { items: 20 });
  const [person] = served.sample.entities.get("Person") ?? [];
  const id = person?.values.get("personId") as AttributeValue;
  const given = (email: string) => ({
    parameters: new Map([
      ["personId", [id]],
      ["email", [{ S: email }]],
    ]),
    items: () => [],
    writing: { shard: () => 0, now },
  });
  const plan = (name: string) => plans.get(name) as Plan;
  const guards = async (): Promise<readonly string[]> => {
    const { Items = [] } = (await served.execute("Scan", { TableName: "Addresses" })) as {
      Items?: readonly { email: { S: string }; personId: AttributeValue }[];
    };
    return Items.filter((one) => JSON.stringify(one.personId) === JSON.stringify(id)).map(
      (one) => one.email.S,
    );
  };
  /** Something happens after the first has looked and before it writes. */
  const meanwhile =
    (what: () => Promise<unknown>): Execute =>
    async (operation, request) => {
      if (operation === "TransactWriteItems") await what();
      return served.execute(operation, request);
    };
  return { served, given, plan, guards, meanwhile };
}

test("of two changes at once no value is left that nobody has", async () => {
  const { served, given, plan, guards, meanwhile } = await opened();
  const other = () => runPlan(plan("address"), given("second@x"), served.execute);
  await expect(runPlan(plan("address"), given("first@x"), meanwhile(other))).rejects.toMatchObject({
    type: expect.stringContaining("TransactionCanceled"),
  });
  expect(await guards()).toEqual(["second@x"]);
  await served.close();
});

test("who leaves while the value changes leaves nothing behind", async () => {
  const { served, given, plan, guards, meanwhile } = await opened();
  const other = () => runPlan(plan("address"), given("second@x"), served.execute);
  await expect(runPlan(plan("leave"), given(""), meanwhile(other))).rejects.toMatchObject({
    type: expect.stringContaining("TransactionCanceled"),
  });
  expect(await guards()).toEqual(["second@x"]);
  await runPlan(plan("leave"), given(""), served.execute);
  expect(await guards()).toEqual([]);
  await served.close();
});

test("a value that is set to what it was is no second write of its guard", async () => {
  const { served, given, plan, guards } = await opened();
  await runPlan(plan("address"), given("first@x"), served.execute);
  await runPlan(plan("address"), given("first@x"), served.execute);
  expect(await guards()).toEqual(["first@x"]);
  await served.close();
});

test("clients who look again all come through", { timeout: 60_000 }, async () => {
  const proofs = await proveModel(modelOf(people), { now });
  expect(proofs.map(({ verdict }) => verdict.kind)).toEqual(["proved", "proved", "proved"]);
});
