import type { Entity, Together } from "../../model/requirements.ts";
import { Identifiers } from "../output/identifiers.ts";
import type { ReadRequest } from "../plans/plan.ts";
import type { StoredRecord } from "../records/record.ts";
import { embeddedIn, mapsCode, wantedCode } from "./inner-code.ts";
import { heldBy } from "./items-file.ts";
import { kindTests } from "./kind-code.ts";
import { isOptional, plural } from "./names.ts";
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
    ({ brought }) => brought.record.role !== "unique" && isAbout(brought.record, action.entity),
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
}

/** What a request can bring of an entity's attributes. */
function broughtBy({ record, index, fetches }: ReadRequest): readonly string[] {
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
  const [first, ...more] = own;
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
  const told = [
    ...new Set(own.flatMap((one) => heldBy(one.brought.record.attributes).map((o) => o.own))),
  ];
  const brought = new Set(own.flatMap((one) => broughtBy(one.brought.request)));
  const names = returns.filter((one) => brought.has(one));
  const element = pickType(type, entity, names);
  const kinds = kindTests(scope, request);
  const isSorted = kinds !== undefined && request.together.length > 0;
  const whole = (item: string, others: readonly string[]): string => {
    const parts = [
      scope.told(record, item),
      ...others.map((other, i) => {
        const part = more[i]?.brought.record as StoredRecord;
        const told = scope.told(part, other);
        return mustBe(part) ? `...${told}` : `...(${other} !== undefined && ${told})`;
      }),
    ];
    const code =
      parts.length === 1 ? (parts[0] ?? "") : objectCode([`...${parts[0]}`, ...parts.slice(1)]);
    return restricted(scope, code, entity, names, told);
  };
  if (shape === "one" || isSorted) {
    const item = isSorted ? scope.names.variable(name) : variable;
    const others = more.map((one) => one.brought.variable);
    // A part that every entity has is missing only while somebody deletes it.
    const needed = [item, ...others.filter((_, i) => mustBe(more[i]?.brought.record))];
    const test = needed.map((one) => `${one} === undefined`).join(" || ");
    return {
      code: choiceCode(test, "undefined", whole(item, others)),
      type: `${element} | undefined`,
      element,
      isOne: true,
    };
  }
  // An index tells which items there are, and the table tells the rest: each in the place of its key.
  const [second] = more;
  if (second !== undefined && second.brought.shape === "aligned") {
    const inner = `{ ...${scope.told(record, "item")}, ...${scope.told(second.brought.record, "rest")} }`;
    const body = restricted(scope, inner, entity, names, told);
    return {
      code: `${variable}.flatMap((item, place) => {\n  const rest = ${second.brought.variable}[place];\n  return rest === undefined ? [] : [${body}];\n})`,
      type: `readonly ${bracketed(element)}[]`,
      element,
      isOne: false,
    };
  }
  const list = shape === "aligned" ? `${scope.use("thereOf")}(${variable})` : variable;
  const isPlain = whole("item", []) === scope.told(record, "item");
  return {
    code: isPlain
      ? `${list}.map(${scope.useItem(scope.names.of(record, "of"))})`
      : callCode(`${list}.map`, arrowCode("item", whole("item", []))),
    type: `readonly ${bracketed(element)}[]`,
    element,
    isOne: false,
  };
}

/** Whether there is such a part of every entity. */
function mustBe(record: StoredRecord | undefined): boolean {
  if (record === undefined) return false;
  return record.attributes.some(
    ({ content }) =>
      content.kind === "attribute" &&
      !record.entity.id.includes(content.attribute.name) &&
      !isOptional(content.attribute),
  );
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
  const names = heldBy(record.attributes)
    .map(({ own }) => own)
    .filter((name) => record.entity.id.includes(name) && entity.attributes.has(name));
  const all = [...entity.attributes.keys()].map(literal).join(", ");
  const one = (item: string): string => {
    const outer =
      names.length === 0
        ? ""
        : `...${scope.use("only")}(${[scope.told(record, item), ...names.map(literal)].join(", ")}), `;
    const maps = mapsCode(scope, item, as, content);
    const list = `${maps}.map((one) => ${scope.use("taken")}<${type}>({ ${outer}...one }, [${all}]))`;
    return wantedCode(scope, list, entity, record.entity, wanted);
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
    members.push({
      name: names.of(plural(word(name))),
      code,
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

function othersCode(
  scope: Scope,
  codes: readonly ReadCode[],
  together: Together,
): { readonly code: string; readonly names: readonly string[]; readonly isRead: boolean } {
  const { entity: name, returns } = together;
  const entity = scope.facts.model.entities.get(name) as Entity;
  for (const { brought } of codes) {
    const { request, record, variable, shape } = brought;
    const kin = request.together.find((one) => one.entity === entity);
    const isOwn = record.entity === entity && record.role !== "unique";
    const place = embeddedIn(record, name);
    if (kin === undefined && !isOwn && place !== undefined) {
      const { code } = innerCode(scope, brought, place, together);
      return { code, names: [...entity.attributes.keys()], isRead: false };
    }
    const found = kin ?? (isOwn ? record : undefined);
    if (found === undefined) continue;
    const told = heldBy(found.attributes).map(({ own }) => own);
    const names = returns.filter((one) => told.includes(one));
    const list =
      kin !== undefined
        ? listVariable(scope, kin)
        : shape === "aligned"
          ? `${scope.use("thereOf")}(${variable})`
          : shape === "one"
            ? `${scope.use("thereOf")}([${variable}])`
            : variable;
    const one = restricted(scope, scope.told(found, "item"), entity, names, told);
    const isPlain = one === scope.told(found, "item");
    return {
      code: isPlain
        ? `${list}.map(${scope.useItem(scope.names.of(found, "of"))})`
        : `${list}.map((item) => ${one})`,
      names,
      isRead: kin === undefined,
    };
  }
  return { code: "[]", names: [...entity.attributes.keys()], isRead: false };
}

/** What a transaction reads: something of each entity. */
function parts(scope: Scope, statements: readonly string[]): Omit<Body, "isPaged"> {
  const names = new Identifiers("camel");
  const members = scope.brought.flatMap((brought) => {
    if (brought === undefined || brought.record.role === "unique") return [];
    const { record, shape, variable } = brought;
    const type = scope.useType(scope.names.entity(record.entity));
    const element = pickType(
      type,
      record.entity,
      heldBy(record.attributes).map(({ own }) => own),
    );
    const word = type.slice(0, 1).toLowerCase() + type.slice(1);
    const of = scope.useItem(scope.names.of(record, "of"));
    return shape === "one"
      ? [
          {
            name: names.of(word),
            code: `${variable} === undefined ? undefined : ${of}(${variable})`,
            type: `${element} | undefined`,
          },
        ]
      : [
          {
            name: names.of(plural(word)),
            code: `${shape === "aligned" ? `${scope.use("thereOf")}(${variable})` : variable}.map(${of})`,
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
