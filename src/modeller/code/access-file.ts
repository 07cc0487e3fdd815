import type { Table } from "../../model/design.ts";
import type { Facts } from "../facts.ts";
import { Identifiers } from "../output/identifiers.ts";
import type { Plan } from "../plans/plan.ts";
import type { Names } from "./names.ts";
import type { PatternFile } from "./patterns-files.ts";
import { docComment, Imports, literal, memberName, plainText, sentence } from "./source.ts";

/** The names that tables have where the code runs. */
export function tablesFile(facts: Facts, names: Names): string {
  const tables = [...(facts.model.design?.tables.values() ?? [])];
  const timed = tables.filter(({ periods }) => periods !== undefined);
  const imports = new Imports();
  const members = tables.map(({ name, periods, purpose }) => {
    const type = periods === undefined ? "string" : "(period: string) => string";
    return `${indentedDoc(sentence(purpose ?? name))}  readonly ${names.table(name)}: ${type};\n`;
  });
  const made = tables.map(({ name, periods }) => {
    const named = `named(${literal(name)})`;
    return `    ${names.table(name)}: ${periods === undefined ? named : `(period) => \`\${${named}}-\${period}\``},\n`;
  });
  const all = tables.map(({ name }) => literal(name)).join(" | ") || "never";
  const text = `/** What the model calls its tables. */
export type TableName = ${all};

/** The names of the tables, by what the model calls them. */
export interface Tables {
${members.join("")}}

/** How tables are called where the code runs. */
export interface TableOptions {
  /** Comes before every name: \`production-\`. */
  readonly prefix?: string | undefined;
  /** Names that are different altogether. */
  readonly names?: Readonly<Partial<Record<TableName, string>>> | undefined;
}

export function tablesOf({ prefix = "", names = {} }: TableOptions = {}): Tables {
  const named = (name: TableName): string => names[name] ?? prefix + name;
  return {
${made.join("")}  };
}
${timed.length === 0 ? "" : `\n${periodsText(timed, names, imports)}`}`;
  return imports.text() + text;
}

function indentedDoc(text: string): string {
  return docComment(text).replaceAll(/^(?=.)/gm, "  ");
}

function periodsText(timed: readonly Table[], names: Names, imports: Imports): string {
  imports.value("lastPeriods", "./runtime/span.js");
  const types = timed.map(
    ({ name }) => `  readonly ${names.table(name)}: () => readonly string[];\n`,
  );
  const made = timed.map(
    ({ name, periods }) =>
      `    ${names.table(name)}: () => lastPeriods("${periods?.every ?? "month"}", ${periods?.keep ?? 2}, now()),\n`,
  );
  return `/** The periods that a table of its own is there for, the newest first. */
export interface Periods {
${types.join("")}}

/** As many as are kept. */
export function periodsOf(now: () => number, known: Partial<Periods> = {}): Periods {
  return {
${made.join("")}    ...known,
  };
}
`;
}

/** What the functions are handed at every call, made of a client of the SDK. */
export function accessFile(facts: Facts): string {
  const timed = [...(facts.model.design?.tables.values() ?? [])].some(
    ({ periods }) => periods !== undefined,
  );
  const commands = [
    "BatchGetCommand",
    "BatchWriteCommand",
    "DeleteCommand",
    "GetCommand",
    "PutCommand",
    "QueryCommand",
    "ScanCommand",
    "TransactGetCommand",
    "TransactWriteCommand",
    "UpdateCommand",
  ];
  const list = commands.flatMap((name) => [`  ${name},\n`, `  type ${name}Input,\n`]).join("");
  const sender = (name: string, command: string): string =>
    `    ${name}: (input) =>\n      client.send(new ${command}(input as ${command}Input)),\n`;
  return `import {
${list.replace("  GetCommand,\n", "  type DynamoDBDocumentClient,\n  GetCommand,\n")}} from "@aws-sdk/lib-dynamodb";
import { type AccessBase, type AccessOptions, accessBase, type Senders } from "./runtime/access.js";
import { ${timed ? "type Periods, periodsOf, " : ""}type TableOptions, type Tables, tablesOf } from "./tables.js";

/** The client, the tables and the clock that all functions work with. */
export interface Access extends AccessBase {
  readonly tables: Tables;
${timed ? "  readonly periods: Periods;\n" : ""}}

/** How the functions work, and where. */
export interface Options extends AccessOptions, TableOptions {${timed ? "\n  /** The periods that there are tables for, if they are not the newest ones. */\n  readonly periods?: Partial<Periods> | undefined;\n" : ""}}

/** For the functions of the patterns, when they are called one by one. */
export function contextOf(client: DynamoDBDocumentClient, options: Options = {}): Access {
  const { prefix, names, ${timed ? "periods, " : ""}...rest } = options;
  const base = accessBase(sendersOf(client), rest);
  return { ...base, tables: tablesOf({ prefix, names })${timed ? ", periods: periodsOf(base.now, periods)" : ""} };
}

function sendersOf(client: DynamoDBDocumentClient): Senders {
  return {
${sender("get", "GetCommand")}${sender("query", "QueryCommand")}${sender("scan", "ScanCommand")}${sender("batchGet", "BatchGetCommand")}${sender("batchWrite", "BatchWriteCommand")}${sender("put", "PutCommand")}${sender("update", "UpdateCommand")}${sender("delete", "DeleteCommand")}${sender("transactGet", "TransactGetCommand")}${sender("transactWrite", "TransactWriteCommand")}  };
}
`;
}

/** All functions, bound to one client; and everything else that a program may want. */
export function indexFile(
  facts: Facts,
  plans: ReadonlyMap<string, Plan>,
  files: readonly PatternFile[],
): string {
  const imports = new Imports();
  imports.type("DynamoDBDocumentClient", "@aws-sdk/lib-dynamodb");
  imports.value("contextOf", "./access.js");
  imports.type("Options", "./access.js");
  const bound = files.flatMap(({ file, functions }) =>
    functions.map(({ name, input, isPaged, doc }) => {
      imports.value(name, `./patterns/${file}.js`);
      if (input !== undefined) imports.type(input, `./patterns/${file}.js`);
      if (isPaged) imports.type("PageOptions", "./runtime/access.js");
      const parameters = [
        ...(input === undefined ? [] : [`input: ${input}`]),
        ...(isPaged ? ["page?: PageOptions"] : []),
      ].join(", ");
      const values = [
        "access",
        ...(input === undefined ? [] : ["input"]),
        ...(isPaged ? ["page"] : []),
      ];
      return `${indentedDoc(sentence(doc)).replaceAll(/^(?=.)/gm, "  ")}    ${memberName(name)}: (${parameters}) =>\n      ${name}(${values.join(", ")}),\n`;
    }),
  );
  const left = [...plans.values()].flatMap(({ pattern, problem }) =>
    problem === undefined
      ? []
      : [` * - ${plainText(pattern.id)} (${plainText(pattern.name)}): ${plainText(problem)}\n`],
  );
  const notes =
    left.length === 0
      ? ""
      : `\n/*\n * Patterns of the model without a function:\n${left.join("")} */\n`;
  const access = bound.length === 0 ? "" : "const access = ";
  const type = `${new Identifiers("pascal", ["Access"]).of(facts.model.name)}Access`;
  return `${imports.text()}/** The access patterns of ${plainText(facts.model.name)}, each as a function. */
export function createAccess(client: DynamoDBDocumentClient, options: Options = {}) {
  ${access}contextOf(client, options);
  return {
${bound.join("")}  };
}

export type ${type} = ReturnType<typeof createAccess>;

export { type Access, contextOf, type Options } from "./access.js";
export * from "./entities.js";
export * from "./keys.js";
${files.map(({ file }) => `export * from "./patterns/${file}.js";\n`).join("")}export type { PageOptions } from "./runtime/access.js";
export {
  AlreadyExistsError,
  ConditionFailedError,
  NotFoundError,
  NotUniqueError,
  PatternError,
  VersionConflictError,
} from "./runtime/errors.js";
export type { ListPage } from "./runtime/pages.js";
export { TokenError } from "./runtime/token.js";
export { type TableName, type TableOptions, type Tables, tablesOf } from "./tables.js";
${notes}`;
}
