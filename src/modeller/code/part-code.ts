import type { Order, Predicate } from "../../model/requirements.ts";
import type { Link, Remainder } from "../plans/plan.ts";
import type { StoredRecord } from "../records/record.ts";
import { predicateCode } from "./predicate-code.ts";
import { orderCode, ordersOf, type ReadCode } from "./read-shared.ts";
import type { Brought, Scope } from "./scope.ts";
import {
  arrowCode,
  callCode,
  choiceCode,
  constCode,
  indented,
  literal,
  memberOf,
  objectCode,
} from "./source.ts";

/**
 * Completes the rows of one part of a pattern: joins what fetches brought to the rows of the first request, then links, filters,
 * sorts and cuts them. `group` is the request that finds the rows and the fetches after it; the last one is returned
 * with the entities as what it brought, or as it is if nothing has to be done.
 */
export function completedPart(scope: Scope, group: readonly ReadCode[], number: number): ReadCode {
  const [first, ...fetches] = group;
  const last = group.at(-1);
  if (first === undefined || last === undefined) throw new Error("A part has a request.");
  const { brought } = first;
  const remainder = remainderOf(scope, brought, last);
  const isArranged = remainder.order.length > 0 || remainder.limit !== undefined;
  const isOpen =
    brought.shape === "groups" ||
    remainder.links.length > 0 ||
    (brought.shape === "aligned" && isArranged);
  if (fetches.length === 0 && !isOpen) return last;
  const isOne = brought.shape === "one" || brought.shape === "entity";
  const variable = `${isOne ? "row" : "rows"}${number === 0 ? "" : number + 1}`;
  const statements = isOne
    ? oneRow(scope, variable, brought, fetches, remainder)
    : manyRows(scope, variable, brought, fetches, remainder);
  return {
    ...last,
    statements: [...last.statements, ...statements],
    brought: {
      ...brought,
      variable,
      shape: isOne ? "entity" : "entities",
      request: last.brought.request,
    },
  };
}

/**
 * What was found, linked, sorted and cut as far as that is done before the rest of it is fetched. A list without links is
 * sorted and cut already.
 */
export function arrangedCode(scope: Scope, code: ReadCode, number: number): ReadCode {
  const { brought } = code;
  const { shape, request } = brought;
  const { links, limit } = remainderOf(scope, brought, code);
  const parents = parentsOf(scope, links);
  const isOne = shape === "one" || shape === "entity";
  const isDone =
    isOne || shape === "list" || (ordersOf(request).length === 0 && limit === undefined);
  if (parents === undefined && isDone) return code;
  const variable = `chosen${number === 0 ? "" : number + 1}`;
  const has = (parent: string): string =>
    linkTests(scope, links, parents as Brought, parent, scope.entityIn(brought, "item")).join(
      " && ",
    );
  const left = (list: string, test?: string): string => {
    const orders = ordersOf(request);
    return [
      test === undefined ? `[...${list}]` : callCode(`${list}.filter`, arrowCode("item", test)),
      ...(orders.length === 0 ? [] : [`.sort(${orderCode(scope, orders)})`]),
      ...(limit === undefined ? [] : [`.slice(0, ${limit})`]),
    ].join("");
  };
  const rows = scope.rows(brought);
  const value = (): string => {
    if (shape === "groups") {
      const group = parents && `${scope.use("thereOf")}([${scope.rows(parents)}[group]])`;
      const test = group && callCode(`${group}.some`, arrowCode("parent", has("parent")));
      const each = test === undefined ? "items" : "items, group";
      return callCode(`${brought.variable}.map`, arrowCode(each, left("items", test)));
    }
    if (parents === undefined) return left(rows);
    const isOneParent = parents.shape === "one" || parents.shape === "entity";
    const parent = parents.variable;
    if (isOne) {
      const test = isOneParent
        ? `${parent} !== undefined && ${has(parent)}`
        : callCode(`${scope.rows(parents)}.some`, arrowCode("parent", has("parent")));
      return `[${brought.variable}].find((item) => item !== undefined && ${test})`;
    }
    return isOneParent
      ? `${parent} === undefined ? [] : ${left(rows, has(parent))}`
      : callCode(`${scope.rows(parents)}.flatMap`, arrowCode("parent", left(rows, has("parent"))));
  };
  return {
    ...code,
    statements: [...code.statements, constCode(variable, value())],
    brought: { ...brought, variable, shape: isOne || shape === "groups" ? shape : "list" },
  };
}

