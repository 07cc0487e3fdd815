import { stringify } from "yaml";

/** A value as YAML, with short things on one line. */
export function printYaml(value: unknown): string {
  return stringify(asMaps(value), { lineWidth: 100, minContentWidth: 40 });
}

/** The library asks values for their prototype's methods; records without one have none. */
export function asMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asMaps);
  if (typeof value !== "object" || value === null) return value;
  return new Map(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => [name, asMaps(one)]),
  );
}
