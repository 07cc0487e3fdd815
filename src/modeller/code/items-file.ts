import { attributesOf, type KeyText } from "../../model/key-text.ts";
import type { Attribute, Entity, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { keyAttributes } from "../plans/stored-changes.ts";
import type { Membership, StoredAttribute, StoredRecord } from "../records/record.ts";
import { defaultsOf } from "./defaults.ts";
import { keyCall, needsWriting, recordKeyCall, type Use } from "./key-code.ts";
import { type Names, withArticle } from "./names.ts";
import { predicateCode } from "./predicate-code.ts";
import { homeOf } from "./runtime-names.ts";
import {
  arrayCode,
  callCode,
  docComment,
  functionCode,
  Imports,
  indented,
  literal,
  memberOf,
  property,
} from "./source.ts";
import { pickType } from "./types.ts";

/** The functions between entities and the items that they are stored as. */
export function itemsFile(facts: Facts, names: Names): string {
  const imports = new Imports();
  const use: Use = (helper) => imports.value(helper, `./runtime/${homeOf(helper)}.js`);
  const parts = [
    ...[...facts.model.entities.values()].map((entity) =>
      newFunction(facts, entity, names, imports, use),
    ),
    ...facts.records.flatMap((record) => [
      itemFunction(record, names, imports, use),
      entityFunction(record, names, imports, use),
      // In a table of one kind nobody has to ask.
      facts.records.some((one) => one.table === record.table && one !== record)
        ? kindFunction(record, names, imports, use)
        : "",
    ]),
  ];
  return imports.text() + parts.filter((part) => part !== "").join("\n");
}

/** Names that every object has something under, though nobody has put it there. */
const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Whether an entity has an attribute. */
function thereTest(name: string, code: string): string {
  const test = `${code} !== undefined`;
  return inherited.has(name) ? `Object.hasOwn(values, ${literal(name)}) && ${test}` : test;
}

function missingTest(name: string): string {
  const test = `${memberOf("values", name)} === undefined`;
  return inherited.has(name) ? `(!Object.hasOwn(values, ${literal(name)}) || ${test})` : test;
}

/** Fills in what the code knows by itself. */
function newFunction(
  facts: Facts,
  entity: Entity,
  names: Names,
  imports: Imports,
  use: Use,
): string {
  const defaults = defaultsOf(facts, entity);
  if (defaults.length === 0) return "";
  const type = names.entity(entity);
  imports.type(type, "./entities.js");
  imports.type(`New${type}`, "./entities.js");
  const values = defaults.map(({ attribute, code }) => property(attribute.name, code(use)));
  const isTimed = values.some((one) => one.includes("access.now()"));
  if (isTimed) imports.type("AccessBase", "./runtime/access.js");
  return `${docComment(`A new ${entity.name} with what need not be said.`)}export function whole${type}(values: New${type}${isTimed ? ', access: Pick<AccessBase, "now">' : ""}): ${type} {
  return { ${[...values, "...values"].join(", ")} };
}
`;
}

/** Whether the function that makes an item needs to know of the writing. */
export function itemNeedsWriting(record: StoredRecord): boolean {
  return record.attributes.some(
    ({ content }) => content.kind === "key" && needsWriting(content.text),
  );
}

/** Whether an entity can be without this item: it lacks what its key is made of, or all that it would hold. */
export function canBeMissing(record: StoredRecord): boolean {
  return missingWhen(record) !== undefined;
}

function optionalIn(record: StoredRecord, texts: readonly KeyText[]): readonly string[] {
  const names = new Set(texts.flatMap((text) => attributesOf(text).map((one) => one.attribute)));
  return [...names].filter((name) => {
    const attribute = record.entity.attributes.get(name);
    return attribute?.isOptional === true;
  });
}

/** The test of `values` under which there is no such item. */
function missingWhen(record: StoredRecord): string | undefined {
  const needed = optionalIn(
    record,
    record.key.map(({ text }) => text),
  ).map(missingTest);
  const held = heldParts(record);
  const none =
    record.role === "split" && held.length > 0 && held.every(({ isOptional }) => isOptional)
      ? [held.map(({ name }) => missingTest(name)).join(" && ")]
      : [];
  const all = [...needed, ...none];
  if (all.length === 0) return undefined;
  return all.length === 1 ? all[0] : all.map((one) => `(${one})`).join(" || ");
}

/** What an entity must have for there to be the item at all. */
function sureIn(record: StoredRecord): ReadonlySet<string> {
  const needed = optionalIn(
    record,
    record.key.map(({ text }) => text),
  );
  const held = heldParts(record);
  const [only] = held;
  return new Set([
    ...needed,
    ...(record.role === "split" && held.length === 1 && only !== undefined ? [only.name] : []),
  ]);
}

function heldParts({ attributes, entity }: StoredRecord) {
  return attributes.flatMap(({ content }) =>
    content.kind === "attribute" && !entity.id.includes(content.attribute.name)
      ? [content.attribute]
      : [],
  );
}

function itemFunction(record: StoredRecord, names: Names, imports: Imports, use: Use): string {
  const { entity } = record;
  const whole = imports.type(names.entity(entity), "./entities.js");
  // What a unique item needs is known where its entity is not read.
  const needed = [...keyAttributes(record), ...heldBy(record.attributes).map(({ own }) => own)];
  const type = record.role === "unique" ? pickType(whole, entity, needed) : whole;
  const stored = imports.type(names.stored(record), "./entities.js");
  const useKey: Use = (name) => imports.value(name, "./keys.js");
  const missing = missingWhen(record);
  const codeFor = (name: string): string => memberOf("values", name);
  const isWriting = itemNeedsWriting(record);
  if (isWriting) imports.type("AccessBase", "./runtime/access.js");
  const keys = new Set(record.key.map(({ attribute }) => attribute));
  const sure = sureIn(record);
  const members = record.attributes.flatMap((one): readonly string[] => {
    if (keys.has(one.name) || one.membership !== undefined) return [];
    if (one.content.kind === "embedded" && one.content.one) return [];
    return [storedMember(one, record, codeFor, sure)];
  });
  const made = record.memberships.flatMap((membership) =>
    indexMembers(record, membership, names, codeFor, useKey, use),
  );
  const body = [`...${recordKeyCall(names, record, codeFor, useKey)}`, ...members, ...made];
  const text =
    record.role === "item"
      ? `The item of ${withArticle(entity.name)} in ${record.table.name}.`
      : `${record.name} in ${record.table.name}${missing === undefined ? "" : "; nothing if there is nothing to store"}.`;
  return `${docComment(text)}export function ${names.make(record)}(values: ${type}${isWriting ? ', access: Pick<AccessBase, "now" | "shard">' : ""}): ${stored}${missing === undefined ? "" : " | undefined"} {
${missing === undefined ? "" : `  if (${missing}) return undefined;\n`}  return {
${body.map((one) => `${indented(indented(one))},\n`).join("")}  };
}
`;
}

function storedMember(
  { name, content }: StoredAttribute,
  { entity }: StoredRecord,
  codeFor: (name: string) => string,
  sure: ReadonlySet<string>,
): string {
  const canLack = (one: Attribute): boolean => one.isOptional && !sure.has(one.name);
  switch (content.kind) {
    case "text":
      return property(name, literal(content.text));
    case "embedded":
      return property(name, content.by === undefined ? "[]" : "{}");
    case "attribute":
      return attributeMember(name, content.attribute.name, canLack(content.attribute), codeFor);
    case "key": {
      const own = content.text.native ?? "";
      const attribute = entity.attributes.get(own);
      return attributeMember(name, own, attribute !== undefined && canLack(attribute), codeFor);
    }
  }
}

function attributeMember(
  stored: string,
  own: string,
  optional: boolean,
  codeFor: (name: string) => string,
): string {
  const value = codeFor(own);
  const one = property(stored, value);
  return optional ? `...(${thereTest(own, value)} && { ${one} })` : one;
}

/** The key attributes of an index: all of them, or none where the item is not to be in it. */
function indexMembers(
  record: StoredRecord,
  { index, only, partition, sort }: Membership,
  names: Names,
  codeFor: (name: string) => string,
  useKey: Use,
  use: Use,
): readonly string[] {
  const made = record.attributes.flatMap(({ name, content, membership }) =>
    membership === index.name && content.kind === "key" ? [{ name, text: content.text }] : [],
  );
  if (made.length === 0) return [];
  const tests = [
    ...only.map((predicate) => onlyCode(record.entity, predicate, codeFor, use)),
    ...optionalIn(
      record,
      [...partition, ...sort].map(({ text }) => text),
    ).map((name) => thereTest(name, codeFor(name))),
  ];
  const parts = made.map(({ name, text }) => {
    // What was just found to be there is handed on by itself, for the compiler knows of it only then.
    const optional = optionalIn(record, [text]);
    const call =
      optional.length === 0
        ? keyCall(names, record, name, text, codeFor, useKey)
        : `${useKey(names.of(record, name))}({ ...values, ${optional.map((one) => property(one, codeFor(one))).join(", ")} }${needsWriting(text) ? ", access" : ""})`;
    const isPlain = text.native !== undefined;
    return property(name, isPlain ? codeFor(text.native) : call);
  });
  if (tests.length === 0) return parts;
  const condition = [...new Set(tests)].join(" && ");
  return [`...(${condition} && {\n${parts.map((one) => `${indented(one)},\n`).join("")}})`];
}

function onlyCode(
  entity: Entity,
  predicate: Predicate,
  codeFor: (name: string) => string,
  use: Use,
): string {
  const attribute = entity.attributes.get(predicate.attribute);
  return attribute === undefined
    ? "false"
    : predicateCode(predicate, attribute, codeFor(attribute.name), [], use);
}

/** The names under which an item, or an entry of it in an index, tells what it holds. */
function toldBy({ attributes, memberships }: StoredRecord) {
  const own = heldBy(attributes);
  const plain = new Set(own.filter((one) => one.own === one.stored).map((one) => one.own));
  // A copy in a key is only asked where an index leaves the attribute itself out.
  return own.filter(
    ({ own: name, stored }) =>
      name === stored ||
      !plain.has(name) ||
      memberships.some((membership) => {
        const held = heldBy(membership.attributes);
        return (
          held.some((one) => one.stored === stored) && !held.some((one) => one.stored === name)
        );
      }),
  );
}

/** The attributes of an entity that a kind of item holds, with their names in the table. */
export function heldBy(
  attributes: readonly StoredAttribute[],
): readonly { readonly own: string; readonly stored: string }[] {
  return attributes.flatMap(({ name, content }) => {
    const own =
      content.kind === "attribute"
        ? content.attribute.name
        : content.kind === "key"
          ? content.text.native
          : undefined;
    return own === undefined ? [] : [{ own, stored: name }];
  });
}

/** The type of what an item tells of its entity. */
export function heldType(record: StoredRecord, names: Names): string {
  const held = heldBy(record.attributes).map(({ own }) => own);
  return pickType(names.entity(record.entity), record.entity, held);
}

function entityFunction(record: StoredRecord, names: Names, imports: Imports, use: Use): string {
  imports.type(names.entity(record.entity), "./entities.js");
  imports.type("Attributes", "./runtime/values.js");
  const type = heldType(record, names);
  const list = toldBy(record).map(({ own, stored }) =>
    own === stored ? literal(own) : `[${literal(own)}, ${literal(stored)}]`,
  );
  const value = callCode(use("taken"), "item", arrayCode(list));
  const name = names.of(record, "of");
  return `${docComment(`What an item of ${record.name}, or its entry in an index, tells.`)}${functionCode(name, ["item: Attributes"], type, [`return ${value};`])}`;
}

function kindFunction(record: StoredRecord, names: Names, imports: Imports, use: Use): string {
  imports.type("Attributes", "./runtime/values.js");
  const tests = [
    ...discriminatorTests(record),
    ...record.key.flatMap(({ attribute, text }) => shapeTests(attribute, text, use)),
  ];
  return `${docComment(`Whether an item of ${record.table.name} is ${withArticle(record.name)}.`)}export function ${names.is(record)}(${tests.length === 0 ? "_item" : "item"}: Attributes): boolean {
  return ${testsCode(tests)};
}
`;
}

function testsCode(tests: readonly string[]): string {
  const line = tests.length === 0 ? "true" : tests.join(" && ");
  return line.length <= 88 ? line : `(\n    ${tests.join(" &&\n    ")}\n  )`;
}

function discriminatorTests({ table, attributes }: StoredRecord): readonly string[] {
  const { discriminator } = table;
  const said = attributes.find(({ name }) => name === discriminator)?.content;
  if (discriminator === undefined || said?.kind !== "text") return [];
  // An entry of an index need not hold it.
  return [`(item[${literal(discriminator)}] ?? ${literal(said.text)}) === ${literal(said.text)}`];
}

function shapeTests(attribute: string, text: KeyText, use: Use): readonly string[] {
  const value = `item[${literal(attribute)}]`;
  if (text.native !== undefined) return [];
  const parts = text.segments.map((segment) =>
    segment.kind === "text" ? literal(segment.text) : "null",
  );
  if (parts.every((part) => part === "null")) return [];
  if (parts.length === 1) return [`${value} === ${parts[0]}`];
  return [`${use("hasShape")}(${value}, ${parts.join(", ")})`];
}
