import type { KeyText } from "../../model/key-text.ts";
import type { ReadRequest } from "../plans/plan.ts";
import { storedName } from "../requests/stored-names.ts";
import { createdCode } from "./created-code.ts";
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
import { type Brought, type Loop, looped, type Resolved, type Scope } from "./scope.ts";
import {
  arrayCode,
  callCode,
  callWithin,
  constCode,
  literal,
  objectCode,
  property,
} from "./source.ts";
import { readTable } from "./table-code.ts";

/** The keys that a read asks for. */
interface Wanted {
  readonly resolved: Resolved;
  readonly table: string;
  readonly key: string;
  readonly loops: readonly { readonly over: string; readonly as: string }[];
  readonly isOne: boolean;
  readonly expires: readonly string[];
}

function wantedKeys(scope: Scope, request: ReadRequest): Wanted {
  const { record } = request;
  const names = record.key.flatMap(({ text }) => namesIn(text));
  const isOfItem = [...request.bindings.values()].some(({ kind }) => kind === "item");
  const created = isOfItem ? createdCode(scope, request.of ?? record.entity.name) : undefined;
  const outer: readonly Loop[] =
    created?.isList === true ? [{ over: created.code, as: "made" }] : [];
  const item = created?.isList === true ? "made" : created?.code;
  const resolved = scope.resolve(record.entity, request.bindings, names, item, { areRead: true });
  const { codeFor, needs } = resolved;
  const loops = [...outer, ...resolved.loops];
  const table = readTable(scope, request, codeFor);
  // An index has told the key as it is.
  const source = [...needs, ...loops.flatMap(({ from }) => from ?? [])].find(
    (one) => one.record === record && one.shape !== "entity" && one.shape !== "entities",
  );
  const from =
    source &&
    (source.shape === "one" ? source.variable : loops.find((one) => one.from === source)?.as);
  const shards = from === undefined ? shardLoops(scope, request, codeFor) : undefined;
  const key =
    from !== undefined
      ? keyOf(scope, request, from)
      : shards === undefined || shards.loops.length === 0
        ? recordKeyCall(scope.names, record, codeFor, scope.useKey)
        : objectCode(
            record.key.map(({ attribute, text }) => property(attribute, shards.codeOf(text))),
          );
  const expires = expiry(request);
  return {
    resolved,
    table: table.code,
    key,
    loops: [...loops, ...(shards?.loops ?? []), ...table.loops],
    isOne: findsOne(scope, request),
    expires: expires === undefined ? [] : [`expires: ${expires}`],
  };
}

function listOf({ table, key, loops }: Wanted): string {
  return looped(loops, objectCode([property("table", table), `key: ${key}`]));
}

/** A read of items whose keys are known. */
export function getCode(scope: Scope, request: ReadRequest, number: number): ReadCode {
  const { record, operation, consistent } = request;
  const variable = variableFor(number);
  const wanted = wantedKeys(scope, request);
  const { resolved, isOne, expires } = wanted;
  const brought: Brought = { variable, shape: isOne ? "one" : "aligned", record, request };
  const statement = (): string => {
    if (isOne && operation === "GetItem") {
      const input = objectCode([
        `TableName: ${wanted.table}`,
        `Key: ${wanted.key}`,
        ...(consistent ? ["ConsistentRead: true"] : []),
      ]);
      const room = resolved.needs.length === 0 ? 76 - variable.length : 80;
      const options = optionsCode(expires);
      const call = callWithin(room, scope.use("getItem"), "access", input, ...options);
      return constCode(variable, guarded(resolved, `await ${call}`));
    }
    const helper = scope.use(operation === "GetItem" ? "getFew" : "getItems");
    const options = optionsCode([...(consistent ? ["consistent: true"] : []), ...expires]);
    const call = `await ${callCode(helper, "access", listOf(wanted), ...options)}`;
    const value = resolved.needs.length === 0 ? call : `(${guarded(resolved, call)}) ?? []`;
    return constCode(isOne ? `[${variable}]` : variable, value);
  };
  return {
    statements: [statement(), ...filtered(scope, request, brought)],
    brought: afterFilter(request, brought),
    isPage: false,
  };
}

function optionsCode(options: readonly string[]): readonly string[] {
  return options.length === 0 ? [] : [objectCode(options)];
}

/** Reads of one transaction, which are one request. The first of them has this number. */
export function togetherCode(
  scope: Scope,
  requests: readonly ReadRequest[],
  first: number,
): readonly ReadCode[] {
  const all = requests.map((request) => wantedKeys(scope, request));
  const variables = requests.map((_, i) => variableFor(first + i));
  const expires = new Set(all.map((one) => one.expires.join("")));
  const options = expires.size === 1 ? optionsCode(all[0]?.expires ?? []) : [];
  const isPlain = all.every(({ isOne }) => isOne);
  const lists = all.map(listOf);
  const keys = variables.map((variable) => `${variable}Keys`);
  const statements = isPlain
    ? [
        constCode(
          `[${variables.join(", ")}]`,
          `await ${callCode(
            scope.use("getTogether"),
            "access",
            arrayCode(
              all.map(({ table, key }) => objectCode([property("table", table), `key: ${key}`])),
            ),
            ...options,
          )}`,
        ),
      ]
    : [
        ...keys.map((name, i) => constCode(name, lists[i] ?? "[]")),
        constCode(
          "together",
          `await ${callCode(
            scope.use("getTogether"),
            "access",
            arrayCode(keys.map((name) => `...${name}`)),
            ...options,
          )}`,
        ),
        ...variables.map((variable, i) => {
          const start = keys.slice(0, i).map((name) => `${name}.length`);
          const end = [...start, `${keys[i]}.length`].join(" + ");
          return constCode(variable, `together.slice(${start.join(" + ") || "0"}, ${end})`);
        }),
      ];
  return requests.map((request, i) => {
    const brought: Brought = {
      variable: variables[i] ?? "",
      shape: isPlain ? "one" : "aligned",
      record: request.record,
      request,
    };
    return {
      statements: [...(i === 0 ? statements : []), ...filtered(scope, request, brought)],
      brought: afterFilter(request, brought),
      isPage: false,
    };
  });
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
  const codeOf = (text: KeyText): string =>
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
  const tests = filterTest(scope, request, shape === "one" ? variable : "item");
  if (tests.length === 0) return [];
  const test = tests.join(" && ");
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

/** Tests of the predicates of a request on an item that was read. */
export function filterTest(
  scope: Scope,
  { filter, record }: ReadRequest,
  item: string,
): readonly string[] {
  return scope.tests(filter, (predicate) => {
    const attribute = record.entity.attributes.get(predicate.attribute);
    if (attribute === undefined || storedName(record, predicate.attribute) === undefined)
      return "false";
    const operands = predicate.operands
      .filter(({ kind }) => kind === "parameter")
      .map((one) => scope.operand(one, attribute));
    const value = `${scope.told(record, item)}[${literal(attribute.name)}]`;
    return predicateCode(predicate, attribute, value, operands, scope.use);
  });
}
