import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Predicate } from "../../model/requirements.ts";
import type { Plan, ReadRequest } from "../plans/plan.ts";
import { structuresOf } from "../plans/structures.ts";
import type { EntityValues } from "../values/render-key.ts";
import { fnv1a } from "../values/shard-hash.ts";
import { foldedBy, lowered } from "./oracle/case.ts";
import type { Parameters } from "./oracle/state.ts";

/** By pattern: what its right plan does not tell apart by case. */
export type Folded = ReadonlyMap<string, ReadonlySet<string>>;

/** Attributes of the pattern's entity whose case does not matter to a read: the keys that it uses do not keep it. */
export function foldedFor({ pattern, requests }: Plan): ReadonlySet<string> {
  const [action] = pattern.actions;
  const reads = requests.filter(
    (one): one is ReadRequest =>
      one.kind === "read" && one.record.entity.name === (action?.entity ?? ""),
  );
  const folded = new Set(
    reads.flatMap(({ record, index }) =>
      structuresOf(record)
        .filter((one) => one.index === index)
        .flatMap(({ partition, sort }) =>
          [...partition, ...sort].flatMap(({ text }) => foldedBy(text)),
        ),
    ),
  );
  // What is left to a filter or to the caller is looked at as it is.
  for (const { filter, sortsInClient } of reads) {
    for (const { attribute } of filter) folded.delete(attribute);
    if (sortsInClient) for (const { attribute } of action?.order ?? []) folded.delete(attribute);
  }
  return folded;
}

/** The same values in a case of their own: equal texts stay equal. */
export function inAnyCase(values: EntityValues, folded: ReadonlySet<string>): EntityValues {
  return folded.size === 0 ? values : mapped(values, folded, capitalised);
}

function mapped(
  values: EntityValues,
  names: ReadonlySet<string>,
  change: (value: AttributeValue) => AttributeValue,
): EntityValues {
  return new Map(
    [...values].map(([name, value]) => [name, names.has(name) ? change(value) : value]),
  );
}

/** Parameters that are compared with what is folded, in one case or in another one than they are. */
export function parametersIn(
  parameters: Parameters,
  where: readonly Predicate[],
  folded: ReadonlySet<string>,
  way: "one case" | "another case",
): Parameters {
  const names = new Set(
    where
      .filter(({ attribute }) => folded.has(attribute))
      .flatMap(({ operands }) =>
        operands.flatMap((one) => (one.kind === "parameter" ? [one.name] : [])),
      ),
  );
  if (names.size === 0) return parameters;
  const change = way === "one case" ? lowered : swapped;
  return new Map(
    [...parameters].map(([name, values]) => [name, names.has(name) ? values.map(change) : values]),
  );
}

/** The same value in another case, if there is one. */
export function swapped(value: AttributeValue): AttributeValue {
  if (!("S" in value)) return value;
  const low = value.S.toLowerCase();
  const high = low.toUpperCase();
  // Some letters have no way back from upper case.
  return value.S === low && high.toLowerCase() === low ? { S: high } : { S: low };
}

function capitalised(value: AttributeValue): AttributeValue {
  if (!("S" in value)) return value;
  const low = value.S.toLowerCase();
  const high = low.slice(0, 1).toUpperCase() + low.slice(1);
  return fnv1a(low) % 2 === 0 && high.toLowerCase() === low ? { S: high } : { S: low };
}
