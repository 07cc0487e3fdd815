import { keySchemaMismatch } from "../api/errors/item.ts";
import { ServiceError } from "../api/errors/service-error.ts";
import {
  mandatoryEquality,
  returningInTransaction,
  statementInvalid,
  transactionMixed,
} from "../api/errors/statement.ts";
import {
  type CancellationReason,
  transactionCanceled,
  transactionTargetsRepeated,
  transactionTooLarge,
} from "../api/errors/transaction.ts";
import { transactionBytesMax } from "../api/limits.ts";
import {
  type ExecuteTransactionRequest,
  executeTransactionShape,
} from "../api/requests/statements.ts";
import { latin1Of } from "../base/bytes.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { checkKey } from "../engine/key-checks.ts";
import { itemAddress } from "../engine/keys.ts";
import type { WriteAction } from "../engine/write.ts";
import type { Item } from "../item/attribute-value.ts";
import { itemSize, valueSize } from "../item/size.ts";
import { compileItemRead, compileWrite } from "../partiql/compile.ts";
import { checkParameters, type Parameters } from "../partiql/literal.ts";
import {
  isRead,
  type OpenStatement,
  openStatement,
  refuseMultiAttributeIndex,
} from "../partiql/open-statement.ts";
import type { CompiledWrite } from "../partiql/operation.ts";
import { type TranslatedSelect, translateStatement } from "../partiql/translate.ts";
import type { Bytes } from "../storage/store.ts";
import { reasonsOf } from "./cancellation.ts";
import type { Context, Operation } from "./operation.ts";
import { findTable, selected } from "./statement.ts";
import { actionOf, itemOf, statementOutcome } from "./statement-write.ts";
import { readTogether, type TransactionRead } from "./transaction-reads.ts";
import { writeTogether } from "./transaction-writes.ts";

const operation = "ExecuteTransaction";

export const executeTransaction: Operation<ExecuteTransactionRequest> = {
  name: operation,
  shape: executeTransactionShape,
  async run(context, request) {
    const { TransactStatements: statements } = request;
    const parameters = statements.map((one) => checkParameters(one.Parameters ?? []));
    const opened = statements.map(({ Statement: text }, i) =>
      numbered(i, () => ({
        statement: openStatement(text),
        parameters: parameters[i] as Parameters,
      })),
    );
    const reads = opened.filter(({ statement }) => isRead(statement)).length;
    if (reads > 0 && reads < opened.length) throw transactionMixed();
    return reads > 0 ? read(context, request, opened) : write(context, request, opened);
  },
};

interface Opened {
  readonly statement: OpenStatement;
  readonly parameters: Parameters;
}

/** What is wrong with a statement by itself is wrong with the request, which says which one it was. */
function numbered<T>(statement: number, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const ofRequest = statementInvalid(statement, error);
    againstRequests.add(ofRequest);
    throw ofRequest;
  }
}

/** Errors that end a request, where others only cancel it. */
const againstRequests = new WeakSet<ServiceError>();

async function read(
  context: Context,
  request: ExecuteTransactionRequest,
  opened: readonly Opened[],
): Promise<object> {
  const reads = await planAll(context, opened, ({ statement, parameters }, table, i) => {
    const select = numbered(i, () => {
      refuseMultiAttributeIndex(statement, table);
      const translated = translateStatement(statement, parameters) as TranslatedSelect;
      return table === undefined ? undefined : compileItemRead(translated, table, operation);
    });
    if (select === undefined || table === undefined) return undefined;
    const { columns, key: item, table: name } = select;
    checkKey(table, item);
    const { key } = itemAddress(table, item);
    const shown = columns === undefined ? undefined : (one: Item) => selected(columns, one);
    return { name, table, key, item, shown };
  });
  refuseRepeated(reads.map(({ key }) => key));
  return readTogether(
    context,
    operation,
    request.ReturnConsumedCapacity,
    reads as TransactionRead[],
  );
}

interface PlannedWrite {
  readonly compiled: CompiledWrite;
  readonly action: WriteAction;
}

