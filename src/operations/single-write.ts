import { conditionalCheckFailed } from "../api/errors/item.ts";
import type * as shared from "../api/requests/shared.ts";
import { TableUnits } from "../capacity/consumed.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import type { WriteAction, WriteOptions, WriteOutcome } from "../engine/write.ts";
import type { Item } from "../item/attribute-value.ts";
import type { Context } from "./operation.ts";
import { tableNameOf } from "./table-name.ts";
import { addWriteUnits, collectionMetrics } from "./write-answer.ts";

/** What PutItem, UpdateItem and DeleteItem have in common. */
interface SingleWriteRequest {
  readonly TableName: string;
  readonly ReturnConsumedCapacity?: shared.ReturnConsumedCapacity;
  readonly ReturnItemCollectionMetrics?: shared.ReturnItemCollectionMetrics;
  readonly ReturnValuesOnConditionCheckFailure?: shared.ReturnValuesOnConditionCheckFailure;
}

const plainWrite: WriteOptions = { atomic: true };

/**
 * Writes one item. `plan` makes the action for the table as it is; `attributes` picks from the outcome
 * what ReturnValues asks for.
 */
export async function writeOne(
  operation: string,
  context: Context,
  request: SingleWriteRequest,
  item: Item,
  plan: (table: TableDescriptor) => WriteAction,
  attributes: (outcome: WriteOutcome) => unknown,
): Promise<object> {
  const { database, namespace, traffic } = context;
  const name = tableNameOf(context, request.TableName);
  let actions: readonly WriteAction[] = [];
  const single = (found: TableDescriptor): readonly WriteAction[] => {
    actions = [plan(found)];
    return actions;
  };
  const admission = traffic.admission(context, true);
  const outcomes = await database.write(
    () => {
      const found = database.table(namespace, name);
      return found instanceof Promise ? found.then(single) : single(found);
    },
    admission === undefined ? plainWrite : { atomic: true, admit: admission.admit },
  );
  const outcome = outcomes[0] as WriteOutcome;
  const { table } = actions[0] as WriteAction;
  if (outcome.refusal !== undefined) {
    if (outcome.throttled === true) traffic.throttledRequest(table, operation);
    else traffic.failedTogether(actions, outcomes, [item]);
    throw refusalOf(request, outcome);
  }
  traffic.wrote(table, outcome, item);
  traffic.answered(context, operation, table, 0, 0);
  const answer: Record<string, unknown> = {};
  const returned = attributes(outcome);
  if (returned !== undefined) answer.Attributes = returned;
  if (request.ReturnConsumedCapacity !== undefined) {
    const units = new TableUnits();
    addWriteUnits(units, outcome);
    answer.ConsumedCapacity = units.report(request.TableName, request.ReturnConsumedCapacity);
  }
  if (request.ReturnItemCollectionMetrics !== undefined) {
    answer.ItemCollectionMetrics = collectionMetrics(
      request.ReturnItemCollectionMetrics,
      table,
      item,
      outcome,
    );
  }
  return answer;
}

function refusalOf(request: SingleWriteRequest, outcome: WriteOutcome): unknown {
  if (
    outcome.conditionFailed === true &&
    request.ReturnValuesOnConditionCheckFailure === "ALL_OLD" &&
    outcome.before !== undefined
  ) {
    return conditionalCheckFailed(outcome.before.item);
  }
  return outcome.refusal;
}
