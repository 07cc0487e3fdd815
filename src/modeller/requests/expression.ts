import { emptyRecord } from "../../base/record.ts";
import type { AttributeValue, Item } from "../../item/attribute-value.ts";

/** The name of a stored attribute, or names that lead to a place inside of it. */
export type StoredPath = string | readonly string[];

/**
 * Names and values of a request's expressions. All names are placeholders, for any name may be reserved or strange.
 */
export class Placeholders {
  private readonly names = new Map<string, string>();
  private readonly values: AttributeValue[] = [];

  /** Of a name, or of a place inside of an attribute: a name for each step to it. */
  name(place: StoredPath): string {
    if (typeof place === "string") return this.step(place);
    return place.map((one) => this.step(one)).join(".");
  }

  private step(attribute: string): string {
    const known = this.names.get(attribute) ?? `#n${this.names.size}`;
    this.names.set(attribute, known);
    return known;
  }

  value(value: AttributeValue): string {
    this.values.push(value);
    return `:v${this.values.length - 1}`;
  }

  /** The members of a request that tell what the placeholders stand for. */
  members(): {
    readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
    readonly ExpressionAttributeValues?: Item;
  } {
    const names = emptyRecord<string>();
    for (const [attribute, placeholder] of this.names) names[placeholder] = attribute;
    const values = emptyRecord<AttributeValue>();
    for (const [i, value] of this.values.entries()) values[`:v${i}`] = value;
    return {
      ...(this.names.size > 0 && { ExpressionAttributeNames: names }),
      ...(this.values.length > 0 && { ExpressionAttributeValues: values }),
    };
  }
}

/** Parts that must all hold. */
export function allOf(parts: readonly string[]): string | undefined {
  return parts.length === 0 ? undefined : parts.join(" AND ");
}

/** One change of an attribute, by its name in the table. */
export type UpdateStep =
  | {
      /**
       * `add` and `raise` do the same to a number; inside of an attribute nothing can be added by the word. `append`: a list gets
       * more elements, or is begun.
       */
      readonly kind: "set" | "add" | "raise" | "append";
      readonly name: StoredPath;
      readonly value: AttributeValue;
    }
  | { readonly kind: "remove"; readonly name: StoredPath };

/** Changes as the service writes them. */
export function updateExpression(steps: readonly UpdateStep[], placeholders: Placeholders): string {
  const clauses = { SET: [] as string[], REMOVE: [] as string[], ADD: [] as string[] };
  for (const step of steps) {
    const name = placeholders.name(step.name);
    const value = (one: AttributeValue): string => placeholders.value(one);
    if (step.kind === "remove") clauses.REMOVE.push(name);
    else if (step.kind === "add") clauses.ADD.push(`${name} ${value(step.value)}`);
    else if (step.kind === "set") clauses.SET.push(`${name} = ${value(step.value)}`);
    else if (step.kind === "raise") {
      const before = `if_not_exists(${name}, ${value({ N: "0" })})`;
      clauses.SET.push(`${name} = ${before} + ${value(step.value)}`);
    } else {
      const before = `if_not_exists(${name}, ${value({ L: [] })})`;
      clauses.SET.push(`${name} = list_append(${before}, ${value(step.value)})`);
    }
  }
  return Object.entries(clauses)
    .flatMap(([word, parts]) => (parts.length === 0 ? [] : [`${word} ${parts.join(", ")}`]))
    .join(" ");
}
