import * as errors from "../api/errors/table.ts";
import { indexKeyAttributesPerTypeMax, keyAttributeNameBytesMax } from "../api/limits.ts";
import type { AttributeDefinition, KeySchemaElement } from "../api/requests/shared.ts";
import { assert } from "../base/assert.ts";
import type { KeyAttribute, KeySchema } from "../engine/descriptor.ts";
import type { KeyType } from "../item/attribute-value.ts";

/** The types that a request declares, in its order. */
export class Definitions {
  readonly names: readonly string[];
  readonly #types = new Map<string, KeyType>();
  readonly #twice: string | undefined;

  constructor(definitions: readonly AttributeDefinition[]) {
    this.names = definitions.map((definition) => definition.AttributeName);
    for (const { AttributeName: name, AttributeType: type } of definitions) {
      if (this.#types.has(name)) this.#twice ??= name;
      else this.#types.set(name, type);
    }
  }

  has(name: string): boolean {
    return this.#types.has(name);
  }

  type(name: string): KeyType {
    const type = this.#types.get(name);
    assert(type !== undefined, "a key attribute was checked to have a definition");
    return type;
  }

  /** Every definition belongs to a key, and to one only. */
  assertUsed(used: ReadonlySet<string>): void {
    if (this.#twice !== undefined) throw errors.definedTwice(this.#twice);
    if (this.names.some((name) => !used.has(name))) {
      throw errors.definitionsNotUsed(this.names, [...used]);
    }
  }
}

export const namesOf = (elements: readonly KeySchemaElement[]): string[] =>
  elements.map((element) => element.AttributeName);

export function checkTableKey(
  elements: readonly KeySchemaElement[],
  definitions: Definitions,
): void {
  if (elements.length > definitions.names.length) throw errors.keyWithoutDefinition();
  checkPair(elements, definitions);
}

/** The key of a table or local index: a hash attribute and perhaps a range attribute. */
export function checkPair(elements: readonly KeySchemaElement[], definitions: Definitions): void {
  checkNames(elements, definitions);
  if (elements[0]?.KeyType !== "HASH") throw errors.firstKeyNotHash();
  if (elements[1] !== undefined && elements[1].KeyType !== "RANGE") {
    throw errors.secondKeyNotRange();
  }
}

/** The key of a global index: up to four attributes of each kind, those of the hash first. */
export function checkGlobalKey(
  elements: readonly KeySchemaElement[],
  definitions: Definitions,
): void {
  checkNames(elements, definitions);
  if (elements[0]?.KeyType !== "HASH") throw errors.firstKeyNotHash();
  const hashes = elements.filter((element) => element.KeyType === "HASH").length;
  if (elements.findLastIndex((element) => element.KeyType === "HASH") >= hashes) {
    throw errors.hashKeyAfterRangeKey();
  }
  const max = indexKeyAttributesPerTypeMax;
  if (hashes > max) throw errors.tooManyIndexKeys("HASH");
  if (elements.length - hashes > max) throw errors.tooManyIndexKeys("RANGE");
}

function checkNames(elements: readonly KeySchemaElement[], definitions: Definitions): void {
  const names = namesOf(elements);
  if (names.some((name) => !definitions.has(name))) {
    throw errors.keysNotDefined(names, definitions.names);
  }
  if (new Set(names).size < names.length) throw errors.keysWithSameName();
  for (const name of names) {
    if (Buffer.byteLength(name) > keyAttributeNameBytesMax) {
      throw errors.keyNameTooLong(name, keyAttributeNameBytesMax);
    }
  }
}

/** Types known already win over those of the request. */
export function keySchemaOf(
  elements: readonly KeySchemaElement[],
  typeOf: (name: string) => KeyType,
): KeySchema {
  const hash: KeyAttribute[] = [];
  const range: KeyAttribute[] = [];
  for (const { AttributeName: name, KeyType } of elements) {
    (KeyType === "HASH" ? hash : range).push({ name, type: typeOf(name) });
  }
  return { hash, range };
}
