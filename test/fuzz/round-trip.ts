import type { Random } from "../random.ts";
import type { Case } from "./cases.ts";
import { operationCase } from "./cases.ts";
import { type Fixture, fixtures, goodItem } from "./fixtures.ts";
import { type Json, Members, object, textOf } from "./json.ts";

/** Like `fuzz.ranged`, and nobody else writes to it. */
const ranged = fixtures.find(({ name }) => name === "fuzz.ranged") as Fixture;
export const roundTripTable: Fixture = {
  ...ranged,
  name: "fuzz.round-trip",
  creation: ranged.creation.replace('"fuzz.ranged"', '"fuzz.round-trip"'),
};

/** Sends a case, has it judged, and answers status and parsed body. */
export type Ask = (sent: Case) => Promise<{ status: number; json: Record<string, unknown> }>;

/**
 * Whatever PutItem takes comes back equal, whichever way it is asked for. Answers whether it was taken;
 * throws if it came back changed.
 */
export async function roundTrip(random: Random, ask: Ask): Promise<boolean> {
  const TableName = roundTripTable.name;
  const item = goodItem(random, roundTripTable);
  const send = (operation: string, members: Readonly<Record<string, Json>>) =>
    ask(operationCase("round trip", operation, Buffer.from(textOf(object(members)))));
  const put = await send("PutItem", { TableName, Item: item });
  if (put.status !== 200) return false;
  const sent = canonicalItem(JSON.parse(textOf(item)));
  const compare = (got: unknown, way: string): void => {
    if (canonicalItem(got) === sent) return;
    throw new Error(`${way} answers another item: ${canonicalItem(got).slice(0, 400)}`);
  };
  const Key = new Members(["pk", "sk"].map((name) => [name, item.get(name) as Json]));
  const get = async () =>
    (await send("GetItem", { TableName, Key, ConsistentRead: true })).json.Item;
  compare(await get(), "GetItem");

  const byKey = {
    TableName,
    KeyConditionExpression: "pk = :pk AND sk = :sk",
    ExpressionAttributeValues: object({
      ":pk": item.get("pk") as Json,
      ":sk": item.get("sk") as Json,
    }),
  };
  compare(only((await send("Query", byKey)).json.Items), "Query");
  if (item.get("name") !== undefined) {
    const byName = {
      TableName,
      IndexName: "byName",
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: object({ ":pk": item.get("pk") as Json }),
    };
    compare(only((await send("Query", byName)).json.Items), "Query of an index");
  }
  compare(only((await send("Scan", { TableName })).json.Items), "Scan");

  const batch = await send("BatchGetItem", {
    RequestItems: object({ [TableName]: object({ Keys: [Key] }) }),
  });
  compare(only(own(batch.json.Responses, TableName)), "BatchGetItem");
  const transaction = await send("TransactGetItems", {
    TransactItems: [object({ Get: object({ TableName, Key }) })],
  });
  compare(own(only(transaction.json.Responses), "Item"), "TransactGetItems");

  const update = await send("UpdateItem", {
    TableName,
    Key,
    UpdateExpression: "REMOVE an_attribute_that_is_not_there",
    ReturnValues: "ALL_NEW",
  });
  // An item that barely fits may be too large for UpdateItem, whose limit is a little lower.
  if (update.status === 200) compare(update.json.Attributes, "UpdateItem");
  compare(await get(), "GetItem after UpdateItem");
  const removal = await send("DeleteItem", { TableName, Key, ReturnValues: "ALL_OLD" });
  compare(removal.json.Attributes, "DeleteItem");
  return true;
}

function only(list: unknown): unknown {
  if (!Array.isArray(list) || list.length !== 1) throw new Error("not exactly one item");
  return list[0];
}

function own(record: unknown, name: string): unknown {
  return (record as Record<string, unknown> | undefined)?.[name];
}

/** A text that is the same for equal items: numbers in one form, sets and members in one order. */
export function canonicalItem(item: unknown): string {
  if (typeof item !== "object" || item === null) return String(item);
  return JSON.stringify(attributes(item as Record<string, unknown>));
}

function attributes(members: Record<string, unknown>): unknown[] {
  return Object.keys(members)
    .sort()
    .map((name) => [name, value(members[name] as Record<string, unknown>)]);
}

function value(content: Record<string, unknown>): unknown[] {
  const [type = ""] = Object.keys(content);
  const inner = content[type];
  switch (type) {
    case "S":
      return [type, (inner as string).toWellFormed()];
    case "N":
      return [type, decimal(inner as string)];
    case "SS":
      return [type, (inner as string[]).map((text) => text.toWellFormed()).sort()];
    case "NS":
      return [type, (inner as string[]).map(decimal).sort()];
    case "BS":
      return [type, [...(inner as string[])].sort()];
    case "L":
      return [type, (inner as Record<string, unknown>[]).map(value)];
    case "M":
      return [type, attributes(inner as Record<string, unknown>)];
    default:
      return [type, inner];
  }
}

/** digits × 10^power, the digits without zeros at either end. */
function decimal(text: string): string {
  const match = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return `not a number: ${text}`;
  const [, sign = "", whole = "", fraction = "", power = "0"] = match;
  const digits = (whole + fraction).replace(/^0+/, "");
  if (digits === "") return "0";
  const trimmed = digits.replace(/0+$/, "");
  const exponent = Number(power) - fraction.length + digits.length - trimmed.length;
  return `${sign === "-" ? "-" : ""}${trimmed}e${exponent}`;
}
