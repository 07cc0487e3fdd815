import type { Entity, Together } from "../../model/requirements.ts";
import { Identifiers } from "../output/identifiers.ts";
import type { StoredRecord } from "../records/record.ts";
import { distinctCode, isLinked, mayRepeat } from "./children-code.ts";
import { embeddedIn, mapsCode, wantedCode } from "./inner-code.ts";
import { heldBy } from "./items-file.ts";
import { kindTests } from "./kind-code.ts";
import { plural } from "./names.ts";
import { readCodes } from "./read-code.ts";
import type { ReadCode } from "./read-shared.ts";
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
  property,
  typeCode,
} from "./source.ts";
import { pickType } from "./types.ts";

/** The body of a function, and the type of its answer. */
export interface Body {
  readonly statements: readonly string[];
  readonly type: string;
  /** It is asked for in pages. */
  readonly isPaged: boolean;
}

/** All requests of a pattern that reads, and the answer that is made of what they bring. */
export function readBody(scope: Scope): Body {
  const reads = scope.plan.requests.flatMap((one) => (one.kind === "read" ? [one] : []));
  const codes = readCodes(scope, reads);
  const statements = codes.flatMap((one) => one.statements);
  const { pattern } = scope.plan;
  const [action] = pattern.actions;
  if (action === undefined) return { statements, type: "void", isPaged: false };
  if (pattern.transaction && pattern.actions.length > 1) {
    return { ...parts(scope, statements), isPaged: false };
  }
  const own = codes.filter(
    ({ brought }) =>
      brought.request.part === 0 &&
      brought.record.role !== "unique" &&
      isAbout(brought.record, action.entity),
  );
  const main = mainCode(scope, own, action.entity, action.returns);
  if (pattern.together.length === 0) {
    const isPaged = own[0]?.isPage === true;
    if (!isPaged) {
      return { statements: [...statements, `return ${main.code};`], type: main.type, isPaged };
    }
    const [first] = own;
    const page = first?.brought.variable.replace(/\.items$/, "") ?? "";
    const token = `...(${page}.token !== undefined && { token: ${page}.token })`;
    scope.imports.type("ListPage", "../runtime/pages.js");
    return {
      statements: [...statements, `return ${objectCode([property("items", main.code), token])};`],
      type: `ListPage<${main.element}>`,
      isPaged,
    };
  }
  return { ...withOthers(scope, statements, codes, main), isPaged: false };
}

/** The entity itself, or what it lies in. */
function isAbout(record: StoredRecord, entity: string): boolean {
  return record.entity.name === entity || embeddedIn(record, entity) !== undefined;
}

interface Answer {
  readonly code: string;
  readonly type: string;
  /** The type of one of them. */
  readonly element: string;
  readonly isOne: boolean;
  /** A test that nothing was found; undefined where that cannot be told apart. */
  readonly isNothing?: string;
}

/** What a request can bring of an entity's attributes. */
function broughtBy({ request }: Brought): readonly string[] {
  const { record, index, fetches } = request;
  const membership = record.memberships.find((one) => one.index === index);
  const attributes =
    index === undefined || membership === undefined || fetches
      ? record.attributes
      : membership.attributes;
  return heldBy(attributes).map(({ own }) => own);
}

/** Only what the pattern asks for, if an item tells more. */
function restricted(
  scope: Scope,
  code: string,
  entity: Entity,
  wanted: readonly string[],
  told: readonly string[],
): string {
  const names = [...entity.attributes.keys()].filter(
    (name) => wanted.includes(name) && told.includes(name),
  );
  if (told.every((name) => names.includes(name))) return code;
  return callCode(scope.use("only"), code, ...names.map(literal));
}

function mainCode(
  scope: Scope,
  own: readonly ReadCode[],
  name: string,
  returns: readonly string[],
): Answer {
  const first = own.at(-1);
  const entity = scope.facts.model.entities.get(name) as Entity;
  const type = scope.useType(scope.names.entity(entity));
  if (first === undefined) {
    return { code: "undefined", type: "undefined", element: "undefined", isOne: true };
  }
  const { record, request, variable, shape } = first.brought;
  const embedded = record.entity === entity ? undefined : embeddedIn(record, name);
  const [action] = scope.plan.pattern.actions;
  if (embedded !== undefined && action !== undefined) {
    return innerCode(scope, first.brought, embedded, action);
  }
  const told = toldBy(own);
  const brought = new Set(own.flatMap((one) => broughtBy(one.brought)));
  const names = returns.filter((one) => brought.has(one));
  const element = pickType(type, entity, names);
  const isSorted = request.together.length > 0 && kindTests(scope, request) !== undefined;
  if (shape === "one" || shape === "entity" || isSorted) {
    const item = isSorted ? scope.names.variable(name) : variable;
    const code = restricted(scope, scope.entityIn(first.brought, item), entity, names, told);
    return {
      code: code === item ? item : choiceCode(`${item} === undefined`, "undefined", code),
      type: `${element} | undefined`,
      element,
      isOne: true,
      isNothing: `${item} === undefined`,
    };
  }
  return {
    code: mappedRows(scope, first.brought, entity, names, told),
    type: `readonly ${bracketed(element)}[]`,
    element,
    isOne: false,
    isNothing: `${scope.rows(first.brought)}.length === 0`,
  };
}

