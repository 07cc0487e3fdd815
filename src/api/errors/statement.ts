import type { AttributeType } from "../../item/attribute-value.ts";
import { ServiceError, validationError } from "./service-error.ts";

/**
 * What is said of PartiQL statements. Recorded on the service unless a comment says that a text is a
 * guess. Where a statement is compiled to expressions, the complaints are those of `expression.ts`.
 */

/** Where a token stands, as some texts end with it: `1:8:16`. */
export interface TokenPlace {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

function at(text: string, { line, column, length }: TokenPlace): ServiceError {
  return validationError(`${text} at ${line}:${column}:${length}`);
}

// Syntax

/** `detail` is the parser's; of what is no token at all, nothing is said. */
export const notWellFormed = (detail: string): ServiceError =>
  validationError(`Statement wasn't well formed, can't be processed: ${detail}`);

/** The details of `notWellFormed`. They are those of the open PartiQL parser; not all were recorded. */
export const syntax = {
  term: "Unexpected term",
  keyword: "Unexpected keyword",
  operator: "Unexpected operator",
  rightSide: "Missing right-hand side expression of infix operator",
  afterAnd: "Expected expression after AND",
  leftover: "Unexpected token after expression",
  afterSemicolon: "Unexpected token after semicolon. (Only one query is allowed.)",
  dataManipulation: "Expected data manipulation",
  simplePath: "Expected identifier for simple path",
  dotComponent: "Invalid path dot component",
  bracketComponent: "Invalid path component for simple path",
  emptyGroup: "Expression group cannot be empty",
  typeName: "Expected type name",
  assignment: "Expected '='",
  fromAfterSelect: "Expected FROM after SELECT list",
  fromAfterDelete: "Expected FROM after DELETE",
  starNotAlone:
    "Other expressions may not be present in the select list when '*' is used without dot notation.",
  starInPath: "Invalid use of * in select list",
  aggregate: "Aggregate functions are always unary",
  returning: "Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element.",
  returningColumn: "Unsupported syntax in RETURNING columns.",
  alias: "Expected identifier for AS-alias",
  callWithStar: (name: string): string => `${name}(*) is not allowed`,
  expected: (token: string): string => `Expected ${token}`,
  expectedKeyword: (keyword: string): string => `Expected ${keyword} keyword`,
} as const;

// Statements

export const aliasing = (): ServiceError => validationError("Aliasing is not supported");

/** An expression, or a statement of another kind. Recorded of `IsType`. */
export const unsupportedOperation = (node: string): ServiceError =>
  validationError(`Unsupported operation: ${node}`);

/** Recorded of LIMIT, with the place of its number. */
export const unsupportedClause = (clause: string, place: TokenPlace): ServiceError =>
  at(`Unsupported clause: ${clause}`, place);

export const singleTableOnly = (): ServiceError =>
  validationError("FROM clause may only contain a single table name");

export const tooManyPathComponents = (): ServiceError =>
  validationError("A path may contain at most 2 components in the FROM clause");

export const emptyPathComponent = (): ServiceError =>
  validationError("Path component cannot be an empty string");

export const notOnIndex = (): ServiceError =>
  validationError("This operation is not supported on an index");

export const unexpectedPathComponent = (place: TokenPlace): ServiceError =>
  at("Unexpected path component", place);

export const duplicateColumn = (name: string): ServiceError =>
  validationError(`Duplicate identifiers in select clause: ${name}`);

export const listIndexNotAllowed = (index: string, place: TokenPlace): ServiceError =>
  at(`List index is not within the allowable range; index: [${index}]`, place);

export const unrecognizedFunction = (name: string, place: TokenPlace): ServiceError =>
  at(`Unrecognized function: ${name}`, place);

export const invalidReturning = (clause: string): ServiceError =>
  validationError(
    `Invalid returning clause: RETURNING ${clause} *. Only RETURNING ALL OLD * is allowed in DELETE statements.`,
  );

export const existsOutsideTransaction = (): ServiceError =>
  validationError("EXISTS can only be used in ExecuteTransaction write requests.");

// Values

export const parameterCount = (): ServiceError =>
  validationError("Number of parameters in request and statement don't match.");

/** `under` is a path into the value: `root`, `root.x`, `root[1]`. */
export const unsupportedValue = (what: string, under: string, place: TokenPlace): ServiceError =>
  at(`Unsupported data type: ${what} under key ${under}`, place);

export const literalInvalid = (message: string, under: string): ServiceError =>
  validationError(`${message} under ${under}`);

export const literalNestedTooDeep = (under: string): ServiceError =>
  literalInvalid("Nesting Levels have exceeded supported limits", under);

/** Of an item that a statement would leave too deep. */
export const statementLeavesTooDeep = (): ServiceError =>
  validationError("Nesting Levels have exceeded supported limits");

export const emptyBag = (): ServiceError => validationError("Empty bags are not supported");

export const mixedBag = (): ServiceError =>
  validationError(
    "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags",
  );

export const numberBagRepeats = (members: readonly string[], under: string): ServiceError =>
  validationError(
    `One or more parameter values were invalid: Input collection [${members.join(", ")}] contains duplicates! under ${under}`,
  );

// Functions of SET

export const setFunctionTarget = (name: string, place: TokenPlace): ServiceError =>
  at(`The first argument to ${name} must equal the assignment value`, place);

export const setFunctionValue = (name: string, place: TokenPlace): ServiceError =>
  at(`The second argument to ${name} must be a value with type SET`, place);

export const setFunctionCount = (name: string, place: TokenPlace): ServiceError =>
  at(`${name} must have exactly two arguments`, place);

// Keys

export const mandatoryEquality = (): ServiceError =>
  validationError("Where clause does not contain a mandatory equality on all key attributes");

export const severalKeyConditions = (name: string): ServiceError =>
  validationError(
    `Multiple conditions on same key ${name}. Only single item Update/Insert/Delete are supported`,
  );

export const keyTypeNotInSchema = (name: string): ServiceError =>
  validationError(
    `Key attribute's data type should match its data type in table's schema: Key ${name}`,
  );

export const keyTypeNotScalar = (name: string, type: AttributeType): ServiceError =>
  validationError(`Key value must be of type S, N, or B. Key name: ${name}, Key type: ${type}`);

export const overlappingKeyConditions = (): ServiceError =>
  validationError("Overlapping conditions with range keys are not supported in where clause");

export const tooManyReads = (): ServiceError =>
  validationError("Too many decomposed read operations for a given query.");

// Order

export const orderWithoutWhere = (): ServiceError =>
  validationError("Must have WHERE clause in the statement when using ORDER BY clause.");

export const orderByNoKey = (name: string): ServiceError =>
  validationError(`Attribute ${name} in ORDER BY clause must be part of the primary key`);

export const orderWithoutHashKey = (): ServiceError =>
  validationError(
    "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.",
  );

export const orderAcrossHashKeys = (): ServiceError =>
  validationError(
    "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.",
  );

// Reads

export const statementIndexNotFound = (): ServiceError =>
  validationError("The table does not have the specified index");

export const statementConsistentOnGlobalIndex = (): ServiceError =>
  validationError("Strongly consistent read is not supported on Global Secondary Indexes");

export const multiAttributeIndex = (): ServiceError =>
  validationError(
    "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.",
  );

export const nextTokenInvalid = (): ServiceError => validationError("Invalid NextToken");

export const nextTokenOfOther = (): ServiceError =>
  validationError("NextToken does not match request");

/** A guess: only a SELECT has pages. */
export const nextTokenOfWrite = (): ServiceError =>
  validationError("NextToken is only valid on a SELECT statement");

// Writes

export const duplicateItem = (): ServiceError =>
  new ServiceError("DuplicateItemException", "Duplicate primary key exists in table");

// Batches and transactions

export const batchMixed = (): ServiceError =>
  validationError("Read and write requests together in the same batch is not supported.");

export const transactionMixed = (): ServiceError =>
  validationError(
    "ExecuteTransaction API does not support both read and write operations in the same request.",
  );

export const primaryKeyRequired = (
  operation: "BatchExecuteStatement" | "ExecuteTransaction",
): ServiceError =>
  validationError(
    `Select statements within ${operation} must specify the primary key in the where clause.`,
  );

export const existsNeedsCondition = (): ServiceError =>
  validationError("EXISTS() must contain a single item read with additional condition");

export const returningInTransaction = (): ServiceError =>
  validationError("RETURNING clause is not supported in ExecuteTransaction.");

export const indexInTransaction = (): ServiceError =>
  validationError("Reads on indices are not supported within transactions.");

export const statementInvalid = (statement: number, { message }: ServiceError): ServiceError =>
  validationError(`Validation failed in TransactStatements[${statement}]: ${message}`);
