import type { AttributeType } from "../item/attribute-value.ts";

/**
 * The types that IS can name, and what they are here. Nobody has recorded all of them: BOOL and STRING
 * are known to work, the others are taken by their meaning. Undefined: the word is a type of the
 * language, but of none of ours.
 */
const types: ReadonlyMap<string, AttributeType | undefined> = new Map([
  ["null", "NULL"],
  ["bool", "BOOL"],
  ["boolean", "BOOL"],
  ["string", "S"],
  ["char", "S"],
  ["character", "S"],
  ["varchar", "S"],
  ["character varying", "S"],
  ["symbol", undefined],
  ["clob", undefined],
  ["blob", "B"],
  ["smallint", "N"],
  ["int", "N"],
  ["int2", "N"],
  ["int4", "N"],
  ["int8", "N"],
  ["bigint", "N"],
  ["integer", "N"],
  ["integer2", "N"],
  ["integer4", "N"],
  ["integer8", "N"],
  ["float", "N"],
  ["real", "N"],
  ["double precision", "N"],
  ["decimal", "N"],
  ["dec", "N"],
  ["numeric", "N"],
  ["struct", "M"],
  ["tuple", "M"],
  ["list", "L"],
  ["sexp", undefined],
  ["bag", undefined],
  ["timestamp", undefined],
  ["date", undefined],
  ["time", undefined],
  ["missing", undefined],
]);

export function isTypeName(word: string): boolean {
  return types.has(word);
}

export function attributeTypeOf(word: string): AttributeType | undefined {
  return types.get(word);
}
