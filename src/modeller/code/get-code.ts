import type { KeyText } from "../../model/key-text.ts";
import type { ReadRequest } from "../plans/plan.ts";
import { storedName } from "../requests/stored-names.ts";
import { keyTextCode, namesIn, openShards, recordKeyCall, type ValueCode } from "./key-code.ts";
import { predicateCode } from "./predicate-code.ts";
import {
  expiry,
  findsOne,
  guarded,
  type ReadCode,
  tableKeyNames,
  variableFor,
} from "./read-shared.ts";
import { type Brought, type Loop, looped, type Scope } from "./scope.ts";
import { arrayCode, callCode, constCode, literal, objectCode, property } from "./source.ts";
import { readTable } from "./table-code.ts";

/** A read of items whose keys are known. */
export function getCode(scope: Scope, request: ReadRequest, number: number): ReadCode {
  const { record, operation, consistent } = request;
  const variable = variableFor(number);
  const names = record.key.flatMap(({ text }) => namesIn(text));
  const resolved = scope.resolve(record.entity, request.bindings, names);
  const { codeFor, loops, needs } = resolved;
  const table = readTable(scope, request, codeFor);
  const options = [...(expiry(request) === undefined ? [] : [`expires: ${expiry(request)}`])];
  // An index has told the key as it is.
  const source = [...needs, ...loops.flatMap(({ from }) => from ?? [])].find(
    (one) => one.record === record,
  );
  const from =
    source &&
    (source.shape === "one" ? source.variable : loops.find((one) => one.from === source)?.as);
  const isOne = findsOne(scope, request);
  if (
    isOne &&
    (operation === "GetItem" || operation === "BatchGetItem") &&
    operation === "GetItem"
  ) {
    const key =
      from === undefined
        ? recordKeyCall(scope.names, record, codeFor, scope.useKey)
        : keyOf(scope, request, from);
    const input = objectCode([
      `TableName: ${table.code}`,
      `Key: ${key}`,
      ...(consistent ? ["ConsistentRead: true"] : []),
    ]);
    const call = `await ${callCode(scope.use("getItem"), "access", input, ...(options.length === 0 ? [] : [objectCode(options)]))}`;
    const brought: Brought = { variable, shape: "one", record, request };
    return {
      statements: [
        constCode(variable, guarded(resolved, call)),
        ...filtered(scope, request, brought),
      ],
      brought: afterFilter(request, brought),
      isPage: false,
    };
  }
  const shards = shardLoops(scope, request, codeFor);
  const key =
    from !== undefined
      ? keyOf(scope, request, from)
      : shards.loops.length === 0
        ? recordKeyCall(scope.names, record, codeFor, scope.useKey)
        : objectCode(
            record.key.map(({ attribute, text }) =>
              property(attribute, shards.codeOf(attribute, text)),
            ),
          );
  const list = looped(
    [...loops, ...(from === undefined ? shards.loops : []), ...table.loops],
    objectCode([property("table", table.code), `key: ${key}`]),
  );
  const helper =
    operation === "TransactGetItems"
      ? "getTogether"
      : operation === "GetItem"
        ? "getFew"
        : "getItems";
  const strong = consistent && helper !== "getTogether" ? ["consistent: true"] : [];
  const all = [...strong, ...options];
  const call = `await ${callCode(scope.use(helper), "access", list, ...(all.length === 0 ? [] : [objectCode(all)]))}`;
  if (isOne) {
    const brought: Brought = { variable, shape: "one", record, request };
    const value = needs.length === 0 ? call : `(${guarded(resolved, call)}) ?? []`;
    return {
      statements: [`const [${variable}] = ${value};`, ...filtered(scope, request, brought)],
      brought: afterFilter(request, brought),
      isPage: false,
    };
  }
  const brought: Brought = { variable, shape: "aligned", record, request };
  return {
    statements: [
      `const ${variable} = ${needs.length === 0 ? call : `(${guarded(resolved, call)}) ?? []`};`,
      ...filtered(scope, request, brought),
    ],
    brought: afterFilter(request, brought),
    isPage: false,
  };
}

/** The key of an item, as an index entry has it. */
function keyOf(scope: Scope, { table }: ReadRequest, item: string): string {
  return `${scope.use("pickAttributes")}(${item}, ${arrayCode(tableKeyNames(table).map(literal))})`;
}

function shardLoops(scope: Scope, request: ReadRequest, codeFor: ValueCode) {
  const loops: Loop[] = [];
  const variables = new Map<object, string>();
  for (const { text } of request.record.key) {
    for (const segment of openShards(text, (name) => codeFor(name) !== undefined)) {
      const as = loops.length === 0 ? "shard" : `shard${loops.length + 1}`;
      loops.push({ over: `${scope.use("allShards")}(${segment.count})`, as });
      variables.set(segment, as);
    }
  }
  const codeOf = (_: string, text: KeyText): string =>
    keyTextCode(
      text,
      request.record.entity,
      codeFor,
      (segment) => variables.get(segment),
      scope.use,
    );
  return { loops, codeOf };
}

/** A single item has no filter: what was asked beyond its key is looked at here. */
function filtered(
  scope: Scope,
  request: ReadRequest,
  { variable, shape }: Brought,
): readonly string[] {
  const test = filterTest(scope, request, shape === "one" ? variable : "item");
  if (test === undefined) return [];
  const kept = `${variable}Kept`;
  if (shape === "one") {
    return [`const ${kept} = ${variable} !== undefined && ${test} ? ${variable} : undefined;`];
  }
  return [
    `const ${kept} = ${variable}.map((item) => (item !== undefined && ${test} ? item : undefined));`,
  ];
}

function afterFilter(request: ReadRequest, brought: Brought): Brought {
  return request.filter.length === 0
    ? brought
    : { ...brought, variable: `${brought.variable}Kept` };
}

function filterTest(
  scope: Scope,
  { filter, record }: ReadRequest,
  item: string,
): string | undefined {
  if (filter.length === 0) return undefined;
  const tests = filter.map((predicate) => {
    const attribute = record.entity.attributes.get(predicate.attribute);
    if (attribute === undefined || storedName(record, predicate.attribute) === undefined)
      return "false";
    const operands = predicate.operands
      .filter(({ kind }) => kind === "parameter")
      .map((one) => scope.operand(one, attribute));
    const value = `${scope.told(record, item)}[${literal(attribute.name)}]`;
    return predicateCode(predicate, attribute, value, operands, scope.use);
  });
  return tests.join(" && ");
}
