import type { Constant } from "../../model/document-parts.ts";
import type { KeyText } from "../../model/key-text.ts";
import type { Attribute, Predicate } from "../../model/requirements.ts";
import { remadeKeys } from "../plans/index-keys.ts";
import type { Binding, WriteAction } from "../plans/plan.ts";
import { storedName } from "../requests/stored-names.ts";
import { linksIn, partMarks } from "../requests/update.ts";
import { compares, constantValue } from "../values/holds.ts";
import { keyCall, namesIn } from "./key-code.ts";
import { broughtValue, type KnownValue } from "./known-code.ts";
import { predicateCode } from "./predicate-code.ts";
import type { Loop, Scope } from "./scope.ts";
import { arrayCode, callCode, choiceCode, indented, literal, memberOf } from "./source.ts";

type Known = (name: string) => KnownValue | undefined;

/** What an update does: its changes, and the keys of indexes that follow from them. */
export function updateCode(
  scope: Scope,
  action: WriteAction,
  known: Known,
  item: string | undefined,
  loops: readonly Loop[],
): string {
  const { record, changes } = action;
  const nameOf = (attribute: string): string => literal(storedName(record, attribute) ?? attribute);
  const calls: string[] = [];
  for (const { attribute, to } of changes.sets) {
    calls.push(`.set(${nameOf(attribute)}, ${valueCode(scope, action, attribute, to, item)})`);
  }
  for (const [attribute, sum] of sumCodes(scope, action, item, loops)) {
    calls.push(`.add(${nameOf(attribute)}, ${sum})`);
  }
  for (const attribute of changes.appends) {
    const described = record.entity.attributes.get(attribute);
    const name = described === undefined ? literal(attribute) : nameOf(attribute);
    if (scope.inputs.parameters.has(attribute)) {
      const method = described?.type === "L" ? "append" : "add";
      calls.push(`.${method}(${name}, ${memberOf("input", attribute)})`);
    } else {
      const inner = scope.facts.model.entities.get(action.of);
      const links = linksIn(action);
      const told = [...(inner?.attributes.keys() ?? [])].filter((one) => !links.has(one));
      const names = told.map(literal).join(", ");
      calls.push(`.append(${name}, [${scope.use("taken")}({ ...${item} }, [${names}])])`);
    }
  }
  for (const attribute of changes.removes) calls.push(`.remove(${nameOf(attribute)})`);
  for (const mark of partMarks(action)) {
    const value = "text" in mark ? literal(mark.text) : known(mark.id)?.code;
    if (value !== undefined) calls.push(`.set(${literal(mark.name)}, ${value})`);
  }
  calls.push(
    ...indexCalls(scope, action, afterOf(scope, action, known, item, loops), loops.length > 0),
  );
  const start = `new ${scope.use("UpdateBuilder")}()`;
  const line = start + calls.join("");
  return line.length <= 80 && !line.includes("\n")
    ? line
    : `${start}\n${calls.map(indented).join("\n")}`;
}

function valueCode(
  scope: Scope,
  { record }: WriteAction,
  attribute: string,
  binding: Binding,
  item: string | undefined,
): string {
  const { codeFor, loops } = scope.resolve(
    record.entity,
    new Map([[attribute, binding]]),
    [attribute],
    item,
  );
  const [loop] = loops;
  if (loop !== undefined) return `${loop.over}[0]`;
  return codeFor(attribute) ?? "undefined";
}

/** What is added to each attribute: what is taken off it and what is added are one step. */
export function sumCodes(
  scope: Scope,
  action: WriteAction,
  item: string | undefined,
  loops: readonly Loop[],
): ReadonlyMap<string, string> {
  const { adds } = action.changes;
  return new Map(
    adds.map(({ attribute }) => {
      const own = adds.filter((one) => one.attribute === attribute);
      const amounts = own.filter(({ by }) => by === undefined).map(({ amount }) => amount);
      const amount = amounts.reduce((sum, one) => sum + one, 0);
      const valuesOf = (sign: 1 | -1): readonly string[] =>
        own.flatMap(({ amount: one, by }) =>
          by === undefined || Math.sign(one) !== sign
            ? []
            : [addedCode(scope, action, attribute, by, item, loops)],
        );
      const [added, taken] = [valuesOf(1), valuesOf(-1)];
      if (added.length + taken.length === 0) return [attribute, String(amount)];
      const all = amount === 0 ? added : [String(amount), ...added];
      const lists = taken.length === 0 ? [all] : [all, taken];
      return [attribute, callCode(scope.use("totalOf"), ...lists.map(arrayCode))];
    }),
  );
}

/** A value that is added. */
function addedCode(
  scope: Scope,
  action: WriteAction,
  attribute: string,
  by: Binding,
  item: string | undefined,
  loops: readonly Loop[],
): string {
  if (by.kind === "item" && item !== undefined) return memberOf(item, by.attribute);
  const counted = scope.facts.model.entities.get(action.of)?.attributes;
  const described = by.kind === "result" ? counted?.get(by.attribute) : undefined;
  const read =
    by.kind === "result" && described !== undefined
      ? broughtValue(scope, by.request, by.attribute, described, loops)
      : undefined;
  return read?.safe ?? valueCode(scope, action, attribute, by, item);
}

