import type { Random } from "../random.ts";
import { type Client, numberOf, type Run, type Scenario, simpleTable } from "./concurrent.ts";
import type { Item } from "./values.ts";

const table = "accounts";
const names = ["a", "b", "c", "d", "e"];
const opening = 20;

/**
 * Transfers between accounts: no account is overdrawn, the sum stays, and a transfer happens exactly
 * once however often its request is sent.
 */
export class Accounts implements Scenario {
  readonly #run: Run;
  #transfers = 0;
  #moved = new Map<string, number>(names.map((name) => [name, opening]));

  constructor(run: Run) {
    this.#run = run;
  }

  async prepare(): Promise<void> {
    await this.#run.expect("CreateTable", simpleTable(table));
    const RequestItems = {
      [table]: names.map((id) => ({
        PutRequest: { Item: { id: { S: id }, balance: { N: String(opening) } } },
      })),
    };
    await this.#run.expect("BatchWriteItem", { RequestItems });
  }

  client(number: number): Client {
    let count = 0;
    return {
      step: async (random) => {
        if (random.chance(0.4)) return this.#audit();
        count += 1;
        return this.#transfer(random, `${number}-${count}`);
      },
    };
  }

  async #transfer(random: Random, id: string): Promise<void> {
    const [from = "", to = ""] = random.sample(names, 2);
    const amount = random.between(1, 9);
    const change = (account: string, sign: "" | "-", condition?: string) => ({
      Update: {
        TableName: table,
        Key: { id: { S: account } },
        UpdateExpression: "ADD balance :sum",
        ...(condition && { ConditionExpression: condition }),
        ExpressionAttributeValues: {
          ":sum": { N: `${sign}${amount}` },
          ...(condition && { ":amount": { N: String(amount) } }),
        },
      },
    });
    const receipt = {
      Put: {
        TableName: table,
        Item: { id: { S: `receipt ${id}` }, amount: { N: String(amount) } },
        ConditionExpression: "attribute_not_exists(id)",
      },
    };
    const body = {
      TransactItems: [change(from, "-", "balance >= :amount"), change(to, ""), receipt],
      ClientRequestToken: `transfer-${id}`,
    };
    // The client did not get the answer and asks again, or is impatient and asks twice at once.
    const once = () => this.#run.send("TransactWriteItems", body);
    const answers = random.chance(0.3) ? await Promise.all([once(), once()]) : [await once()];
    if (random.chance(0.2) && "answer" in (answers[0] ?? {})) answers.push(await once());
    const done = answers.filter((answer) => "answer" in answer).length;
    for (const answer of answers) {
      const fine = "answer" in answer || answer.error === "TransactionCanceledException";
      this.#run.check(fine, () => `transfer ${id}: ${JSON.stringify(answer)}`);
    }
    if (done === 0) return;
    this.#transfers += 1;
    this.#moved.set(from, (this.#moved.get(from) ?? 0) - amount);
    this.#moved.set(to, (this.#moved.get(to) ?? 0) + amount);
  }

  async #audit(): Promise<void> {
    const TransactItems = names.map((id) => ({
      Get: { TableName: table, Key: { id: { S: id } } },
    }));
    const answer = await this.#run.expect("TransactGetItems", { TransactItems });
    const items = ((answer?.Responses ?? []) as { Item?: Item }[]).map(({ Item: item }) => item);
    this.#checkSum(items);
  }

  #checkSum(items: readonly (Item | undefined)[]): void {
    const balances = items.map((item) => numberOf(item, "balance"));
    const sum = balances.reduce((a, b) => a + b, 0);
    const sound = sum === opening * names.length && balances.every((balance) => balance >= 0);
    this.#run.check(sound, () => `the accounts hold ${balances.join(", ")}`);
  }

  async check(): Promise<void> {
    const run = this.#run;
    const page = await run.expect("Scan", { TableName: table, ConsistentRead: true });
    const items = (page?.Items ?? []) as Item[];
    const accounts = items.filter((item) => item.balance !== undefined);
    this.#checkSum(accounts);
    for (const item of accounts) {
      const name = item.id !== undefined && "S" in item.id ? item.id.S : "";
      const [expected, got] = [this.#moved.get(name), numberOf(item, "balance")];
      run.check(expected === got, () => `account ${name}: ${got} instead of ${expected}`);
    }
    const receipts = items.length - accounts.length;
    run.check(receipts === this.#transfers, () => `${receipts} receipts of ${this.#transfers}`);
  }
}
