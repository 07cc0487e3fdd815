import type { BatchWriteItemRequest } from "../../api/requests/batch-write-item.ts";
import type { DeleteItemRequest } from "../../api/requests/delete-item.ts";
import type { PutItemRequest } from "../../api/requests/put-item.ts";
import type { TransactWriteItemsRequest } from "../../api/requests/transact-write-items.ts";
import type { UpdateItemRequest } from "../../api/requests/update-item.ts";
import { compileExpressions } from "../../expressions/compile.ts";
import type { Item } from "../../item/attribute-value.ts";
import type { Operand } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { type Changes, noChanges, type WriteAction, type WriteRequest } from "../plans/plan.ts";
import { write } from "../plans/write-actions.ts";
import type { StoredRecord } from "../records/record.ts";
import { valueText } from "./match-value.ts";
import { recordOf, tableNamed } from "./read-request.ts";

export function putRequest(facts: Facts, { TableName, Item }: PutItemRequest): WriteRequest {
  return single("PutItem", act(facts, "put", TableName, Item));
}

export function deleteRequest(facts: Facts, { TableName, Key }: DeleteItemRequest): WriteRequest {
  return single("DeleteItem", act(facts, "delete", TableName, Key));
}

export function updateRequest(facts: Facts, request: UpdateItemRequest): WriteRequest {
  const legacy = Object.keys(request.AttributeUpdates ?? {});
  return single("UpdateItem", updated(facts, request, request.Key, legacy));
}

export function batchRequest(facts: Facts, { RequestItems }: BatchWriteItemRequest): WriteRequest {
  const actions = Object.entries(RequestItems).flatMap(([table, list]) =>
    list.flatMap(({ PutRequest, DeleteRequest }) => [
      ...(PutRequest === undefined ? [] : [act(facts, "put", table, PutRequest.Item)]),
      ...(DeleteRequest === undefined ? [] : [act(facts, "delete", table, DeleteRequest.Key)]),
    ]),
  );
  return { kind: "write", operation: "BatchWriteItem", actions: merged(actions) };
}

export function transactRequest(
  facts: Facts,
  { TransactItems }: TransactWriteItemsRequest,
): WriteRequest {
  const actions = TransactItems.flatMap(({ Put, Delete, Update, ConditionCheck }) => [
    ...(Put === undefined ? [] : [act(facts, "put", Put.TableName, Put.Item)]),
    ...(Delete === undefined ? [] : [act(facts, "delete", Delete.TableName, Delete.Key)]),
    ...(Update === undefined ? [] : [updated(facts, Update, Update.Key, [])]),
    ...(ConditionCheck === undefined
      ? []
      : [act(facts, "check", ConditionCheck.TableName, ConditionCheck.Key)]),
  ]);
  return { kind: "write", operation: "TransactWriteItems", actions: merged(actions) };
}

function single(operation: WriteRequest["operation"], action: WriteAction): WriteRequest {
  return { kind: "write", operation, actions: [action] };
}

function act(
  facts: Facts,
  kind: "put" | "delete" | "check",
  table: string,
  key: object,
): WriteAction {
  return write(kind, recordOf(facts, tableNamed(facts, table), key as Item), new Map());
}

type UpdateTexts = Pick<
  UpdateItemRequest,
  | "TableName"
  | "UpdateExpression"
  | "ConditionExpression"
  | "ExpressionAttributeNames"
  | "ExpressionAttributeValues"
>;

function updated(
  facts: Facts,
  texts: UpdateTexts,
  key: object,
  legacy: readonly string[],
): WriteAction {
  const record = recordOf(facts, tableNamed(facts, texts.TableName), key as Item);
  const { update } = compileExpressions({
    update: texts.UpdateExpression,
    condition: texts.ConditionExpression,
    names: texts.ExpressionAttributeNames,
    values: texts.ExpressionAttributeValues,
  });
  const sets: { attribute: string; to: Operand }[] = [];
  const removes: string[] = [];
  for (const action of update?.actions ?? []) {
    const [stored, ...within] = action.path.steps;
    const attribute = nameOf(record, stored);
    if (action.kind === "remove" && within.length === 0) removes.push(attribute);
    else {
      const isPlain = action.kind === "set" && action.value.kind === "value" && within.length === 0;
      const to: Operand =
        isPlain && action.value.kind === "value"
          ? { kind: "constant", value: valueText(action.value.value) }
          : { kind: "parameter", name: attribute };
      sets.push({ attribute, to });
    }
  }
  for (const stored of legacy) {
    const attribute = nameOf(record, stored);
    sets.push({ attribute, to: { kind: "parameter", name: attribute } });
  }
  const changes: Changes = { ...noChanges, sets, removes };
  return write("update", record, new Map(), { changes });
}

/** What an attribute is called in the model; what is not in it is called as it is. */
function nameOf({ attributes }: StoredRecord, stored: string): string {
  const found = attributes.find(({ name }) => name === stored);
  return found?.content.kind === "attribute" ? found.content.attribute.name : stored;
}

/** Equal actions on the same kind of item are one, several times. */
function merged(actions: readonly WriteAction[]): readonly WriteAction[] {
  const all = new Map<string, WriteAction>();
  for (const action of actions) {
    const { kind, record, changes } = action;
    const key = JSON.stringify([kind, record.table.name, record.name, changes]);
    const known = all.get(key);
    all.set(key, known === undefined ? action : { ...known, count: known.count + 1 });
  }
  return [...all.values()];
}