/** A list with what is appended to it, or a set with what is added. */
export function joinedCode(
  { record }: WriteAction,
  name: string,
  before: string | undefined,
): string {
  const more = memberOf("input", name);
  if (before === undefined) return more;
  const all = `[...(${before} ?? []), ...${more}]`;
  return record.entity.attributes.get(name)?.type === "L" ? all : `new Set(${all})`;
}

/** A value after the change: code, or a constant, or nothing. */
type After =
  | {
      readonly kind: "code";
      readonly code: string;
      readonly safe: string;
      readonly isOptional: boolean;
    }
  | { readonly kind: "constant"; readonly value: Constant; readonly code: string }
  | { readonly kind: "missing" };

function afterOf(
  scope: Scope,
  action: WriteAction,
  known: Known,
  item: string | undefined,
  loops: readonly Loop[],
): (name: string) => After {
  const { changes } = action;
  const sums = sumCodes(scope, action, item, loops);
  return (name) => {
    if (changes.removes.includes(name)) return { kind: "missing" };
    const set = changes.sets.findLast(({ attribute }) => attribute === name);
    if (set !== undefined) {
      const code = valueCode(scope, action, name, set.to, item);
      return set.to.kind === "constant"
        ? { kind: "constant", value: set.to.value, code }
        : { kind: "code", code, safe: code, isOptional: false };
    }
    const before = known(name);
    if (changes.appends.includes(name)) {
      const code = joinedCode(action, name, before?.safe);
      return { kind: "code", code, safe: code, isOptional: false };
    }
    const step = sums.get(name);
    if (step !== undefined) {
      const code = before === undefined ? step : `Number(${before.safe} ?? 0) + Number(${step})`;
      return { kind: "code", code, safe: code, isOptional: false };
    }
    if (before === undefined) return { kind: "missing" };
    return { kind: "code", ...before };
  };
}

/** Key attributes of indexes that change with the item: their new values, or nothing if they go. */
function indexCalls(
  scope: Scope,
  { record, changes }: WriteAction,
  after: (name: string) => After,
  isLooped: boolean,
): readonly string[] {
  return remadeKeys(record, changes).flatMap(({ membership, made, texts, isDecided }) => {
    const { index, only } = membership;
    const removed = (): readonly string[] =>
      isDecided ? made.map(({ name }) => `.remove(${literal(name)})`) : [];
    const tests = only.map((predicate) =>
      testCode(scope, record.entity.attributes, predicate, after),
    );
    if (tests.includes(false)) return removed();
    const values = new Map(texts.flatMap(namesIn).map((name) => [name, after(name)]));
    const own = (text: KeyText): readonly After[] =>
      namesIn(text).map((name) => values.get(name) ?? after(name));
    // Of a key that exists before and after, only the changed attributes are checked.
    const decides = isDecided ? [...values.values()] : made.flatMap(({ text }) => own(text));
    if (decides.some(({ kind }) => kind === "missing")) return removed();
    const asked = [...new Set(tests.filter((one) => typeof one === "string"))];
    // Narrowing does not go through a variable, so what tests for presence stays where it is.
    const isPlain = asked.every((one) => !one.endsWith("undefined"));
    const open =
      asked.length > 0 && made.length > 1 && !isLooped && isPlain
        ? [scope.hoist(`is in ${index.name}`, asked.join(" && "))]
        : asked;
    const missing = [...values.values()].flatMap((one) =>
      one.kind === "code" && one.isOptional ? [`${one.safe} !== undefined`] : [],
    );
    return made.map(({ name, text }) => {
      const call = keyCall(
        scope.names,
        record,
        name,
        text,
        (one) => {
          const value = after(one);
          return value.kind === "missing" ? undefined : value.code;
        },
        scope.useKey,
      );
      if (open.length === 0 && missing.length === 0) return `.set(${literal(name)}, ${call})`;
      const isIn = [...open, ...missing];
      return callCode(
        ".assign",
        literal(name),
        choiceCode([...new Set(isIn)].join(" && "), call, "undefined"),
      );
    });
  });
}

/** Whether an item is in an index after the change: known now, or a test. */
function testCode(
  scope: Scope,
  attributes: ReadonlyMap<string, Attribute>,
  predicate: Predicate,
  after: (name: string) => After,
): string | boolean {
  const attribute = attributes.get(predicate.attribute);
  if (attribute === undefined) return false;
  const value = after(predicate.attribute);
  const operands = predicate.operands.flatMap((one) => {
    const constant = one.kind === "constant" ? constantValue(attribute, one.value) : undefined;
    return constant === undefined ? [] : [constant];
  });
  if (operands.length !== predicate.operands.length) return false;
  if (value.kind === "missing") return compares(predicate, undefined, operands);
  if (value.kind === "constant") {
    return compares(predicate, constantValue(attribute, value.value), operands);
  }
  if (predicate.operator === "exists" && !value.isOptional) return predicate.exists;
  return predicateCode(predicate, attribute, value.safe, [], scope.use);
}
