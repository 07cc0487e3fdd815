import { conditionalCheckFailed } from "../api/errors/item.ts";
import type { ServiceError } from "../api/errors/service-error.ts";
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

/** Commits one action and tells of it. A refusal is told, too, and left to the caller. */
export async function commitOne(
  operation: string,
  context: Context,
  tableName: string,
  plan: (table: TableDescriptor) => WriteAction,
  itemOf: () => Item,
): Promise<{ readonly table: TableDescriptor; readonly outcome: WriteOutcome }> {
  const { database, namespace, traffic } = context;
  const name = tableNameOf(context, tableName);
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
  if (outcome.refusal === undefined) {
    traffic.wrote(table, outcome, itemOf());
    traffic.answered(context, operation, table, 0, 0);
  } else if (outcome.throttled === true) traffic.throttledRequest(table, operation);
  else traffic.failedTogether(actions, outcomes, [itemOf()]);
  return { table, outcome };
}

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
  const { TableName } = request;
  const { table, outcome } = await commitOne(operation, context, TableName, plan, () => item);
  if (outcome.refusal !== undefined) throw refusalOf(request, outcome);
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

/** The item that a failed condition found is shown if it is asked for. */
export function refusalOf(
  request: Pick<SingleWriteRequest, "ReturnValuesOnConditionCheckFailure">,
  outcome: WriteOutcome,
): ServiceError | undefined {
  if (
    outcome.conditionFailed === true &&
    request.ReturnValuesOnConditionCheckFailure === "ALL_OLD" &&
    outcome.before !== undefined
  ) {
    return conditionalCheckFailed(outcome.before.item);
  }
  return outcome.refusal;
}
