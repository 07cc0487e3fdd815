import { expiryAttribute } from "./oracle-expiry.ts";
import type {
  Action,
  Condition,
  IndexSpec,
  KeyPart,
  Operand,
  Path,
  QueryStep,
  Read,
  ScanStep,
  Step,
  TableSpec,
  Test,
  Write,
} from "./steps.ts";
import type { Item, Value } from "./values.ts";

export interface Request {
  readonly operation: string;
  readonly body: Record<string, unknown>;
}

/** Collects the placeholders of one request. Every other name is written bare, to try both. */
class Placeholders {
  readonly #names = new Map<string, string>();
  readonly #values: Record<string, Value> = {};
  #count = 0;

  name(name: string): string {
    if (name.length % 2 === 0) return name;
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const placeholder = `#n${this.#names.size}`;
    this.#names.set(name, placeholder);
    return placeholder;
  }

  path([top, inner]: Path): string {
    if (inner === undefined) return this.name(top);
    return typeof inner === "number"
      ? `${this.name(top)}[${inner}]`
      : `${this.name(top)}.${this.name(inner)}`;
  }

  value(value: Value): string {
    const placeholder = `:v${this.#count++}`;
    this.#values[placeholder] = value;
    return placeholder;
  }

  members(): Record<string, unknown> {
    return {
      ...(this.#names.size > 0 && {
        ExpressionAttributeNames: Object.fromEntries(
          [...this.#names].map(([name, placeholder]) => [placeholder, name]),
        ),
      }),
      ...(this.#count > 0 && { ExpressionAttributeValues: this.#values }),
    };
  }
}

function conditionText(condition: Condition, to: Placeholders): string {
  switch (condition.is) {
    case "not":
      return `NOT (${conditionText(condition.inner, to)})`;
    case "and":
    case "or": {
      const [left, right] = [conditionText(condition.left, to), conditionText(condition.right, to)];
      return `(${left}) ${condition.is.toUpperCase()} (${right})`;
    }
    default:
      return testText(condition, to);
  }
}

function testText(condition: Test, to: Placeholders): string {
  const path = to.path(condition.path);
  switch (condition.is) {
    case "exists":
      return `attribute_exists(${path})`;
    case "missing":
      return `attribute_not_exists(${path})`;
    case "compare":
      return `${path} ${condition.op} ${to.value(condition.value)}`;
    case "size":
      return `size(${path}) ${condition.op} ${to.value(condition.value)}`;
    case "between":
      return `${path} BETWEEN ${to.value(condition.low)} AND ${to.value(condition.high)}`;
    case "in":
      return `${path} IN (${condition.values.map((value) => to.value(value)).join(", ")})`;
    case "begins":
      return `begins_with(${path}, ${to.value(condition.value)})`;
    case "contains":
      return `contains(${path}, ${to.value(condition.value)})`;
    case "type":
      return `attribute_type(${path}, ${to.value(condition.value)})`;
  }
}

function operandText(operand: Operand, to: Placeholders): string {
  switch (operand.of) {
    case "value":
      return to.value(operand.value);
    case "attribute":
      return to.name(operand.name);
    case "default":
      return `if_not_exists(${to.name(operand.name)}, ${to.value(operand.value)})`;
    case "append":
      return `list_append(${operandText(operand.left, to)}, ${operandText(operand.right, to)})`;
    default: {
      const sign = operand.of === "plus" ? "+" : "-";
      return `${operandText(operand.left, to)} ${sign} ${operandText(operand.right, to)}`;
    }
  }
}

function updateText(actions: readonly Action[], to: Placeholders): string {
  const sections = new Map<string, string[]>();
  for (const action of actions) {
    let text = to.path(action.path);
    if (action.do === "set") text += ` = ${operandText(action.to, to)}`;
    else if (action.do !== "remove") text += ` ${to.value(action.value)}`;
    const keyword = action.do.toUpperCase();
    sections.set(keyword, [...(sections.get(keyword) ?? []), text]);
  }
  return [...sections].map(([keyword, list]) => `${keyword} ${list.join(", ")}`).join(" ");
}

/** The members that a write has alone and in a transaction. */
function writeMembers(write: Write): Record<string, unknown> {
  const to = new Placeholders();
  const update = write.actions?.length ? updateText(write.actions, to) : undefined;
  const condition = write.condition && conditionText(write.condition, to);
  return {
    TableName: write.table,
    [write.kind === "put" ? "Item" : "Key"]: write.item,
    ...(update && { UpdateExpression: update }),
    ...(condition && { ConditionExpression: condition }),
    ...(write.oldOnFailure && { ReturnValuesOnConditionCheckFailure: "ALL_OLD" }),
    ...to.members(),
  };
}

function projectionMembers(paths: readonly Path[] | undefined, to = new Placeholders()) {
  if (paths === undefined) return {};
  const text = paths.map((path) => to.path(path)).join(", ");
  return { ProjectionExpression: text, ...to.members() };
}

function readMembers(step: Read, to: Placeholders): Record<string, unknown> {
  const filter = step.filter && conditionText(step.filter, to);
  const projection = step.projection?.map((path) => to.path(path)).join(", ");
  return {
    TableName: step.table,
    ...(step.index && { IndexName: step.index }),
    ...(filter && { FilterExpression: filter }),
    ...(projection && { ProjectionExpression: projection }),
    ...(step.select && { Select: step.select }),
    ...(step.consistent && { ConsistentRead: true }),
    ...(step.limit !== undefined && { Limit: step.limit }),
    ReturnConsumedCapacity: "INDEXES",
    ...to.members(),
  };
}

/** One page of a Query; `keys` are those of the table or index that is read. */
export function queryRequest(
  step: QueryStep,
  keys: Pick<TableSpec, "hash" | "range">,
  start: Item | undefined,
): Request {
  const to = new Placeholders();
  const clauses = step.hash.map(
    (value, i) => `${to.name(nameOf(keys.hash, i))} = ${to.value(value)}`,
  );
  step.equal.forEach((value, i) => {
    clauses.push(`${to.name(nameOf(keys.range, i))} = ${to.value(value)}`);
  });
  if (step.last !== undefined) {
    const name = to.name(nameOf(keys.range, step.equal.length));
    const { last } = step;
    if (last.op === "between") {
      clauses.push(`${name} BETWEEN ${to.value(last.value)} AND ${to.value(last.high)}`);
    } else if (last.op === "begins") clauses.push(`begins_with(${name}, ${to.value(last.value)})`);
    else clauses.push(`${name} ${last.op} ${to.value(last.value)}`);
  }
  const body = {
    KeyConditionExpression: clauses.join(" AND "),
    ...(step.reverse && { ScanIndexForward: false }),
    ...(start && { ExclusiveStartKey: start }),
    ...readMembers(step, to),
  };
  return { operation: "Query", body };
}

const nameOf = (parts: readonly KeyPart[], at: number): string => (parts[at] as KeyPart)[0];

/** One page of a Scan. */
export function scanRequest(
  step: ScanStep,
  segment: number | undefined,
  start: Item | undefined,
): Request {
  const body = {
    ...readMembers(step, new Placeholders()),
    ...(segment !== undefined && { Segment: segment, TotalSegments: step.segments }),
    ...(start && { ExclusiveStartKey: start }),
  };
  return { operation: "Scan", body };
}

const operationOf = {
  put: "PutItem",
  update: "UpdateItem",
  delete: "DeleteItem",
  check: "ConditionCheck",
} as const;

const memberOf = {
  put: "Put",
  update: "Update",
  delete: "Delete",
  check: "ConditionCheck",
} as const;

/** The request of every step that is one request. */
export function requestOf(step: Step): Request {
  const capacity = { ReturnConsumedCapacity: "INDEXES", ReturnItemCollectionMetrics: "SIZE" };
  const reading = { ReturnConsumedCapacity: "INDEXES" };
  switch (step.step) {
    case "write": {
      const body = { ...writeMembers(step.write), ReturnValues: step.returns, ...capacity };
      return { operation: operationOf[step.write.kind], body };
    }
    case "get": {
      const { table: TableName, key: Key, consistent: ConsistentRead, projection } = step;
      const body = { TableName, Key, ConsistentRead, ...projectionMembers(projection), ...reading };
      return { operation: "GetItem", body };
    }
    case "batchGet": {
      const RequestItems = Object.fromEntries(
        Object.entries(step.keys).map(([table, Keys]) => [
          table,
          { Keys, ConsistentRead: step.consistent, ...projectionMembers(step.projection) },
        ]),
      );
      return { operation: "BatchGetItem", body: { RequestItems, ...reading } };
    }
    case "batchWrite": {
      const RequestItems: Record<string, object[]> = {};
      for (const { table, kind, item } of step.writes) {
        RequestItems[table] ??= [];
        RequestItems[table].push(
          kind === "put" ? { PutRequest: { Item: item } } : { DeleteRequest: { Key: item } },
        );
      }
      return { operation: "BatchWriteItem", body: { RequestItems, ...capacity } };
    }
    case "transactGet": {
      const TransactItems = step.gets.map(({ table: TableName, key: Key, projection }) => ({
        Get: { TableName, Key, ...projectionMembers(projection) },
      }));
      return { operation: "TransactGetItems", body: { TransactItems, ...reading } };
    }
    case "transactWrite": {
      const TransactItems = step.writes.map((write) => ({
        [memberOf[write.kind]]: writeMembers(write),
      }));
      const token = step.token && { ClientRequestToken: step.token };
      return { operation: "TransactWriteItems", body: { TransactItems, ...token, ...capacity } };
    }
    case "createTable":
      return { operation: "CreateTable", body: createBody(step.spec) };
    case "deleteTable":
      return { operation: "DeleteTable", body: { TableName: step.table } };
    case "addIndex": {
      const body = {
        TableName: step.table,
        AttributeDefinitions: definitions([...step.index.hash, ...step.index.range]),
        GlobalSecondaryIndexUpdates: [{ Create: indexBody(step.index) }],
      };
      return { operation: "UpdateTable", body };
    }
    case "timeToLive": {
      const specification = { Enabled: step.enabled, AttributeName: expiryAttribute };
      return {
        operation: "UpdateTimeToLive",
        body: { TableName: step.table, TimeToLiveSpecification: specification },
      };
    }
    case "dropIndex": {
      const updates = [{ Delete: { IndexName: step.index } }];
      const body = { TableName: step.table, GlobalSecondaryIndexUpdates: updates };
      return { operation: "UpdateTable", body };
    }
    case "describe":
      return { operation: "DescribeTable", body: { TableName: step.table } };
    case "list":
      return { operation: "ListTables", body: { Limit: step.limit } };
    default:
      throw new Error(`${step.step} is not one request`);
  }
}

function createBody({ name, hash, range, indexes }: TableSpec): Record<string, unknown> {
  const of = (kind: string) => indexes.filter((index) => index.kind === kind).map(indexBody);
  const [local, global] = [of("local"), of("global")];
  const parts = [hash, range, ...indexes.flatMap((index) => [index.hash, index.range])].flat();
  return {
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: keySchema(hash, range),
    AttributeDefinitions: definitions(parts),
    ...(local.length > 0 && { LocalSecondaryIndexes: local }),
    ...(global.length > 0 && { GlobalSecondaryIndexes: global }),
  };
}

function indexBody({ name, hash, range, holds }: IndexSpec) {
  const projection =
    holds === undefined
      ? { ProjectionType: "ALL" }
      : holds.length === 0
        ? { ProjectionType: "KEYS_ONLY" }
        : { ProjectionType: "INCLUDE", NonKeyAttributes: holds };
  return { IndexName: name, KeySchema: keySchema(hash, range), Projection: projection };
}

const keySchema = (hash: readonly KeyPart[], range: readonly KeyPart[]) => [
  ...hash.map(([AttributeName]) => ({ AttributeName, KeyType: "HASH" })),
  ...range.map(([AttributeName]) => ({ AttributeName, KeyType: "RANGE" })),
];

const definitions = (parts: readonly KeyPart[]) =>
  [...new Map(parts)].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