/** The attributes that the items of a part can hold. */
function toldBy(codes: readonly ReadCode[]): readonly string[] {
  const all = codes.flatMap(({ brought }) =>
    [brought.record, brought.request.record].flatMap((record) => heldBy(record.attributes)),
  );
  return [...new Set(all.map(({ own }) => own))];
}

/** Entities with the attributes that are asked for, one for each row that was brought. */
function mappedRows(
  scope: Scope,
  brought: Brought,
  entity: Entity,
  names: readonly string[],
  told: readonly string[],
): string {
  const list = scope.rows(brought);
  const code = restricted(scope, scope.entityIn(brought, "item"), entity, names, told);
  if (code === "item") return list;
  if (code === scope.told(brought.record, "item")) {
    return `${list}.map(${scope.useItem(scope.names.of(brought.record, "of"))})`;
  }
  return callCode(`${list}.map`, arrowCode("item", code));
}

function bracketed(type: string): string {
  return / [|&] /.test(type) && !/^(Pick|Omit)<[^>]*>$/.test(type) ? `(${type})` : type;
}

/** Entities that lie inside an item, with what the item says of them. */
function innerCode(
  scope: Scope,
  brought: Brought,
  { as, content }: NonNullable<ReturnType<typeof embeddedIn>>,
  wanted: Pick<Together, "where" | "order" | "limit">,
): Answer {
  const { entity } = content;
  const type = scope.useType(scope.names.entity(entity));
  const { variable, shape, record } = brought;
  const names = content.links.flatMap(({ own, host }) => (own === host ? [own] : []));
  const renamed = content.links.filter(({ own, host }) => own !== host);
  const all = [...entity.attributes.keys()].map(literal).join(", ");
  const one = (item: string): string => {
    const told = scope.told(record, item);
    const outer = [
      ...(names.length === 0
        ? []
        : [`...${scope.use("only")}(${[told, ...names.map(literal)].join(", ")}), `]),
      ...renamed.map(({ own, host }) => `${property(own, memberOf(told, host))}, `),
    ].join("");
    const maps = mapsCode(scope, item, as, content);
    const list = `${maps}.map((one) => ${scope.use("taken")}<${type}>({ ${outer}...one }, [${all}]))`;
    return wantedCode(scope, list, content, wanted);
  };
  const code =
    shape === "one"
      ? `${variable} === undefined ? [] : ${one(variable)}`
      : `${shape === "aligned" ? `${scope.use("thereOf")}(${variable})` : variable}.flatMap((item) => ${one("item")})`;
  return { code, type: `readonly ${type}[]`, element: type, isOne: false };
}

/** The entity and others that are wanted with it, as one object. */
function withOthers(
  scope: Scope,
  statements: readonly string[],
  codes: readonly ReadCode[],
  main: Answer,
): Omit<Body, "isPaged"> {
  const { pattern } = scope.plan;
  const [action] = pattern.actions;
  const names = new Identifiers("camel");
  const word = (entity: string): string => {
    const type = scope.names.entity(entity);
    return type.slice(0, 1).toLowerCase() + type.slice(1);
  };
  const own = action?.entity ?? "";
  const members = [
    {
      name: names.of(main.isOne ? word(own) : plural(word(own))),
      code: main.code,
      type: main.type,
    },
  ];
  const before: string[] = [];
  const sorted = codes.find(({ brought }) => brought.request.together.length > 0);
  if (sorted !== undefined) before.push(sortingOut(scope, sorted, own));
  for (const one of pattern.together) {
    const { entity: name, limit } = one;
    const entity = scope.facts.model.entities.get(name) as Entity;
    const type = scope.useType(scope.names.entity(entity));
    const list = othersCode(scope, codes, one);
    const cut = typeof limit === "number" && !main.isOne ? undefined : limit;
    const code =
      typeof cut === "number" && list.isRead ? `(${list.code}).slice(0, ${cut})` : list.code;
    // What belongs to nothing is not wanted, wherever it is stored.
    const isOpen = list.needsParent && main.isNothing !== undefined;
    members.push({
      name: names.of(plural(word(name))),
      code: isOpen ? choiceCode(main.isNothing ?? "", "[]", code) : code,
      type: `readonly ${bracketed(pickType(type, entity, list.names))}[]`,
    });
  }
  return {
    statements: [
      ...statements,
      ...before,
      `return {\n${members.map(({ name, code }) => `${indented(`${name}: ${code}`)},\n`).join("")}};`,
    ],
    type: typeCode(members.map(({ name, type }) => `readonly ${name}: ${type}`)),
  };
}