/** What is left to do with the rows. Where each parent has one row at most, there is nothing to sort or to cut. */
function remainderOf(scope: Scope, { shape, request }: Brought, last: ReadCode): Remainder {
  const { remainder } = last.brought.request;
  const isSingle = [...request.bindings.values()].every(
    (one) =>
      one.kind === "result" ||
      one.kind === "constant" ||
      (one.kind === "parameter" && scope.inputs.parameters.get(one.name)?.isList !== true),
  );
  const isBeside = request.part >= scope.plan.pattern.actions.length;
  return shape === "aligned" && isBeside && isSingle
    ? { ...remainder, order: [], limit: undefined }
    : remainder;
}

/** A single row: the item and what was fetched for it. */
function oneRow(
  scope: Scope,
  variable: string,
  brought: Brought,
  fetches: readonly ReadCode[],
  { filter, links }: Remainder,
): readonly string[] {
  const item = brought.variable;
  const others = fetches.map((one) => one.brought.variable);
  const needed = [item, ...others.filter((_, i) => isNeeded(fetches[i]?.brought.record))];
  const test = needed.map((one) => `${one} === undefined`).join(" || ");
  const whole = choiceCode(test, "undefined", entityCode(scope, brought, item, fetches, others));
  const parents = parentsOf(scope, links);
  if (filter.length === 0 && parents === undefined) return [constCode(variable, whole)];
  const complete = `${variable}All`;
  const tests = [
    `${complete} !== undefined`,
    ...(parents === undefined ? [] : [anyParentCode(scope, links, parents, complete)]),
    ...testCodes(scope, brought.record, filter, complete),
  ];
  return [
    constCode(complete, whole),
    constCode(variable, `${tests.join(" && ")} ? ${complete} : undefined`),
  ];
}

/** Whether a row belongs to one of the rows of an earlier request. */
function anyParentCode(
  scope: Scope,
  links: readonly Link[],
  parents: Brought,
  row: string,
): string {
  const { shape, variable } = parents;
  const isOne = shape === "one" || shape === "entity";
  const tests = linkTests(scope, links, parents, isOne ? variable : "parent", row).join(" && ");
  return isOne
    ? `${variable} !== undefined && ${tests}`
    : callCode(`${scope.rows(parents)}.some`, arrowCode("parent", tests));
}

/** Rows, each with what was fetched for it in its place. */
function manyRows(
  scope: Scope,
  variable: string,
  brought: Brought,
  fetches: readonly ReadCode[],
  remainder: Remainder,
): readonly string[] {
  const { record } = brought;
  const left = (list: string, linked: readonly string[]): string => {
    const tests = [...linked, ...testCodes(scope, record, remainder.filter, "one")];
    return [
      list,
      ...(tests.length === 0 ? [] : [`.filter((one) => ${tests.join(" && ")})`]),
      ...sortCode(scope, remainder.order),
      ...(remainder.limit === undefined ? [] : [`.slice(0, ${remainder.limit})`]),
    ].join("");
  };
  const { links } = remainder;
  const parents = parentsOf(scope, links);
  if (brought.shape === "groups") {
    const rows = rowsCode(scope, brought, fetches, "items", "start");
    const linked = parents === undefined ? [] : [groupParentCode(scope, links, parents)];
    const usesStart = rows.includes("start");
    const start = usesStart ? "start" : "_start";
    const names =
      linked.length > 0 ? `items, ${start}, group` : usesStart ? "items, start" : "items";
    const made = callCode(
      scope.use("ofGroups"),
      brought.variable,
      `(${names}) => ${left(rows, linked)}`,
    );
    return [
      ...(linked.length === 0 || parents === undefined
        ? []
        : [constCode("parents", scope.rows(parents))]),
      constCode(variable, made),
    ];
  }
  const isByKeys = fetches.every(({ brought: { request } }) =>
    [...request.bindings.values()].every(({ kind }) => kind !== "result"),
  );
  const base = isByKeys && fetches.length > 0 ? brought.variable : scope.rows(brought);
  const rows = rowsCode(scope, brought, fetches, base, "");
  if (parents === undefined) return [constCode(variable, left(rows, []))];
  const complete = `${variable}All`;
  const isOne = parents.shape === "one" || parents.shape === "entity";
  const parent = isOne ? parents.variable : "parent";
  const linked = linkTests(scope, links, parents, parent);
  const each = left(complete, linked);
  const whole = isOne
    ? `${parent} === undefined ? [] : ${each}`
    : `${scope.rows(parents)}.flatMap((parent) => ${each})`;
  return [constCode(complete, rows), constCode(variable, whole)];
}

