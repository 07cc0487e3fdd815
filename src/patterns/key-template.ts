import type { PartTransform, TimeUnit } from "./key-parts.ts";
import { ValueError } from "./numbers.ts";

/**
 * The text that says how a key is made: `CUSTOMER#{customerId}#ORDER#{placedAt|day}`. It is the language of
 * model documents. A brace that is meant is written twice.
 */

export type TemplateSegment =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "part"; readonly name: string; readonly transforms: readonly PartTransform[] }
  | { readonly kind: "shard"; readonly count: number; readonly by: TemplateShard };

/** Where the number of a shard is from: a draw, a value that readers know too, or the time of writing. */
export type TemplateShard =
  | { readonly kind: "random" }
  | {
      readonly kind: "calculated";
      readonly name: string;
      readonly transforms: readonly PartTransform[];
    }
  | { readonly kind: "time"; readonly unit: TimeUnit };

/** The names of the parts that a template has. */
export type PartNames<T extends string> = string extends T
  ? string
  : T extends `${infer Before}{{${infer After}`
    ? PlainNames<Before> | PartNames<After>
    : PlainNames<T>;

type PlainNames<T extends string> = T extends `${string}{${infer Part}}${infer Rest}`
  ? NamedIn<Part> | PlainNames<Rest>
  : never;

type NamedIn<Part extends string> = Part extends `shard:${infer Rest}`
  ? Rest extends `${string}:${infer By}`
    ? By extends TimeUnit
      ? never
      : BareName<By>
    : never
  : BareName<Part>;

type BareName<Part extends string> = Part extends `${infer Name}|${string}` ? Name : Part;

/** The type of the texts that a template makes: `` `CUSTOMER#${string}` ``. */
export type TextOfTemplate<T extends string> = string extends T
  ? string
  : T extends `${infer Before}{{${infer After}`
    ? `${PlainText<Before>}{${TextOfTemplate<After>}`
    : PlainText<T>;

type PlainText<T extends string> = T extends `${infer Before}{${string}}${infer Rest}`
  ? `${ClosedText<Before>}${string}${PlainText<Rest>}`
  : ClosedText<T>;

type ClosedText<T extends string> = T extends `${infer Before}}}${infer After}`
  ? `${Before}}${ClosedText<After>}`
  : T;

const shardsMax = 10_000;
const unitWords: readonly string[] = ["minute", "hour", "day", "month", "year"];

function isUnit(word: string): word is TimeUnit {
  return unitWords.includes(word);
}

/** Reads a template. What it cannot read is a mistake in a program, so it throws. */
export function parseTemplate(template: string): readonly TemplateSegment[] {
  const segments: TemplateSegment[] = [];
  let literal = "";
  const flush = (): void => {
    if (literal !== "") segments.push({ kind: "text", text: literal });
    literal = "";
  };
  for (let at = 0; at < template.length; at += 1) {
    const here = template[at] as string;
    if ((here === "{" || here === "}") && template[at + 1] === here) {
      literal += here;
      at += 1;
    } else if (here === "{") {
      const end = template.indexOf("}", at);
      if (end < 0) throw new ValueError(`'${template}' has a '{' without its '}'`);
      flush();
      segments.push(parseSegment(template.slice(at + 1, end), template));
      at = end;
    } else if (here === "}") {
      throw new ValueError(`'${template}' has a '}' without its '{'`);
    } else {
      literal += here;
    }
  }
  flush();
  return segments;
}

function parseSegment(part: string, template: string): TemplateSegment {
  if (part !== "shard" && !part.startsWith("shard:")) {
    return { kind: "part", ...parseNamed(part, template) };
  }
  const [, written = "", ...rest] = part.split(":");
  const count = Number(written);
  if (!/^\d+$/.test(written) || count < 2 || count > shardsMax) {
    throw new ValueError(
      `'${template}' has a shard that should be like {shard:10}, with 2 to ${shardsMax} shards`,
    );
  }
  const by = rest.join(":");
  if (rest.length === 0) return { kind: "shard", count, by: { kind: "random" } };
  if (isUnit(by)) return { kind: "shard", count, by: { kind: "time", unit: by } };
  return { kind: "shard", count, by: { kind: "calculated", ...parseNamed(by, template) } };
}

function parseNamed(
  part: string,
  template: string,
): { readonly name: string; readonly transforms: readonly PartTransform[] } {
  const [name = "", ...words] = part.split("|");
  if (name === "") throw new ValueError(`'${template}' has braces without a name in them`);
  return { name, transforms: words.map((word) => parseTransform(word, template)) };
}

function parseTransform(word: string, template: string): PartTransform {
  if (word === "lower" || word === "upper" || word === "descending") return { kind: word };
  if (isUnit(word)) return { kind: "cut", unit: word };
  const [, digits] = /^pad:(\d+)$/.exec(word) ?? [];
  if (digits !== undefined && Number(digits) >= 1 && Number(digits) <= 38) {
    return { kind: "pad", digits: Number(digits) };
  }
  throw new ValueError(`'${template}' has an unknown transform '${word}'`);
}