/** Takes the items of one request apart by kind. */
function sortingOut(scope: Scope, { brought }: ReadCode, own: string): string {
  const { request, variable } = brought;
  const kinds = kindTests(scope, request);
  if (kinds === undefined) return "";
  const places = kinds.records.map((record) => {
    if (record === request.record && record.entity.name === own) {
      return `[${scope.names.variable(own)}] = []`;
    }
    return request.together.includes(record) ? `${listVariable(scope, record)} = []` : "";
  });
  while (places.at(-1) === "") places.pop();
  return constCode(
    `[${places.join(", ")}]`,
    callCode(scope.use("sortedOut"), variable, kinds.list),
  );
}

function listVariable(scope: Scope, record: StoredRecord): string {
  return scope.names.variable(plural(record.entity.name));
}

/** Other entities that are wanted with an entity. */
interface Others {
  readonly code: string;
  readonly names: readonly string[];
  /** They have requests of their own. */
  readonly isRead: boolean;
  /** Their request finds them also where there is nothing that they belong to. */
  readonly needsParent: boolean;
}

function othersCode(scope: Scope, codes: readonly ReadCode[], together: Together): Others {
  const { entity: name, returns } = together;
  const entity = scope.facts.model.entities.get(name) as Entity;
  const { pattern } = scope.plan;
  const part = pattern.actions.length + pattern.together.indexOf(together);
  const own = codes.filter(({ brought }) => brought.request.part === part);
  const last = own.at(-1);
  for (const { brought } of codes) {
    const kin = brought.request.together.find((one) => one.entity === entity);
    const place = embeddedIn(brought.record, name);
    if (kin === undefined && last === undefined && place !== undefined) {
      const { code } = innerCode(scope, brought, place, together);
      return { code, names: [...entity.attributes.keys()], isRead: false, needsParent: false };
    }
    if (kin === undefined || last !== undefined) continue;
    const told = heldBy(kin.attributes).map((one) => one.own);
    const names = returns.filter((one) => told.includes(one));
    const kinBrought = {
      ...brought,
      record: kin,
      variable: listVariable(scope, kin),
      shape: "list",
    } as const;
    const code = mappedRows(scope, kinBrought, entity, names, told);
    return { code, names, isRead: false, needsParent: true };
  }
  if (last === undefined) {
    return { code: "[]", names: [...entity.attributes.keys()], isRead: false, needsParent: false };
  }
  const { brought } = last;
  const place = brought.record.entity === entity ? undefined : embeddedIn(brought.record, name);
  if (place !== undefined) {
    const { code } = innerCode(scope, brought, place, together);
    return { code, names: [...entity.attributes.keys()], isRead: false, needsParent: false };
  }
  const told = toldBy(own);
  const names = returns.filter((one) => told.includes(one));
  const isOne = brought.shape === "one" || brought.shape === "entity";
  const list = isOne
    ? ({
        ...brought,
        variable: `${scope.use("thereOf")}([${brought.variable}])`,
        shape: brought.shape === "one" ? "list" : "entities",
      } as const)
    : brought;
  const rows = mayRepeat(scope, own)
    ? { ...list, shape: list.shape === "entities" ? list.shape : ("list" as const) }
    : list;
  const variable = rows === list ? list.variable : distinctCode(scope, list);
  return {
    code: mappedRows(scope, { ...rows, variable }, entity, names, told),
    names,
    isRead: true,
    needsParent: !isLinked(own),
  };
}

/** What a transaction reads: something of each entity. */
function parts(scope: Scope, statements: readonly string[]): Omit<Body, "isPaged"> {
  const names = new Identifiers("camel");
  const { brought: all } = scope;
  const members = all.flatMap((brought, i) => {
    if (brought === undefined || brought.record.role === "unique") return [];
    const isLast = !all.some(
      (one, at) => at > i && one !== undefined && one.request.part === brought.request.part,
    );
    if (!isLast) return [];
    const { record, shape, variable } = brought;
    const type = scope.useType(scope.names.entity(record.entity));
    const element = pickType(
      type,
      record.entity,
      heldBy(record.attributes).map(({ own }) => own),
    );
    const word = type.slice(0, 1).toLowerCase() + type.slice(1);
    if (shape === "one" || shape === "entity") {
      const entity = scope.entityIn(brought, variable);
      const code =
        entity === variable ? entity : `${variable} === undefined ? undefined : ${entity}`;
      return [{ name: names.of(word), code, type: `${element} | undefined` }];
    }
    const told = heldBy(record.attributes).map(({ own }) => own);
    return [
      {
        name: names.of(plural(word)),
        code: mappedRows(scope, brought, record.entity, told, told),
        type: `readonly ${bracketed(element)}[]`,
      },
    ];
  });
  return {
    statements: [
      ...statements,
      `return {\n${members.map(({ name, code }) => `${indented(`${name}: ${code}`)},\n`).join("")}};`,
    ],
    type: typeCode(
      members.map(({ name, type }) => `readonly ${memberOf("", name).slice(1)}: ${type}`),
    ),
  };
}