/** Whether a row belongs to the parent of its group. */
function groupParentCode(scope: Scope, links: readonly Link[], parents: Brought): string {
  const tests = linkTests(scope, links, parents, "parent").join(" && ");
  const parent = `${scope.use("thereOf")}([parents[group]])`;
  return callCode(`${parent}.some`, arrowCode("parent", tests));
}

/** A list of entities, made of a list of items and of what was fetched for each. */
function rowsCode(
  scope: Scope,
  brought: Brought,
  fetches: readonly ReadCode[],
  list: string,
  start: string,
): string {
  const isAligned = brought.shape === "aligned";
  if (fetches.length === 0) return `${list}.map((item) => ${scope.entityIn(brought, "item")})`;
  const names = fetches.map((_, i) => (i === 0 ? "more" : `more${i + 1}`));
  const place = start === "" ? "place" : `${start} + place`;
  const consts = fetches.map(
    ({ brought: { variable } }, i) => `const ${names[i]} = ${variable}[${place}];`,
  );
  const needed = names.filter((_, i) => isNeeded(fetches[i]?.brought.record));
  const tests = [...(isAligned ? ["item"] : []), ...needed].map((one) => `${one} === undefined`);
  const entity = entityCode(scope, brought, "item", fetches, names);
  const value = tests.length === 0 ? `[${entity}]` : `${tests.join(" || ")} ? [] : [${entity}]`;
  const body = [...consts, `return ${value};`].map(indented).join("\n");
  return `${list}.flatMap((item, place) => {\n${body}\n})`;
}

/** An entity, made of an item and of what was fetched for it. */
function entityCode(
  scope: Scope,
  brought: Brought,
  item: string,
  fetches: readonly ReadCode[],
  others: readonly string[],
): string {
  return objectCode([
    `...${scope.entityIn(brought, item)}`,
    ...fetches.map(({ brought: fetched }, i) => {
      const other = others[i] ?? "";
      const told = scope.told(fetched.record, other);
      return isNeeded(fetched.record) ? `...${told}` : `...(${other} !== undefined && ${told})`;
    }),
  ]);
}

/** Whether every entity has an item of this kind: its own, or a part with an attribute that is always present. */
export function isNeeded(record: StoredRecord | undefined): boolean {
  if (record === undefined) return false;
  return (
    record.role === "item" ||
    record.attributes.some(
      ({ content }) =>
        content.kind === "attribute" &&
        !record.entity.id.includes(content.attribute.name) &&
        !content.attribute.isOptional,
    )
  );
}

function parentsOf(scope: Scope, [link]: readonly Link[]): Brought | undefined {
  return link === undefined ? undefined : scope.brought[link.request];
}

function linkTests(
  scope: Scope,
  links: readonly Link[],
  parents: Brought,
  parent: string,
  row = "one",
): readonly string[] {
  const entity = scope.entityIn(parents, parent);
  return links.map(({ attribute, of }) => {
    const own = memberOf(row, attribute);
    const value = memberOf(entity, of);
    return `${own} !== undefined && ${scope.use("sameValue")}(${own}, ${value})`;
  });
}

function testCodes(
  scope: Scope,
  { entity }: StoredRecord,
  filter: readonly Predicate[],
  row: string,
): readonly string[] {
  return scope.tests(filter, (predicate) => {
    const attribute = entity.attributes.get(predicate.attribute);
    if (attribute === undefined) return "false";
    const operands = predicate.operands.flatMap((one) =>
      one.kind === "parameter" ? [scope.operand(one, attribute)] : [],
    );
    return predicateCode(predicate, attribute, memberOf(row, attribute.name), operands, scope.use);
  });
}

function sortCode(scope: Scope, order: readonly Order[]): readonly string[] {
  if (order.length === 0) return [];
  const sorts = order.map(({ attribute, direction }) => `[${literal(attribute)}, "${direction}"]`);
  return [`.sort(${scope.use("byAttributes")}(${sorts.join(", ")}))`];
}
