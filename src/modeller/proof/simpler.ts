import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Model } from "../../model/model.ts";
import type { EntityValues } from "../values/render-key.ts";
import type { Inputs } from "./trial.ts";

/** A value, and one that is easier to read. */
export interface Simpler {
  readonly from: AttributeValue;
  readonly to: AttributeValue;
}

/** Texts of this length can be read. */
const shortText = 4;

/** Values that could be replaced: long texts by letters, and what is nested by what is empty. */
export function simplerValues(
  { entities }: Model,
  ones: readonly (readonly [string, EntityValues])[],
  { parameters, items }: Inputs,
): readonly Simpler[] {
  const written = [...items].flatMap(([name, list]) => list.map((one) => [name, one] as const));
  const found = new Map<string, AttributeValue>();
  const taken = new Set<string>();
  const note = (value: AttributeValue, isFree: boolean): void => {
    if ("S" in value) taken.add(value.S);
    if (isFree) found.set(JSON.stringify(value), value);
  };
  for (const [entity, values] of [...ones, ...written]) {
    for (const [name, value] of values) {
      const described = entities.get(entity)?.attributes.get(name);
      // Moments and listed values mean something as they are.
      const isMeant =
        described?.values !== undefined || /^(iso|epoch)/.test(described?.format ?? "");
      note(value, !isMeant);
    }
  }
  for (const value of [...parameters.values()].flat()) note(value, false);
  const letters = freeLetters(taken);
  return [...found.values()].flatMap((from): readonly Simpler[] => {
    if ("S" in from && from.S.length > shortText) {
      const to = letters.next().value;
      return to === undefined ? [] : [{ from, to: { S: to } }];
    }
    if ("M" in from && Object.keys(from.M).length > 0) return [{ from, to: { M: {} } }];
    if ("L" in from && from.L.length > 0) return [{ from, to: { L: [] } }];
    return [];
  });
}

function* freeLetters(taken: ReadonlySet<string>): Generator<string, undefined> {
  for (let i = 0; ; i += 1) {
    const letter = String.fromCharCode(97 + (i % 26)) + (i < 26 ? "" : String(Math.floor(i / 26)));
    if (!taken.has(letter)) yield letter;
  }
}
