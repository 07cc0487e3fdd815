import { remadeKeys } from "../plans/index-keys.ts";
import {
  needsItem,
  type ReadRequest,
  touchedBy,
  type WriteAction,
  type WriteRequest,
} from "../plans/plan.ts";
import { storedName } from "../requests/stored-names.ts";
import type { Body } from "./answer-code.ts";
import { allOfCode, comparisonCodes } from "./condition-code.ts";
import { createdCode, wholeEntities } from "./created-code.ts";
import { heldMembers, innerConditionCode, innerUpdateCode } from "./inner-code.ts";
import { canBeMissing, itemNeedsWriting } from "./items-file.ts";
import { namesIn, recordKeyCall, type ValueCode } from "./key-code.ts";
import { type KnownValue, knownValues } from "./known-code.ts";
import { mayBeMissing, movedCode, requireThere } from "./moved-code.ts";
import { readCodes } from "./read-code.ts";
import { tableKeyNames } from "./read-shared.ts";
import { type Brought, type Loop, looped, type Scope } from "./scope.ts";
import {
  arrayCode,
  arrowCode,
  callCode,
  hasVariable,
  literal,
  memberOf,
  objectCode,
  property,
} from "./source.ts";
import { tableCode } from "./table-code.ts";
import { attributeType } from "./types.ts";
import { sumCodes, updateCode } from "./update-code.ts";

/** All requests of a pattern that writes. */
export function writeBody(scope: Scope): Body {
  const { requests } = scope.plan;
  const reads = requests.filter((one) => one.kind === "read");
  const found = readCodes(scope, reads).flatMap((one) => one.statements);
  const made = requests.some(({ kind }) => kind === "write") ? wholeEntities(scope) : [];
  // What is created may be read first, by its id.
  const statements = reads.some(isOfItem) ? [...made, ...found] : [...found];
  for (const request of requests) {
    if (request.kind === "read") continue;
    const code = requestCode(scope, request);
    statements.push(...scope.befores(), ...(reads.some(isOfItem) ? [] : made), ...code);
  }
  return { statements: withoutUnused(scope, statements), type: "void", isPaged: false };
}

/** Whether something is read or written by the attributes of an entity that is created. */
function isOfItem({ bindings }: Pick<ReadRequest, "bindings">): boolean {
  return [...bindings.values()].some(({ kind }) => kind === "item");
}

/** What a read brings and nothing uses needs no variable. */
function withoutUnused(scope: Scope, all: readonly string[]): readonly string[] {
  const statements = all.filter((statement, at) => {
    const [, name] = /^const (before\d*) =/.exec(statement) ?? [];
    return name === undefined || all.some((one, i) => i !== at && hasVariable(one, name));
  });
  return scope.brought.reduce<readonly string[]>((left, brought) => {
    const name = brought?.variable ?? "";
    const isNamed = (one: string): boolean => hasVariable(one, name);
    const [only, second] = left.filter(isNamed);
    if (only === undefined || second !== undefined) return left;
    const start = new RegExp(`^const \\[?${name}\\]? =\\s+`);
    return left.map((one) => (one === only ? one.replace(start, "void ") : one));
  }, statements);
}

/** One thing that is written: loops around it, and whether it may be nothing. */
interface WriteCode {
  readonly loops: readonly Loop[];
  /** The code of a write, or of a list of them if it is spread. */
  readonly code: string;
  readonly isSpread: boolean;
}

function requestCode(scope: Scope, request: WriteRequest): readonly string[] {
  const isBatch = request.operation === "BatchWriteItem";
  const before: string[] = [];
  const writes = request.actions.flatMap((action) => actionCode(scope, action, isBatch, before));
  const [only] = writes;
  if (only === undefined) return before;
  if (isBatch) {
    const tables = [...new Set(request.actions.map(({ record }) => record.table))];
    const names = tables.map((table) => arrayCode(tableKeyNames(table).map(literal)));
    const same = new Set(names).size === 1;
    const keyNames = same
      ? `() => ${names[0]}`
      : `(table) => ${tables
          .slice(1)
          .reduce(
            (inner, table, i) =>
              `table === ${memberOf("access.tables", scope.names.table(table.name))} ? ${names[i + 1]} : ${inner}`,
            names[0] ?? "[]",
          )}`;
    return [
      ...before,
      `await ${callCode(scope.use("writeMany"), "access", listOf(writes), keyNames)};`,
    ];
  }
  if (request.operation === "TransactWriteItems") {
    return [...before, `await ${callCode(scope.use("writeTogether"), "access", listOf(writes))};`];
  }
  if (writes.length === 1 && only.loops.length === 0 && !only.isSpread) {
    return [...before, `await ${callCode(scope.use("writeOne"), "access", only.code)};`];
  }
  return [...before, `await ${callCode(scope.use("writeEach"), "access", listOf(writes))};`];
}

