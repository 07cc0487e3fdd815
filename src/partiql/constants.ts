import { emptyRecord } from "../base/record.ts";
import { type PlaceholderSyntax, Placeholders } from "../expressions/parser.ts";
import type { Path } from "../expressions/tree.ts";
import type { AttributeValue } from "../item/attribute-value.ts";

/**
 * The names and values of a statement in the form in which expressions have them: each value gets a
 * placeholder of its own, and a name that looks like a placeholder stands for itself.
 */
export class Constants {
  readonly #values = emptyRecord<AttributeValue>();
  readonly #names = emptyRecord<string>();
  #count = 0;

  value(value: AttributeValue): PlaceholderSyntax {
    const name = `:${this.#count}`;
    this.#count += 1;
    this.#values[name] = value;
    return { kind: "placeholder", name };
  }

  /** The value of a placeholder that was made here. */
  of({ name }: PlaceholderSyntax): AttributeValue {
    return this.#values[name] as AttributeValue;
  }

  path(path: Path): Path {
    for (const step of path.steps) {
      if (typeof step === "string" && step.startsWith("#")) this.#names[step] = step;
    }
    return path;
  }

  get placeholders(): Placeholders {
    return new Placeholders(this.#names, this.#values);
  }
}
