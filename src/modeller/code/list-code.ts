import { attributesOf, type KeyText } from "../../model/key-text.ts";
import type { Predicate } from "../../model/requirements.ts";
import type { KeyCondition, ReadRequest } from "../plans/plan.ts";
import { isPushed } from "../requests/read.ts";
import { sortNames } from "../requests/run-plan.ts";
import { allOfCode, comparisonCodes, rangeCode } from "./condition-code.ts";
import { filterTest } from "./get-code.ts";
import {
  holderCode,
  keyCall,
  keyTextCode,
  namesIn,
  openShards,
  type ValueCode,
} from "./key-code.ts";
import { kindTests } from "./kind-code.ts";
import {
  expiry,
  findsOne,
  guarded,
  orderCode,
  ordersOf,
  type ReadCode,
  tableKeyNames,
  variableFor,
} from "./read-shared.ts";
import { type Loop, looped, type Scope } from "./scope.ts";
import { arrayCode, arrowCode, callCode, constCode, literal, objectCode } from "./source.ts";
import { readTable } from "./table-code.ts";

/** The segments of a condition whose values are known. */
function knownText({ text, kind, segments }: KeyCondition): KeyText {
  return kind === "equals" ? text : { ...text, segments: text.segments.slice(0, segments) };
}

/** A Query or a Scan, or several of them. */
export function listCode(scope: Scope, request: ReadRequest, number: number): ReadCode {
  const { record, index, operation, consistent, forward } = request;
  const variable = variableFor(number);
  const conditions = [...request.partition, ...request.sort];
  const wanted = new Set(
    conditions.flatMap((one) => attributesOf(knownText(one)).map(({ attribute }) => attribute)),
  );
  const resolved = scope.resolve(record.entity, request.bindings, [...wanted]);
  const { codeFor, loops } = resolved;
  const table = readTable(scope, request, codeFor);
  const partitions = partitionCodes(scope, request, codeFor);
  let filter = request.filter;
  const sorts = request.sort.map((condition) => {
    if (condition.kind === "equals") {
      const code = keyCall(
        scope.names,
        record,
        condition.attribute.name,
        condition.text,
        codeFor,
        scope.useKey,
      );
      return `${scope.use("equalTo")}(${literal(condition.attribute.name)}, ${code})`;
    }
    const { code, isLoose } = rangeCode(scope, condition, record, codeFor);
    if (isLoose && condition.predicate !== undefined) filter = [...filter, condition.predicate];
    return code;
  });
  const equals = partitions.codes.map(
    ({ name, code }) => `${scope.use("equalTo")}(${literal(name)}, ${code})`,
  );
  const keyCondition = allOfCode(scope, [...equals, ...sorts]);
  const pushed = filter.filter((predicate) => isPushed(request, predicate));
  const kept = filter.filter((predicate) => !pushed.includes(predicate));
  const filterCode = scope.inLoops(loops, () =>
    allOfCode(scope, comparisonCodes(scope, record, pushed)),
  );
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
    ...(request.fetches ? ['Select: "ALL_ATTRIBUTES"'] : []),
  ]);
  const around = [...loops, ...table.loops, ...partitions.loops];
  const inputs = looped(around, input);
  const isMany = around.length > 0;
  const { remainder } = request;
  // Rows of several parents are sorted once they are told apart.
  const order = remainder.links.length > 0 ? [] : ordersOf(request);
  const direction = forward ? "ascending" : "descending";
  const keyOrder = sortNames(request).map((one) => `[${literal(one)}, "${direction}"]`);
  const isSpread =
    request.table.periods !== undefined ||
    request.times.some(({ why }) => why !== "results" && why !== "batch");
  const merges = isMany && request.merges && isSpread && request.together.length === 0;
  const total = request.together.length === 0 ? remainder.limit : undefined;
  const tests = keepCode(scope, request, kept);
  const shared = [
    ...(operation === "Scan" ? ["scans: true"] : []),
    ...(tests === undefined ? [] : [`keep: ${arrowCode("item", tests)}`]),
    ...(merges && keyOrder.length > 0 ? [`order: ${orderCode(scope, keyOrder)}`] : []),
    ...(expiry(request) === undefined ? [] : [`expires: ${expiry(request)}`]),
  ];
  const parents = loops.filter(
    ({ from }) => from !== undefined && isOfParent(request, from.request),
  );
  const [parent] = parents;
  if (parent !== undefined) {
    const inner = looped(
      around.filter((one) => one !== parent),
      input,
    );
    const each = callCode(`${parent.over}.map`, arrowCode(parent.as, inner));
    const options = [
      ...(request.limit === undefined ? [] : [`limit: ${request.limit}`]),
      ...shared,
    ];
    const more = options.length === 0 ? [] : [objectCode(options)];
    const call = callCode(scope.use("listEach"), "access", each, ...more);
    return {
      statements: [constCode(variable, `await ${call}`)],
      brought: { variable, shape: "groups", record, request },
      isPage: false,
    };
  }
  const isBeside = request.part >= scope.plan.pattern.actions.length;
  const isOne = findsOne(scope, request) || (total === 1 && !isBeside);
  const { pattern } = scope.plan;
  // An answer with other entities, or that of a transaction, has no token.
  const isPage =
    !isOne &&
    total !== undefined &&
    request.limit !== undefined &&
    !request.sortsInClient &&
    number === 0 &&
    pattern.kind === "read" &&
    pattern.together.length === 0 &&
    !(pattern.transaction && pattern.actions.length > 1);
  if (isPage) {
    const keys = [...new Set([...tableKeyNames(request.table), ...indexNames(request)])];
    const options = objectCode([
      `limit: ${request.limit}`,
      `keyNames: ${arrayCode(keys.map(literal))}`,
      `scope: ${scope.use("scopeOf")}(${literal(scope.names.pattern(pattern).camel)}, ${scope.handedIn})`,
      ...shared,
    ]);
    return {
      statements: [
        constCode(
          variable,
          `await ${callCode(scope.use("pageItems"), "access", inputs, options, "page")}`,
        ),
      ],
      brought: { variable: `${variable}.items`, shape: "list", record, request },
      isPage: true,
    };
  }
  const limit = request.limit === undefined ? [] : [`limit: ${request.limit}`];
  const options = [...limit, ...shared];
  const call = `await ${callCode(scope.use("listItems"), "access", inputs, ...(options.length === 0 ? [] : [objectCode(options)]))}`;
  const value = resolved.needs.length === 0 ? call : `(${guarded(resolved, call)}) ?? []`;
  const sorted = order.length > 0 ? `[...(${value})].sort(${orderCode(scope, order)})` : value;
  const cut =
    total !== undefined &&
    !isOne &&
    remainder.links.length === 0 &&
    (order.length > 0 || isMany || request.limit !== total)
      ? `(${sorted}).slice(0, ${total})`
      : sorted;
  const brought = { variable, record, request };
  return isOne
    ? {
        statements: [constCode(`[${variable}]`, cut)],
        brought: { ...brought, shape: "one" },
        isPage: false,
      }
    : {
        statements: [constCode(variable, cut)],
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
function partitionCodes(scope: Scope, request: ReadRequest, codeFor: ValueCode) {
  const { record } = request;
  const loops: Loop[] = [];
  const codes = request.partition.map(({ attribute, text }) => {
    const { name } = attribute;
    const open = openShards(text, (one) => codeFor(one) !== undefined);
    if (open.length === 0) {
      return { name, code: keyCall(scope.names, record, name, text, codeFor, scope.useKey) };
    }
    const shards = text.segments.filter(({ kind }) => kind === "shard");
    if (open.length < shards.length) {
      const variables = new Map(
        open.map((segment, i) => [segment, `${i === 0 ? "shard" : `shard${i + 1}`}`] as const),
      );
      for (const [segment, as] of variables) {
        loops.push({ over: `${scope.use("allShards")}(${segment.count})`, as });
      }
      const code = keyTextCode(
        text,
        record.entity,
        codeFor,
        (segment) => variables.get(segment),
        scope.use,
      );
      return { name, code };
    }
    const as = loops.length === 0 ? "partition" : `partition${loops.length + 1}`;
    const own = namesIn({
      ...text,
      segments: text.segments.filter(({ kind }) => kind !== "shard"),
    });
    const holder = own.length === 0 ? "" : holderCode(own, codeFor);
    loops.push({
      over: `${scope.useKey(scope.names.of(record, name, "shards"))}(${holder})`,
      as,
    });
    return { name, code: as };
  });
  return { loops, codes };
}

/** Whether a request reads for each row of another part of the pattern. */
function isOfParent({ part }: ReadRequest, source: ReadRequest): boolean {
  return source.part !== part;
}

/** The test that an item of a range is wanted: its kind, and what the FilterExpression cannot ask. */
function keepCode(
  scope: Scope,
  request: ReadRequest,
  kept: readonly Predicate[],
): string | undefined {
  // A read of everything is divided by kind afterwards.
  const isKept = request.together.length === 0 || request.limit !== undefined;
  const kinds = isKept ? kindTests(scope, request) : undefined;
  const tests = filterTest(scope, { ...request, filter: kept }, "item");
  const own = tests.length === 0 ? [] : [ownTest(scope, request, tests)];
  const all = [...(kinds === undefined ? [] : [kinds.keep("item")]), ...own];
  return all.length === 0 ? undefined : all.join(" && ");
}

/** Tests of the items that a request is meant to find; what else is wanted from the same range need not pass them. */
function ownTest(scope: Scope, request: ReadRequest, tests: readonly string[]): string {
  const kinds = request.together.length === 0 ? undefined : kindTests(scope, request);
  if (kinds === undefined) return tests.join(" && ");
  const place = kinds.records.indexOf(request.record);
  return `(${scope.use("kindAt")}(item, ${kinds.list}) !== ${place} || (${tests.join(" && ")}))`;
}
