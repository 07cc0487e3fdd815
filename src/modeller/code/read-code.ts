import { attributesOf, type KeyText } from "../../model/key-text.ts";
import type { KeyCondition, ReadRequest } from "../plans/plan.ts";
import { storedName } from "../requests/stored-names.ts";
import { allOfCode, comparisonCodes, rangeCode } from "./condition-code.ts";
import {
  keyCall,
  keyTextCode,
  namesIn,
  openShards,
  recordKeyCall,
  type ValueCode,
} from "./key-code.ts";
import { kindTests } from "./kind-code.ts";
import { predicateCode } from "./predicate-code.ts";
import { type Brought, type Loop, looped, type Resolved, type Scope } from "./scope.ts";
import { arrayCode, callCode, literal, objectCode, property } from "./source.ts";
import { readTable } from "./table-code.ts";

/** Statements that carry out a read, and what they leave behind. */
export interface ReadCode {
  readonly statements: readonly string[];
  readonly brought: Brought;
  /** It is a page, with a token for the next. */
  readonly isPage: boolean;
}

/** Whether a read finds one item at most: it names all that identifies one. */
export function findsOne(scope: Scope, request: ReadRequest): boolean {
  const { record, bindings } = request;
  if (request.together.length > 0) return false;
  const isFixed = (name: string): boolean => {
    const binding = bindings.get(name);
    if (binding === undefined) return false;
    if (binding.kind === "constant") return true;
    if (binding.kind === "parameter") {
      return scope.inputs.parameters.get(binding.name)?.isList !== true;
    }
    return binding.kind === "result" && scope.brought[binding.request]?.shape === "one";
  };
  const { entity } = record;
  const byKey = record.key.every(({ text }) => namesIn(text).every(isFixed));
  if (request.operation !== "Query" && request.operation !== "Scan") {
    const isSpread =
      request.table.periods !== undefined ||
      record.key.some(({ text }) => openShards(text, isFixed).length > 0);
    return byKey && !isSpread;
  }
  const isUnique = [...entity.attributes.values()].some(
    ({ unique, name }) => unique && isFixed(name),
  );
  return (
    request.operation === "Query" &&
    request.table.periods === undefined &&
    (entity.id.every(isFixed) || isUnique)
  );
}

/** Carries out the read with this number. */
export function readCode(scope: Scope, request: ReadRequest, number: number): ReadCode {
  return request.operation === "Query" || request.operation === "Scan"
    ? listCode(scope, request, number)
    : keysCode(scope, request, number);
}

function variableFor(number: number): string {
  return number === 0 ? "found" : `found${number + 1}`;
}

/** The value of a statement that only makes sense if earlier reads brought something. */
function guarded({ needs }: Resolved, code: string): string {
  if (needs.length === 0) return code;
  const tests = needs.map(({ variable }) => `${variable} === undefined`).join(" || ");
  return `${tests} ? undefined : ${code}`;
}

function keysCode(scope: Scope, request: ReadRequest, number: number): ReadCode {
  const { record, operation, consistent } = request;
  const variable = variableFor(number);
  const names = record.key.flatMap(({ text }) => namesIn(text));
  const resolved = scope.resolve(record.entity, request.bindings, names);
  const { valueOf, loops, needs } = resolved;
  const table = readTable(scope, request, valueOf);
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
        ? recordKeyCall(scope.names, record, valueOf, scope.useKey)
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
        `const ${variable} = ${guarded(resolved, call)};`,
        ...filtered(scope, request, brought),
      ],
      brought: afterFilter(request, brought),
      isPage: false,
    };
  }
  const shards = shardLoops(scope, request, valueOf);
  const key =
    from !== undefined
      ? keyOf(scope, request, from)
      : shards.loops.length === 0
        ? recordKeyCall(scope.names, record, valueOf, scope.useKey)
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

export function tableKeyNames({ partition, sort }: ReadRequest["table"]): readonly string[] {
  return [partition.name, ...(sort === undefined ? [] : [sort.name])];
}

