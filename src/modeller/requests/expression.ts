import { emptyRecord } from "../../base/record.ts";
import type { AttributeValue } from "../../item/attribute-value.ts";

/** The name of a stored attribute, or names that lead to a place inside of it. */
export type StoredPath = string | readonly string[];

/**
 * Names and values of a request's expressions. All names are placeholders, for any name may be reserved or strange.
 * Values are those of the service, or the code that gives them.
 */
export class Placeholders<V = AttributeValue> {
  private readonly names = new Map<string, string>();
  private readonly values: V[] = [];

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

  value(value: V): string {
    this.values.push(value);
    return `:v${this.values.length - 1}`;
  }

  /** The members of a request that tell what the placeholders stand for. */
  members(): {
    readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
    readonly ExpressionAttributeValues?: Readonly<Record<string, V>>;
  } {
    const names = emptyRecord<string>();
    for (const [attribute, placeholder] of this.names) names[placeholder] = attribute;
    const values = emptyRecord<V>();
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
export type UpdateStep<V> =
  | { readonly kind: "set"; readonly name: StoredPath; readonly value: V }
  | { readonly kind: "add"; readonly name: string; readonly value: V }
  /** The same inside of an attribute, where nothing can be added by the word. */
  | { readonly kind: "raise"; readonly name: StoredPath; readonly zero: V; readonly value: V }
  /** A list gets more elements, or is begun. */
  | { readonly kind: "append"; readonly name: StoredPath; readonly empty: V; readonly value: V }
  | { readonly kind: "remove"; readonly name: StoredPath };

/** Changes as the service writes them. */
export function updateExpression<V>(
  steps: readonly UpdateStep<V>[],
  placeholders: Placeholders<V>,
): string {
  const sets: string[] = [];
  const adds: string[] = [];
  const removes: string[] = [];
  for (const step of steps) {
    const name = placeholders.name(step.name);
    if (step.kind === "remove") removes.push(name);
    else if (step.kind === "add") adds.push(`${name} ${placeholders.value(step.value)}`);
    else if (step.kind === "set") sets.push(`${name} = ${placeholders.value(step.value)}`);
    else if (step.kind === "raise") {
      const zero = placeholders.value(step.zero);
      const value = placeholders.value(step.value);
      sets.push(`${name} = if_not_exists(${name}, ${zero}) + ${value}`);
    } else {
      const empty = placeholders.value(step.empty);
      const value = placeholders.value(step.value);
      sets.push(`${name} = list_append(if_not_exists(${name}, ${empty}), ${value})`);
    }
  }
  return [
    ...(sets.length === 0 ? [] : [`SET ${sets.join(", ")}`]),
    ...(removes.length === 0 ? [] : [`REMOVE ${removes.join(", ")}`]),
    ...(adds.length === 0 ? [] : [`ADD ${adds.join(", ")}`]),
  ].join(" ");
}