/** Writes as one list. */
function listOf(writes: readonly WriteCode[]): string {
  const [only] = writes;
  if (writes.length === 1 && only !== undefined && only.loops.length > 0) return inLoops(only);
  return arrayCode(
    writes.map((one) => {
      if (one.loops.length > 0) return `...${inLoops(one)}`;
      return one.isSpread ? `...${one.code}` : one.code;
    }),
  );
}

function inLoops({ loops, code, isSpread }: WriteCode): string {
  if (!isSpread) return looped(loops, code);
  const [first, ...rest] = loops;
  if (first === undefined) return code;
  const inner = rest.length === 0 ? code : inLoops({ loops: rest, code, isSpread });
  return callCode(`${first.over}.flatMap`, arrowCode(first.as, inner));
}

function actionCode(
  scope: Scope,
  action: WriteAction,
  isBatch: boolean,
  before: string[],
): readonly WriteCode[] {
  const created = isOfItem(action) ? createdCode(scope, action.of) : undefined;
  const loops = created?.isList === true ? [{ over: created.code, as: "one" }] : [];
  const item = created === undefined ? undefined : created.isList ? "one" : created.code;
  if (action.kind === "put") {
    const put = item === undefined ? movedCode(scope, action, before) : { item, loops };
    return [{ ...putCode(scope, action, put.item, isBatch, put.loops), loops: put.loops }];
  }
  if (action.kind === "update" && touchedBy(action.changes).size === 0) return [];
  return [changeCode(scope, action, item, loops, isBatch, before)];
}

function putCode(
  scope: Scope,
  action: WriteAction,
  item: string,
  isBatch: boolean,
  loops: readonly Loop[],
): Pick<WriteCode, "code" | "isSpread"> {
  const { record } = action;
  const codeFor: ValueCode = (name) => memberOf(item, name);
  const table = tableCode(scope, record, codeFor);
  const alone = `${scope.useItem(scope.names.make(record))}(${[item, ...(itemNeedsWriting(record) ? ["access"] : [])].join(", ")})`;
  const held = heldMembers(scope, action, item, (entity) => createdCode(scope, entity));
  const stored = held.length === 0 ? alone : objectCode([`...${alone}`, ...held]);
  const isSpread = canBeMissing(record);
  const what = isSpread ? "stored" : stored;
  const condition = conditionCode(scope, action, loops);
  const code = isBatch
    ? objectCode([property("table", table), `put: ${what}`])
    : writeOf(
        scope,
        action,
        callCode(
          scope.use("putMember"),
          table,
          what,
          ...(condition === undefined ? [] : [condition]),
        ),
      );
  if (!isSpread) return { code, isSpread };
  const make = arrowCode("stored", code);
  const there = callCode(scope.use("ifThere"), stored, make);
  if (action.replaces === undefined) return { code: there, isSpread };
  // The part of an older item goes if the new one has none.
  const key = recordKeyCall(scope.names, record, codeFor, scope.useKey);
  const gone = isBatch
    ? objectCode([property("table", table), `delete: ${key}`])
    : writeOf(scope, action, callCode(scope.use("deleteMember"), table, key));
  return { code: `(${stored} === undefined ? [${gone}] : ${there})`, isSpread };
}

function writeOf(scope: Scope, action: WriteAction, member: string): string {
  const { record } = action;
  const { condition, also, entity } = action.inner ?? { ...action, entity: record.entity };
  const refusal =
    condition?.kind === "absent"
      ? record.role === "unique"
        ? "unique"
        : "exists"
      : condition?.kind === "version" || record.role === "unique"
        ? "version"
        : condition?.kind === "exists" && also.length === 0
          ? "missing"
          : "condition";
  const of = record.role === "unique" ? record.name : entity.name;
  const make = isStatedTwice(scope, action) ? "statedWrite" : "writeOf";
  return callCode(scope.use(make), member, `"${refusal}"`, literal(of));
}

