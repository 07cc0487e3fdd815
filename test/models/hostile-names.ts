import type { ModelDocument } from "../../src/model/model-document.ts";
import { Random } from "../random.ts";

/**
 * Gives a document other names and texts of the same meaning: words of the language, helpers of the runtime, members of every
 * object, names that are equal after their letters are joined, and texts that end literals, templates and comments.
 */

const entityWords =
  "Object Promise class constructor toString valueOf prototype access getItem Pick Tables order Order ORDER or_der Write undefined Input X x2 await then Set".split(
    " ",
  );

const attributeWords =
  "constructor hasOwnProperty toString valueOf toJSON then prototype _ __ _a a a-a aa A-a a_a class default new await delete input access page one another found found2 rows item items inner key keys all allKeys each table tables stored before moved partition shard shard2 period values Key Item token limit filter order expires made more place parent parents start group together TableName only taken length name undefined NaN null true false number string boolean unknown never".split(
    " ",
  );

const patternWords =
  "constructor toString then await class default createAccess create-access create_access 0 00 000 1-0 contextOf getItem get-item Access Tables options client page access __x 7__ new function arguments eval".split(
    " ",
  );

/** Texts that may end what they are in: a literal, a template, a comment, a line. */
const texts = [
  '"); throw 1; ("',
  "`); throw 1; (`",
  "'); throw 1; ('",
  "\\",
  '\\"',
  ["$", "{throw1}"].join(""),
  "$" + "{`",
  "*/ throw 1; /*",
  "// { ...input }",
  "{ ...input }",
  "\n",
  "\r\n\t\u2028\u2029",
  "\u202e\u0000",
  "__proto__",
  "constructor",
  "undefined",
  "found",
  "[{(,",
  "é😀",
  "#",
  "{x}",
];

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Words = ReadonlyMap<string, string>;

export function withHostileNames(document: ModelDocument, seed: number): ModelDocument {
  return new Renaming(document, new Random(Math.imul(seed, 0x2c1b3c6d) ^ 0x297a2d39)).document();
}

/** Members whose own members are attributes. */
const byAttribute = new Set(["attributes", "where", "condition", "order", "changes", "adds"]);
/** Members that hold constants, beside operators. */
const withConstants = new Set(["where", "condition", "changes", "values"]);
/** Members that hold free texts. */
const free = new Set(["name", "story", "description", "why", "declined", "service", "via"]);

class Renaming {
  private readonly source: ModelDocument;
  private readonly random: Random;
  private readonly entities: Words;
  private readonly attributes: Words;
  private readonly patterns: Words;
  private readonly constants: Words;

  constructor(source: ModelDocument, random: Random) {
    this.source = source;
    this.random = random;
    const entities = Object.entries(source.entities);
    const attributes = entities.flatMap(([, one]) => Object.entries(one.attributes));
    this.entities = this.words(
      entities.map(([name]) => name),
      entityWords,
    );
    this.attributes = this.words(
      attributes.map(([name]) => name),
      attributeWords,
    );
    this.patterns = this.words(
      Object.keys(source.patterns ?? {}),
      patternWords.filter((one) => /^[A-Za-z0-9]/.test(one)),
    );
    const values = attributes.flatMap(([, { values: all = [] }]) =>
      (Array.isArray(all) ? all : Object.keys(all)).filter(
        (one) => typeof one === "string" && Number.isNaN(Number(one)),
      ),
    );
    this.constants = this.words(values as readonly string[], texts);
  }

  document(): ModelDocument {
    return this.changed(this.source as unknown as Json, [], false) as unknown as ModelDocument;
  }

  /** Another word for each name, as long as there are any. */
  private words(names: readonly string[], pool: readonly string[]): Words {
    const all = [...new Set(names)];
    const drawn = this.random.sample(
      pool.filter((one) => !all.includes(one)),
      Math.min(all.length, pool.length),
    );
    return new Map(all.map((name, i) => [name, drawn[i] ?? name]));
  }

  private changed(value: Json, path: readonly string[], isConstant: boolean): Json {
    const own = path.at(-1) ?? "";
    if (Array.isArray(value)) return value.map((one) => this.changed(one, path, isConstant));
    if (own === "steps") return this.patterns.get(String(value)) ?? value;
    if (typeof value === "string") return this.text(value, path, isConstant);
    if (typeof value !== "object" || value === null) return value;
    const names = this.namesOf(path, own);
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const isWithin = isConstant || withConstants.has(name);
        const changed = this.changed(member, [...path, name], isWithin);
        const renamed = names?.get(name) ?? name;
        return [renamed, this.stated(renamed, changed, own)];
      }),
    );
  }

  /** A parameter is no attribute with a hyphen, so an operator alone gets one with another name. */
  private stated(name: string, value: Json, own: string): Json {
    if (!name.includes("-") || typeof value !== "string") return value;
    if (own !== "where" && own !== "condition") return value;
    const parameter = `$of_${name.replaceAll("-", "_")}`;
    if (value === "exists") return { exists: true };
    if (value === "between") return { between: [`${parameter}From`, `${parameter}To`] };
    return { [value]: parameter };
  }

  private namesOf(path: readonly string[], own: string): Words | undefined {
    if (path.length === 1 && own === "entities") return this.entities;
    if (path.length === 1 && own === "patterns") return this.patterns;
    if (own === "values") return this.constants;
    return byAttribute.has(own) ? this.attributes : undefined;
  }

  private text(value: string, path: readonly string[], isConstant: boolean): string {
    const own = path.at(-1) ?? "";
    if (path[0] === "patterns" && path.length === 3 && free.has(own))
      return this.random.pick(texts);
    if (free.has(own) && path.includes("entities")) return this.random.pick(texts);
    if (own === "condition") return value;
    // A list of changes names attributes; a constant of them is below an attribute.
    if (isConstant && own !== "changes") return this.constants.get(value) ?? value;
    const [entity = "", attribute = ""] = value.split(".");
    if (attribute !== "" && this.entities.has(entity)) {
      return `${this.entities.get(entity)}.${this.attributes.get(attribute) ?? attribute}`;
    }
    return this.entities.get(value) ?? this.attributes.get(value) ?? value;
  }
}
