import type { Attribute, Entity, Predicate, Together } from "../../model/requirements.ts";
import type { Binding, Held, InnerWrite, WriteAction } from "../plans/plan.ts";
import type { StoredRecord } from "../records/record.ts";
import { linksIn } from "../requests/update.ts";
import type { Embedded } from "../values/embedded.ts";
import { allOfCode, comparisonCode } from "./condition-code.ts";
import { predicateCode } from "./predicate-code.ts";
import type { Scope } from "./scope.ts";
import { arrayCode, callCode, indented, literal, memberOf, property } from "./source.ts";

/** The attribute of an item that another entity lies in. */
export function embeddedIn(
  { attributes }: StoredRecord,
  inner: string,
): { readonly as: string; readonly content: Embedded } | undefined {
  for (const { name, content } of attributes) {
    if (content.kind === "embedded" && content.entity.name === inner) return { as: name, content };
  }
  return undefined;
}

/** What lies inside of an item, as a list of maps. */
export function mapsCode(scope: Scope, item: string, as: string, content: Embedded): string {
  const shape = content.one ? ['"one"'] : content.by === undefined ? [] : ['"map"'];
  return `${scope.use("mapsIn")}(${[item, literal(as), ...shape].join(", ")})`;
}

/** Of what lies inside of an item that which is asked for, in its order. */
export function wantedCode(
  scope: Scope,
  list: string,
  { entity, links }: Embedded,
  { where, order, limit }: Pick<Together, "where" | "order" | "limit">,
): string {
  const told = links.map(({ own }) => own);
  const asked = where.filter(
    ({ attribute, operator }) => operator !== "equals" || !told.includes(attribute),
  );
  const tests = asked.flatMap((predicate) => testCode(scope, entity, predicate) ?? []);
  const sorts = order.map(({ attribute, direction }) => `[${literal(attribute)}, "${direction}"]`);
  return [
    list,
    ...(tests.length === 0 ? [] : [`.filter((one) => ${tests.join(" && ")})`]),
    ...(sorts.length === 0 ? [] : [`.sort(${scope.use("byAttributes")}(${sorts.join(", ")}))`]),
    ...(typeof limit === "number" ? [`.slice(0, ${limit})`] : []),
  ].join("");
}

function testCode(scope: Scope, entity: Entity, predicate: Predicate): string | undefined {
  const attribute = entity.attributes.get(predicate.attribute);
  if (attribute === undefined) return undefined;
  const operands = predicate.operands.flatMap((one) =>
    one.kind === "parameter" ? [scope.operand(one, attribute)] : [],
  );
  return predicateCode(predicate, attribute, memberOf("one", attribute.name), operands, scope.use);
}

/** Members of an item that is put: what lies inside of it. */
export function heldMembers(
  scope: Scope,
  { record, holding = [] }: WriteAction,
  item: string,
  created: (entity: string) => { readonly code: string; readonly isList: boolean } | undefined,
): readonly string[] {
  return holding.flatMap((held): readonly string[] => {
    const place = embeddedIn(record, held.entity.name);
    const made = created(held.entity.name);
    if (place === undefined || made === undefined) return [];
    return [heldMember(scope, item, held, place, made)];
  });
}

function heldMember(
  scope: Scope,
  item: string,
  { entity, links }: Held,
  { as, content }: NonNullable<ReturnType<typeof embeddedIn>>,
  { code, isList }: { readonly code: string; readonly isList: boolean },
): string {
  const own = new Set(links.map((link) => link.own));
  const told = [...entity.attributes.keys()].filter((name) => !own.has(name));
  const map = (one: string): string =>
    `${scope.use("taken")}({ ...${one} }, ${arrayCode(told.map(literal))})`;
  const isOwn = links
    .map((link) => `${memberOf("inner", link.own)} === ${memberOf(item, link.host)}`)
    .join(" && ");
  const list = `${isList ? code : `[${code}]`}.filter((inner) => ${isOwn})`;
  if (content.one) {
    const entries = `${list}.slice(0, 1).map((inner) => [${literal(as)}, ${map("inner")}])`;
    return `...Object.fromEntries(${entries})`;
  }
  if (content.by === undefined) return property(as, `${list}.map((inner) => ${map("inner")})`);
  const name = nameCode(content.entity.attributes.get(content.by), memberOf("inner", content.by));
  const entries = `${list}.map((inner) => [${name}, ${map("inner")}])`;
  return property(as, `Object.fromEntries(${entries})`);
}