async function write(
  context: Context,
  request: ExecuteTransactionRequest,
  opened: readonly Opened[],
): Promise<object> {
  const { ClientRequestToken: value, TransactStatements: statements } = request;
  let planned: readonly PlannedWrite[] = [];
  const compiled = (i: number): CompiledWrite => (planned[i] as PlannedWrite).compiled;
  const answer = await writeTogether(
    context,
    {
      operation,
      token:
        value === undefined ? undefined : { space: `${operation}/${context.namespace}`, value },
      payload: () => JSON.stringify(statements),
      ReturnConsumedCapacity: request.ReturnConsumedCapacity,
      reasons: (outcomes) =>
        reasonsOf(
          outcomes.map((outcome, i) => statementOutcome(compiled(i), outcome)),
          (i) => statements[i]?.ReturnValuesOnConditionCheckFailure === "ALL_OLD",
        ),
    },
    {
      parts: () =>
        planned.map((one) => ({ table: one.compiled.table, item: itemOf(one.compiled) })),
      actions: async () => {
        planned = await planAll(context, opened, planWrite);
        refuseRepeated(planned.map(({ action }) => action.address.key));
        refuseTooLarge(opened, planned);
        return planned.map(({ action }) => action);
      },
    },
  );
  return { Responses: [], ...answer };
}

function planWrite(
  { statement, parameters }: Opened,
  table: TableDescriptor | undefined,
  i: number,
): PlannedWrite | undefined {
  const translated = numbered(i, () => translateStatement(statement, parameters));
  if (table === undefined) return undefined;
  numbered(i, () => {
    if ("returning" in translated && translated.returning !== undefined) {
      throw returningInTransaction();
    }
  });
  // EXISTS is judged with the request, the keys of others are not.
  const compile = (): CompiledWrite => compileWrite(translated, table);
  const compiled = translated.kind === "exists" ? numbered(i, compile) : compile();
  return { compiled, action: actionOf(compiled, table) };
}

/**
 * Plans every statement on its table. Tables that are not there, and keys that do not fit, cancel the
 * transaction when all have been looked at; whatever else is thrown stands against the request.
 */
async function planAll<T>(
  context: Context,
  opened: readonly Opened[],
  plan: (one: Opened, table: TableDescriptor | undefined, i: number) => T | undefined,
): Promise<readonly T[]> {
  const reasons: CancellationReason[] = [];
  const planned: T[] = [];
  for (const [i, one] of opened.entries()) {
    const found = await findTable(context, one.statement.table);
    const table = found instanceof ServiceError ? undefined : found;
    let reason: CancellationReason = { Code: "None" };
    try {
      const made = plan(one, table, i);
      if (made !== undefined) planned.push(made);
      else reason = { Code: "ResourceNotFound", Message: (found as ServiceError).message };
    } catch (error) {
      if (!(error instanceof ServiceError) || againstRequests.has(error)) throw error;
      reason = { Code: "ValidationError", Message: messageOf(error) };
    }
    reasons.push(reason);
  }
  if (planned.length < opened.length) throw transactionCanceled(reasons);
  return planned;
}

/** A key that is not whole is, in a transaction, one that does not fit. */
function messageOf({ message }: ServiceError): string {
  return message === mandatoryEquality().message ? keySchemaMismatch().message : message;
}

function refuseRepeated(keys: readonly Bytes[]): void {
  if (new Set(keys.map(latin1Of)).size < keys.length) throw transactionTargetsRepeated();
}

/** What statements bring along: items to put, and the parameters of others. */
function refuseTooLarge(opened: readonly Opened[], planned: readonly PlannedWrite[]): void {
  let bytes = 0;
  planned.forEach(({ compiled }, i) => {
    if (compiled.kind === "put") bytes += itemSize(compiled.item);
    else for (const value of (opened[i] as Opened).parameters) bytes += valueSize(value);
  });
  if (bytes > transactionBytesMax) throw transactionTooLarge();
}
