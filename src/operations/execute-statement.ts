import { existsOutsideTransaction, nextTokenOfWrite } from "../api/errors/statement.ts";
import { type ExecuteStatementRequest, executeStatementShape } from "../api/requests/statements.ts";
import { TableUnits } from "../capacity/consumed.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { compileWrite } from "../partiql/compile.ts";
import { checkParameters, type Parameters } from "../partiql/literal.ts";
import { type OpenStatement, openStatement } from "../partiql/open-statement.ts";
import type { CompiledWrite } from "../partiql/operation.ts";
import { translateStatement } from "../partiql/translate.ts";
import type { Context, Operation } from "./operation.ts";
import { commitOne, refusalOf } from "./single-write.ts";
import { readStatement } from "./statement-read.ts";
import { actionOf, itemOf, returnedBy, statementOutcome } from "./statement-write.ts";
import { addWriteUnits } from "./write-answer.ts";

export const executeStatement: Operation<ExecuteStatementRequest> = {
  name: "ExecuteStatement",
  shape: executeStatementShape,
  run(context, request) {
    const parameters = checkParameters(request.Parameters ?? []);
    const statement = openStatement(request.Statement);
    if (statement.kind === "exists") throw existsOutsideTransaction();
    return statement.kind === "select"
      ? readStatement(context, request, statement, parameters)
      : writeStatement(context, request, statement, parameters);
  },
};

async function writeStatement(
  context: Context,
  request: ExecuteStatementRequest,
  statement: OpenStatement,
  parameters: Parameters,
): Promise<object> {
  const translated = translateStatement(statement, parameters);
  if (request.NextToken !== undefined) throw nextTokenOfWrite();
  let write: CompiledWrite | undefined;
  const committed = await commitOne(
    "ExecuteStatement",
    context,
    translated.table,
    (table: TableDescriptor) => {
      write = compileWrite(translated, table);
      return actionOf(write, table);
    },
    () => itemOf(write as CompiledWrite),
  );
  const planned = write as unknown as CompiledWrite;
  const outcome = statementOutcome(planned, committed.outcome);
  if (outcome.refusal !== undefined) {
    throw planned.kind === "put" ? outcome.refusal : refusalOf(request, outcome);
  }
  const returned = returnedBy(planned, outcome);
  const answer: Record<string, unknown> = { Items: returned === undefined ? [] : [returned] };
  if (request.ReturnConsumedCapacity !== undefined) {
    const units = new TableUnits();
    addWriteUnits(units, outcome);
    answer.ConsumedCapacity = units.report(translated.table, request.ReturnConsumedCapacity);
  }
  return answer;
}
