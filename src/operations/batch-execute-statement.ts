import { batchMixed, existsOutsideTransaction } from "../api/errors/statement.ts";
import {
  type BatchExecuteStatementRequest,
  type BatchStatement,
  batchExecuteStatementShape,
} from "../api/requests/statements.ts";
import { UnitsByTable } from "../capacity/consumed.ts";
import { checkParameters } from "../partiql/literal.ts";
import { isRead, openStatement } from "../partiql/open-statement.ts";
import { BatchMember } from "./batch-statement.ts";
import { readBatch } from "./batch-statement-reads.ts";
import { writeBatch } from "./batch-statement-writes.ts";
import type { Operation } from "./operation.ts";

export const batchExecuteStatement: Operation<BatchExecuteStatementRequest> = {
  name: "BatchExecuteStatement",
  shape: batchExecuteStatementShape,
  async run(context, { Statements, ReturnConsumedCapacity }) {
    const members = Statements.map(opened);
    const statements = members.flatMap(({ statement }) => statement ?? []);
    const reads = statements.filter(isRead).length;
    if (reads > 0 && reads < statements.length) throw batchMixed();
    const units = new UnitsByTable();
    if (reads > 0) await readBatch(context, members, units);
    else if (statements.length > 0) await writeBatch(context, members, units);
    return {
      Responses: members.map(({ response }) => response),
      ...units.report(ReturnConsumedCapacity),
    };
  },
};

/** A statement that cannot even be read fails by itself. */
function opened(request: BatchStatement): BatchMember {
  const member = new BatchMember(request.ConsistentRead === true);
  member.attempt(() => {
    const parameters = checkParameters(request.Parameters ?? []);
    const statement = openStatement(request.Statement);
    if (statement.kind === "exists") throw existsOutsideTransaction();
    member.open(statement, parameters);
  });
  return member;
}
