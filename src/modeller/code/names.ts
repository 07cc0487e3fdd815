import type { Entity, Pattern } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { Identifiers } from "../output/identifiers.ts";
import type { StoredRecord } from "../records/record.ts";
import { runtimeNames } from "./runtime-names.ts";

/** Words of the language, and names that every file may use. */
const taken = [
  ..."abstract any arguments as async await bigint boolean break case catch class const continue".split(
    " ",
  ),
  ..."debugger declare default delete do else enum eval export extends false finally for from function".split(
    " ",
  ),
  ..."get if implements import in infer instanceof interface is keyof let module namespace never new".split(
    " ",
  ),
  ..."null number object of package private protected public readonly require return satisfies set static".split(
    " ",
  ),
  ..."string super switch symbol this throw true try type typeof undefined unique unknown var void while".split(
    " ",
  ),
  ..."with yield access client input options page item items at one key table".split(" "),
  ..."Array ArrayBuffer BigInt Boolean Buffer Date Error Function JSON Map Math Number Object Omit Partial".split(
    " ",
  ),
  ..."Pick Promise Readonly ReadonlyMap ReadonlySet Record RegExp Required Set String Symbol Uint8Array".split(
    " ",
  ),
  ..."Access Tables createAccess contextOf tablesOf sendersOf DocumentMap DocumentValue Writing".split(
    " ",
  ),
];

/** What everything that is generated is called. The same model gives the same names. */
export class Names {
  readonly #facts: Facts;
  readonly #entities = new Map<Entity, string>();
  readonly #records = new Map<StoredRecord, { readonly camel: string; readonly pascal: string }>();
  readonly #tables = new Map<string, string>();
  readonly #patterns = new Map<string, { readonly camel: string; readonly pascal: string }>();
  readonly #files = new Map<string, string>();
  readonly #keys = new Map<string, string>();
  readonly #functions: Identifiers;

  constructor(facts: Facts) {
    this.#facts = facts;
    const helpers = runtimeNames.filter((name) => /^[a-z]/.test(name));
    const types = new Identifiers("pascal", [...taken, ...runtimeNames]);
    // A module that exports `then` is taken for a promise where it is imported.
    const functions = new Identifiers("camel", [...taken, ...helpers, "then"]);
    this.#functions = functions;
    for (const entity of facts.model.entities.values()) {
      this.#entities.set(entity, types.of(entity.name));
    }
    // Functions for patterns come first: these are the names that people call.
    for (const pattern of facts.model.patterns.values()) {
      const camel = functions.of(wordsOf(pattern));
      this.#patterns.set(pattern.id, { camel, pascal: types.of(camel, "input") });
    }
    for (const record of facts.records) {
      const name = new Identifiers("camel").of(record.name);
      const stored = types.of("Stored", record.name);
      this.#records.set(record, { camel: name, pascal: stored });
    }
    for (const record of facts.records) {
      for (const word of ["key", "of"]) this.of(record, word);
      this.is(record);
      this.make(record);
      const parts = [...record.key.map(({ attribute }) => attribute)];
      for (const { partition, sort } of record.memberships) {
        parts.push(...[...partition, ...sort].map(({ attribute }) => attribute.name));
      }
      for (const part of parts) this.of(record, part);
      for (const part of parts) this.of(record, part, "shards");
    }
    const tables = new Identifiers("camel");
    for (const name of facts.model.design?.tables.keys() ?? [])
      this.#tables.set(name, tables.of(name));
    const files = new Identifiers("snake");
    for (const entity of facts.model.entities.keys()) {
      this.#files.set(entity, files.of(entity).replaceAll("_", "-"));
    }
  }

  entity(entity: Entity | string): string {
    const found = typeof entity === "string" ? this.#facts.model.entities.get(entity) : entity;
    return (found && this.#entities.get(found)) ?? "never";
  }

  /** The type of a stored item. */
  stored(record: StoredRecord): string {
    return this.#records.get(record)?.pascal ?? "never";
  }

  /** A function about a kind of item, such as `customerKey`. */
  of(record: StoredRecord, ...words: readonly string[]): string {
    const camel = this.#records.get(record)?.camel ?? "";
    const id = JSON.stringify([record.table.name, record.name, ...words]);
    const known = this.#keys.get(id) ?? this.#functions.of(camel, ...words);
    this.#keys.set(id, known);
    return known;
  }

  /** A function that asks whether an item is of a kind. */
  is(record: StoredRecord): string {
    const id = JSON.stringify(["is", record.table.name, record.name]);
    const known = this.#keys.get(id) ?? this.#functions.of("is", record.name);
    this.#keys.set(id, known);
    return known;
  }

  /** A function that makes the item. */
  make(record: StoredRecord): string {
    const id = JSON.stringify(["make", record.table.name, record.name]);
    const known = this.#keys.get(id) ?? this.#functions.of("stored", record.name);
    this.#keys.set(id, known);
    return known;
  }

  /** A variable inside a function, which hides none of the functions that it may use. */
  variable(word: string): string {
    const wanted = new Identifiers("camel", taken).of(word);
    const all = new Set([...this.#keys.values(), ...runtimeNames].map((one) => one.toLowerCase()));
    return all.has(wanted.toLowerCase()) ? `${wanted}Values` : wanted;
  }

  table(name: string): string {
    return this.#tables.get(name) ?? name;
  }

  pattern(pattern: Pattern): { readonly camel: string; readonly pascal: string } {
    return this.#patterns.get(pattern.id) ?? { camel: "never", pascal: "Never" };
  }

  /** The file that the functions about an entity are in. */
  file(entity: string): string {
    return this.#files.get(entity) ?? "others";
  }
}

/** A pattern's id if that is a word; else its name, up to the first comma and without an article. */
function wordsOf({ id, name }: Pattern): string {
  if (/^[A-Za-z]/.test(id)) return id;
  const [first = ""] = name.split(/[,;:(]/);
  const plain = first.replaceAll(/['’]/g, "").replace(/^\s*(an?|the)\s+/i, "");
  return /[A-Za-z]/.test(plain) ? plain : `pattern ${id}`;
}

/** How several of something are called. */
export function plural(word: string): string {
  if (/[^aeiou]y$/i.test(word)) return `${word.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/i.test(word) ? `${word}es` : `${word}s`;
}

export function withArticle(name: string): string {
  return `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`;
}
