import {
  requestTokenCharactersMax,
  statementBatchMax,
  statementCharactersMax,
  statementTransactionMax,
} from "../limits.ts";
import { attributeValue, boolean, integer, list, string, struct } from "../shape.ts";
import * as shared from "./shared.ts";

interface StatementMembers {
  readonly Statement: string;
  readonly Parameters?: readonly shared.AttributeValue[];
  readonly ReturnValuesOnConditionCheckFailure?: shared.ReturnValuesOnConditionCheckFailure;
}

export interface ExecuteStatementRequest extends StatementMembers {
  readonly ConsistentRead?: boolean;
  readonly NextToken?: string;
  readonly ReturnConsumedCapacity?: shared.ReturnConsumedCapacity;
  readonly Limit?: number;
}

export interface BatchStatement extends StatementMembers {
  readonly ConsistentRead?: boolean;
}

export interface BatchExecuteStatementRequest {
  readonly Statements: readonly BatchStatement[];
  readonly ReturnConsumedCapacity?: shared.ReturnConsumedCapacity;
}

export interface ExecuteTransactionRequest {
  readonly TransactStatements: readonly StatementMembers[];
  readonly ClientRequestToken?: string;
  readonly ReturnConsumedCapacity?: shared.ReturnConsumedCapacity;
}

const statement = {
  Statement: string({ required: true, min: 1, max: statementCharactersMax }),
  Parameters: list(attributeValue(), { min: 1 }),
  ReturnValuesOnConditionCheckFailure: shared.returnValuesOnConditionCheckFailure,
};

export const executeStatementShape = struct<ExecuteStatementRequest>("ExecuteStatementInput", {
  ...statement,
  ConsistentRead: boolean(),
  NextToken: string({ min: 1, max: 32_768 }),
  ReturnConsumedCapacity: shared.returnConsumedCapacity,
  Limit: integer({ min: 1 }),
});

export const batchExecuteStatementShape = struct<BatchExecuteStatementRequest>(
  "BatchExecuteStatementInput",
  {
    Statements: list(
      struct<BatchStatement>("BatchStatementRequest", { ...statement, ConsistentRead: boolean() }),
      { required: true, min: 1, max: statementBatchMax },
    ),
    ReturnConsumedCapacity: shared.returnConsumedCapacity,
  },
);

export const executeTransactionShape = struct<ExecuteTransactionRequest>(
  "ExecuteTransactionInput",
  {
    TransactStatements: list(struct<StatementMembers>("ParameterizedStatement", statement), {
      required: true,
      min: 1,
      max: statementTransactionMax,
    }),
    ClientRequestToken: string({ min: 1, max: requestTokenCharactersMax }),
    ReturnConsumedCapacity: shared.returnConsumedCapacity,
  },
);
