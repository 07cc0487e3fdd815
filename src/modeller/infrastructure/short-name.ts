import { fnv1a, mixed } from "../values/shard-hash.ts";

/**
 * Names have a greatest length. What is longer is cut and ends with a number that is made of the whole text, so
 * that names which differ late stay different.
 */
export function shortName(text: string, max: number): string {
  if (text.length <= max) return text;
  const number = numberOf(text);
  return `${text.slice(0, max - number.length - 1)}-${number}`;
}

/** The same of signs that every name may hold; a text that has others ends with a number, too. */
export function distinctName(text: string): string {
  const plain = text.replaceAll(/[^A-Za-z0-9_.-]+/g, "-");
  return plain === text ? text : `${plain}-${numberOf(text)}`;
}

/** What may be in names of policies, vaults and the like: what makes them different is put behind. */
export function plainName(text: string, max: number): string {
  const plain = text.replaceAll(/[^A-Za-z0-9_-]+/g, "-").replaceAll(/^-+|-+$/g, "");
  return shortName(plain === "" ? "x" : plain, max);
}

function numberOf(text: string): string {
  return mixed(fnv1a(text)).toString(16).padStart(8, "0");
}

/** A description that is no longer than it may be. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}