function shardLoops(scope: Scope, request: ReadRequest, valueOf: ValueCode) {
  const loops: Loop[] = [];
  const variables = new Map<object, string>();
  for (const { text } of request.record.key) {
    for (const segment of openShards(text, (name) => valueOf(name) !== undefined)) {
      const as = loops.length === 0 ? "shard" : `shard${loops.length + 1}`;
      loops.push({ over: `${scope.use("allShards")}(${segment.count})`, as });
      variables.set(segment, as);
    }
  }
  const codeOf = (_: string, text: KeyText): string =>
    keyTextCode(
      text,
      request.record.entity,
      valueOf,
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

/** The attribute of time to live of what a read finds. */
function expiry({ table, record }: ReadRequest): string | undefined {
  const { ttl } = table;
  if (ttl === undefined || !ttl.entities.includes(record.entity.name)) return undefined;
  return literal(storedName(record, ttl.attribute) ?? ttl.attribute);
}

/** The segments of a condition whose values are known. */
function knownText({ text, kind, segments }: KeyCondition): KeyText {
  return kind === "equals" ? text : { ...text, segments: text.segments.slice(0, segments) };
}

function listCode(scope: Scope, request: ReadRequest, number: number): ReadCode {
  const { record, index, operation, consistent, forward } = request;
  const variable = variableFor(number);
  const conditions = [...request.partition, ...request.sort];
  const wanted = new Set(
    conditions.flatMap((one) => attributesOf(knownText(one)).map(({ attribute }) => attribute)),
  );
  const resolved = scope.resolve(record.entity, request.bindings, [...wanted]);
  const { valueOf, loops } = resolved;
  const table = readTable(scope, request, valueOf);
  const partitions = partitionCodes(scope, request, valueOf);
  let filter = request.filter;
  const sorts = request.sort.map((condition) => {
    if (condition.kind === "equals") {
      const code = keyCall(
        scope.names,
        record,
        condition.attribute.name,
        condition.text,
        valueOf,
        scope.useKey,
      );
      return `${scope.use("equalTo")}(${literal(condition.attribute.name)}, ${code})`;
    }
    const { code, isLoose } = rangeCode(scope, condition, record, valueOf);
    if (isLoose && condition.predicate !== undefined) filter = [...filter, condition.predicate];
    return code;
  });
  const equals = partitions.codes.map(
    ({ name, code }) => `${scope.use("equalTo")}(${literal(name)}, ${code})`,
  );
  const keyCondition = allOfCode(scope, [...equals, ...sorts]);
  const filterCode = allOfCode(scope, comparisonCodes(scope, record, filter));
  const expressions = [
    ...(keyCondition === undefined ? [] : [`keyCondition: ${keyCondition}`]),
    ...(filterCode === undefined ? [] : [`filter: ${filterCode}`]),
  ];
  const input = objectCode([
    `TableName: ${table.code}`,
    ...(index === undefined ? [] : [`IndexName: ${literal(index.name)}`]),
    ...(expressions.length === 0
      ? []
      : [`...${callCode(scope.use("expressionsOf"), objectCode(expressions))}`]),
    ...(forward || operation === "Scan" ? [] : ["ScanIndexForward: false"]),
    ...(consistent ? ["ConsistentRead: true"] : []),
  ]);
  const inputs = looped([...loops, ...table.loops, ...partitions.loops], input);
  const isMany = inputs.startsWith("[") === false;
  const action = scope.plan.pattern.actions.find(({ entity }) => entity === record.entity.name);
  const order = ordersOf(scope, request);
  const isSpread = request.times.some(({ why }) => why !== "results" && why !== "batch");
  const merges = isMany && request.merges && isSpread && request.together.length === 0;
  const total =
    request.together.length === 0 && typeof action?.limit === "number" ? action.limit : undefined;
  const tests = kindTests(scope, request);
  const shared = [
    ...(operation === "Scan" ? ["scans: true"] : []),
    ...(tests === undefined ? [] : [`keep: (item) => ${tests.keep("item")}`]),
    ...(merges && order.length > 0 ? [`order: ${orderCode(scope, order)}`] : []),
    ...(expiry(request) === undefined ? [] : [`expires: ${expiry(request)}`]),
  ];
  const isOne = findsOne(scope, request) || total === 1;
  const isPage =
    !isOne &&
    total !== undefined &&
    request.limit !== undefined &&
    !request.sortsInClient &&
    number === 0 &&
    scope.plan.pattern.kind === "read";
  if (isPage) {
    const keys = [...new Set([...tableKeyNames(request.table), ...indexNames(request)])];
    const options = objectCode([
      `limit: ${request.limit}`,
      `keyNames: ${arrayCode(keys.map(literal))}`,
      `scope: ${scope.use("scopeOf")}(${literal(scope.names.pattern(scope.plan.pattern).camel)}, { ...input })`,
      ...shared,
    ]);
    return {
      statements: [
        `const ${variable} = await ${callCode(scope.use("pageItems"), "access", inputs, options, "page")};`,
      ],
      brought: { variable: `${variable}.items`, shape: "list", record, request },
      isPage: true,
    };
  }
  const limit = request.limit === undefined ? [] : [`limit: ${request.limit}`];
  const options = [...limit, ...shared];
  const call = `await ${callCode(scope.use("listItems"), "access", inputs, ...(options.length === 0 ? [] : [objectCode(options)]))}`;
  const value = resolved.needs.length === 0 ? call : `(${guarded(resolved, call)}) ?? []`;
  const sorted =
    request.sortsInClient && order.length > 0
      ? `[...(${value})].sort(${orderCode(scope, order)})`
      : value;
  const cut =
    total !== undefined && !isOne && (request.sortsInClient || isMany || request.limit !== total)
      ? `(${sorted}).slice(0, ${total})`
      : sorted;
  const brought = { variable, record, request };
  return isOne
    ? {
        statements: [`const [${variable}] = ${cut};`],
        brought: { ...brought, shape: "one" },
        isPage: false,
      }
    : {
        statements: [`const ${variable} = ${cut};`],
        brought: { ...brought, shape: "list" },
        isPage: false,
      };
}

function indexNames({ index, partition, sort, record }: ReadRequest): readonly string[] {
  if (index === undefined) return [];
  const membership = record.memberships.find((one) => one.index === index);
  const made = membership === undefined ? [] : [...membership.partition, ...membership.sort];
  return [...partition, ...sort, ...made].map(({ attribute }) => attribute.name);
}

/** The partition key's attributes, in loops over the shards that are not known. */
function partitionCodes(scope: Scope, request: ReadRequest, valueOf: ValueCode) {
  const { record } = request;
  const loops: Loop[] = [];
  const codes = request.partition.map(({ attribute, text }) => {
    const { name } = attribute;
    const open = openShards(text, (one) => valueOf(one) !== undefined);
    if (open.length === 0) {
      return { name, code: keyCall(scope.names, record, name, text, valueOf, scope.useKey) };
    }
    const as = loops.length === 0 ? "partition" : `partition${loops.length + 1}`;
    const own = namesIn({
      ...text,
      segments: text.segments.filter(({ kind }) => kind !== "shard"),
    });
    const holder = recordHolder(own, valueOf);
    loops.push({
      over: `${scope.useKey(scope.names.of(record, name, "shards"))}(${holder})`,
      as,
    });
    return { name, code: as };
  });
  return { loops, codes };
}

function recordHolder(names: readonly string[], valueOf: ValueCode): string {
  const isInput = names.every((name) => valueOf(name) === `input.${name}`);
  if (names.length === 0) return "";
  return isInput
    ? "input"
    : objectCode(names.map((name) => property(name, valueOf(name) ?? "undefined")));
}

/** The order that a pattern asks for, by the names in the table. */
function ordersOf(scope: Scope, { record }: ReadRequest): readonly string[] {
  const action = scope.plan.pattern.actions.find(({ entity }) => entity === record.entity.name);
  return (action?.order ?? []).map(({ attribute, direction }) => {
    const stored = storedName(record, attribute) ?? attribute;
    return `[${literal(stored)}, "${direction}"]`;
  });
}

function orderCode(scope: Scope, orders: readonly string[]): string {
  return `${scope.use("byAttributes")}(${orders.join(", ")})`;
}
