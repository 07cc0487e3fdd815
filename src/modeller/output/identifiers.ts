/** How words are put together: `ordersByDay`, `OrdersByDay`, `orders_by_day`. */
export type IdentifierStyle = "camel" | "pascal" | "snake";

const lengthMax = 60;

/**
 * Names for what is generated, made of names that may hold anything. The same texts in the same order make the
 * same names, and no two are equal, also not where only upper and lower case differ.
 */
export class Identifiers {
  readonly #style: IdentifierStyle;
  readonly #taken: Set<string>;

  constructor(style: IdentifierStyle, taken: Iterable<string> = []) {
    this.#style = style;
    this.#taken = new Set([...taken].map((name) => name.toLowerCase()));
  }

  of(...texts: readonly string[]): string {
    const wanted = join(texts.flatMap(words), this.#style);
    let name = wanted;
    for (let n = 2; this.#taken.has(name.toLowerCase()); n += 1) {
      name = this.#style === "snake" ? `${wanted}_${n}` : `${wanted}${n}`;
    }
    this.#taken.add(name.toLowerCase());
    return name;
  }
}

function words(text: string): readonly string[] {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  return plain.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g) ?? [];
}

function join(parts: readonly string[], style: IdentifierStyle): string {
  const lower = parts.map((part) => part.toLowerCase());
  const first = lower[0] ?? "";
  // A name begins with a letter, and there is one even if nothing of the text can be in it.
  const all = /^[a-z]/.test(first) ? lower : ["x", ...lower];
  const joined =
    style === "snake"
      ? all.join("_")
      : all.map((word, i) => (i === 0 && style === "camel" ? word : capital(word))).join("");
  return joined.slice(0, lengthMax);
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