/** Whether a pattern states this put beside deletes of such items, or this delete beside puts. */
function isStatedTwice({ plan }: Scope, { record, kind, because }: WriteAction): boolean {
  if (because !== undefined || (kind !== "put" && kind !== "delete")) return false;
  const other = kind === "put" ? "delete" : "put";
  return plan.requests.some(
    (one) =>
      one.kind === "write" && one.actions.some((a) => a.record === record && a.kind === other),
  );
}

/** The deletion of a unique item where one is put, too: whose it is decides what becomes of both if they are one item. */
function releaseCode(
  { plan, use }: Scope,
  { record, kind }: WriteAction,
  memberCode: () => string,
  known: (name: string) => KnownValue | undefined,
): string | undefined {
  const isPut = plan.requests.some(
    (one) =>
      one.kind === "write" && one.actions.some((a) => a.record === record && a.kind === "put"),
  );
  if (record.role !== "unique" || kind !== "delete" || !isPut) return undefined;
  const inKey = new Set(record.key.flatMap(({ text }) => namesIn(text)));
  const owner = record.entity.id
    .filter((name) => !inKey.has(name))
    .map((name) => property(storedName(record, name) ?? name, known(name)?.code ?? "undefined"));
  return callCode(use("releaseOf"), memberCode(), literal(record.name), objectCode(owner));
}

/** What must hold for a write: the pattern's condition, and what it asks beyond the key. */
function conditionCode(
  scope: Scope,
  action: WriteAction,
  loops: readonly Loop[] = [],
  codeFor: ValueCode = () => undefined,
): string | undefined {
  const { record, condition, also, equal = [], asRead } = action;
  const partition = literal(record.table.partition.name);
  const parts: string[] = [];
  if (condition?.kind === "absent") parts.push(`${scope.use("createOnly")}(${partition})`);
  if (condition?.kind === "exists") parts.push(`${scope.use("mustExist")}(${partition})`);
  if (condition?.kind === "version") {
    const stored = storedName(record, condition.attribute) ?? condition.attribute;
    const isList = scope.inputs.parameters.get(condition.attribute)?.isList === true;
    const value = `${memberOf("input", condition.attribute)}${isList ? "[0]" : ""}`;
    parts.push(`${scope.use("equalTo")}(${literal(stored)}, ${value})`);
  }
  const where = condition?.kind === "where" ? condition.predicates : [];
  const own = scope.inLoops(loops, () => comparisonCodes(scope, record, also));
  parts.push(...own, ...comparisonCodes(scope, record, where));
  for (const name of equal) {
    const stored = literal(storedName(record, name) ?? name);
    parts.push(callCode(scope.use("equalTo"), stored, codeFor(name) ?? "undefined"));
  }
  const brought = asRead && scope.brought[asRead.request];
  if (asRead !== undefined && brought !== undefined) {
    const names = asRead.attributes.map((name) => literal(storedName(record, name) ?? name));
    const item = itemRead(brought, loops);
    parts.push(callCode(scope.use("asRead"), partition, item, arrayCode(names)));
  }
  return allOfCode(scope, parts);
}

/** The item that was read before the one that is written, in the loops over several. */
function itemRead({ shape, variable }: Brought, loops: readonly Loop[]): string {
  if (shape === "one" || shape === "entity") return variable;
  const own = loops.find(({ from }) => from?.variable === variable);
  if (own !== undefined) return own.as;
  const [loop] = loops;
  return loop === undefined ? `${variable}[0]` : `${variable}[${loop.over}.indexOf(${loop.as})]`;
}