/** Under which name something lies in a map. */
function nameCode(attribute: Attribute | undefined, value: string): string {
  return attribute?.type === "N" ? `String(${value})` : value;
}

/** The code of where something lies inside of an item. */
function pathCode(scope: Scope, { as, by, entity }: InnerWrite, item?: string): readonly string[] {
  if (by === undefined) return [literal(as)];
  const attribute = entity.attributes.get(by.attribute);
  return [
    literal(as),
    nameCode(attribute, valueCode(scope, entity, by.attribute, by.binding, item)),
  ];
}

function valueCode(
  scope: Scope,
  entity: Entity,
  attribute: string,
  binding: Binding,
  item: string | undefined,
): string {
  const found = scope.resolve(entity, new Map([[attribute, binding]]), [attribute], item);
  const [loop] = found.loops;
  return loop === undefined ? (found.codeFor(attribute) ?? "undefined") : `${loop.over}[0]`;
}

/** The change of an item that writes something inside of it. */
export function innerUpdateCode(
  scope: Scope,
  action: WriteAction,
  inner: InnerWrite,
  item: string | undefined,
): string {
  const { kind, entity, changes } = inner;
  const path = pathCode(scope, inner, item);
  const at = (...more: readonly string[]): string => arrayCode([...path, ...more.map(literal)]);
  const calls: string[] = [];
  if (kind === "delete") calls.push(`.remove(${at()})`);
  else if (kind === "create") {
    const links = linksIn(action);
    const told = [...entity.attributes.keys()].filter((name) => !links.has(name));
    const value = `${scope.use("taken")}({ ...${item} }, ${arrayCode(told.map(literal))})`;
    calls.push(`.set(${at()}, ${value})`);
  } else {
    for (const { attribute, to } of changes.sets) {
      calls.push(`.set(${at(attribute)}, ${valueCode(scope, entity, attribute, to, item)})`);
    }
    for (const { attribute, amount } of changes.adds) {
      calls.push(`.raise(${at(attribute)}, ${amount})`);
    }
    for (const attribute of changes.appends) {
      calls.push(`.append(${at(attribute)}, ${memberOf("input", attribute)})`);
    }
    for (const attribute of changes.removes) calls.push(`.remove(${at(attribute)})`);
  }
  const start = `new ${scope.use("UpdateBuilder")}()`;
  const line = start + calls.join("");
  return line.length <= 80 && !line.includes("\n")
    ? line
    : `${start}\n${calls.map(indented).join("\n")}`;
}

/** What must hold for it: the item is there, and what lies inside of it is or is not. */
export function innerConditionCode(
  scope: Scope,
  { record }: WriteAction,
  inner: InnerWrite,
  item: string | undefined,
): string | undefined {
  const { kind, entity, condition, also } = inner;
  const path = pathCode(scope, inner, item);
  const at = (...more: readonly string[]): string => arrayCode([...path, ...more.map(literal)]);
  const parts = [callCode(scope.use("present"), literal(record.table.partition.name))];
  if (condition?.kind === "absent") parts.push(callCode(scope.use("absent"), at()));
  else if (kind === "update" || condition?.kind === "exists") {
    parts.push(callCode(scope.use("present"), at()));
  }
  if (condition?.kind === "version") {
    const isList = scope.inputs.parameters.get(condition.attribute)?.isList === true;
    const value = `${memberOf("input", condition.attribute)}${isList ? "[0]" : ""}`;
    parts.push(`${scope.use("equalTo")}(${at(condition.attribute)}, ${value})`);
  }
  const where = condition?.kind === "where" ? condition.predicates : [];
  for (const predicate of [...also, ...where]) {
    const attribute = entity.attributes.get(predicate.attribute);
    if (attribute === undefined) continue;
    parts.push(comparisonCode(scope, predicate, attribute, { code: at(attribute.name) }));
  }
  return allOfCode(scope, parts);
}