/** An update, a deletion or a check of what has a known key. */
function changeCode(
  scope: Scope,
  action: WriteAction,
  item: string | undefined,
  outer: readonly Loop[],
  isBatch: boolean,
  before: string[],
): WriteCode {
  const { record, bindings, kind } = action;
  const inKey = record.key.flatMap(({ text }) => namesIn(text));
  const keyNames = [...new Set([...inKey, ...(action.equal ?? [])])];
  // A companion is written for each own item that was found, even if its key is known without.
  const [anchor] = [...bindings].find(([, one]) => one.kind === "result") ?? [];
  const anchors = record.role === "item" || anchor === undefined ? [] : [anchor];
  // Whose a unique item is decides what becomes of it.
  const owner = record.role === "unique" && kind === "delete" ? record.entity.id : [];
  const names = [...new Set([...keyNames, ...anchors, ...owner])];
  const once = kind === "check" ? { checked: action.also } : undefined;
  const resolved = scope.resolve(record.entity, bindings, names, item, once);
  const replaced = resolved.needs.filter((one) => mayBeMissing(scope, one));
  const { asRead } = action;
  const own =
    needsItem(action) && asRead !== undefined ? (scope.brought[asRead.request] ?? []) : [];
  for (const one of [...resolved.needs, own].flat()) {
    if (replaced.some(({ variable }) => variable === one.variable)) continue;
    requireThere(scope, one, record.entity, before);
  }
  const known = knownValues(scope, action, resolved.codeFor, resolved.loops, item);
  const optional = keyNames.filter((name) => {
    const isOwn = record.role === "item" && action.counts !== true;
    return (
      !isOwn && (record.entity.attributes.get(name)?.isOptional || hasGap(scope, action, name))
    );
  });
  // A test of what a function returns says nothing about the next call.
  const keyCode: ValueCode = (name) => {
    const code = resolved.codeFor(name);
    const attribute = record.entity.attributes.get(name);
    if (!optional.includes(name) || attribute === undefined || !code?.includes("(")) return code;
    return `${code} as ${scope.useTypes(attributeType(attribute))}`;
  };
  const key = recordKeyCall(scope.names, record, keyCode, scope.useKey, optional.length === 0);
  const table = tableCode(scope, record, (name) => resolved.codeFor(name) ?? known(name)?.code);
  const { inner } = action;
  const condition =
    inner === undefined
      ? conditionCode(scope, action, [...resolved.loops, ...outer], resolved.codeFor)
      : innerConditionCode(scope, action, inner, item);
  const more = condition === undefined ? [] : [condition];
  const loops = [...outer, ...resolved.loops];
  const memberCode = (): string =>
    kind === "update"
      ? callCode(
          scope.use("updateMember"),
          table,
          key,
          inner === undefined
            ? updateCode(scope, action, known, item, loops)
            : innerUpdateCode(scope, action, inner, item),
          ...more,
        )
      : kind === "check"
        ? callCode(scope.use("checkMember"), table, key, ...more)
        : callCode(scope.use("deleteMember"), table, key, ...more);
  const code = isBatch
    ? objectCode([property("table", table), `delete: ${key}`])
    : isCount(action)
      ? countCode(scope, action, table, key, { item, loops, condition })
      : (releaseCode(scope, action, memberCode, known) ?? writeOf(scope, action, memberCode()));
  if (optional.length + replaced.length === 0) return { loops, code, isSpread: false };
  const test = [
    ...replaced.map(({ variable }) => `${variable} === undefined`),
    ...optional.map((name) => `${resolved.codeFor(name)} === undefined`),
  ].join(" || ");
  return { loops, code: `(${test} ? [] : [${code}])`, isSpread: true };
}

/** Whether the entity that a key's value is taken from may have none. */
function hasGap(scope: Scope, { bindings, of }: WriteAction, name: string): boolean {
  const binding = bindings.get(name);
  if (binding?.kind !== "item" && binding?.kind !== "result") return false;
  const source =
    binding.kind === "item"
      ? scope.facts.model.entities.get(of)
      : scope.brought[binding.request]?.record.entity;
  return source?.attributes.get(binding.attribute)?.isOptional === true;
}

/** Whether a write only adds to aggregates of an item: several of one item are joined when they are sent. */
function isCount({ kind, counts, record, changes }: WriteAction): boolean {
  return (
    kind === "update" &&
    counts === true &&
    record.role === "item" &&
    changes.sets.length === 0 &&
    remadeKeys(record, changes).length === 0
  );
}

function countCode(
  scope: Scope,
  action: WriteAction,
  table: string,
  key: string,
  {
    item,
    loops,
    condition,
  }: {
    readonly item: string | undefined;
    readonly loops: readonly Loop[];
    readonly condition: string | undefined;
  },
): string {
  const { record } = action;
  const numbers = [...sumCodes(scope, action, item, loops)].map(([attribute, sum]) =>
    property(storedName(record, attribute) ?? attribute, sum),
  );
  const more = condition === undefined ? [] : [condition];
  const of = literal(record.entity.name);
  return callCode(scope.use("countIn"), of, table, key, objectCode(numbers), ...more);
}
