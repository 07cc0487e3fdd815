import type { AttributeValue } from "../../item/attribute-value.ts";
import { addNumbers, compareNumbers } from "../../item/number.ts";
import type { Aggregate } from "../../model/design.ts";
import type { Attribute } from "../../model/requirements.ts";
import type { Reference } from "./references.ts";
import type { Making, Row } from "./sample-making.ts";

/** How far a copy may be from its source: an order's item has the name of the order's customer. */
const distanceMax = 3;

/** Makes copies equal to their sources, also copies of copies. What has no source keeps its own value. */
export function copySources(making: Making): void {
  const children = childrenOf(making);
  const done = new Set<string>();
  const places = new Map<Row, number>();
  const copy = (row: Row, attribute: Attribute): void => {
    const { copyOf, name } = attribute;
    if (copyOf === undefined || !row.values.has(name)) return;
    const key = `${places.get(row)} ${name}`;
    if (done.has(key)) return;
    done.add(key);
    const source = sourceOf(row, name, copyOf.entity, children);
    const original = source?.entity.attributes.get(copyOf.attribute);
    if (source === undefined || original === undefined) return;
    copy(source, original);
    const value = source.values.get(copyOf.attribute);
    if (value !== undefined) row.values.set(name, value);
  };
  const all = [...making.rows.values()].flat();
  for (const [place, row] of all.entries()) places.set(row, place);
  for (const row of all) {
    for (const attribute of row.entity.attributes.values()) copy(row, attribute);
  }
}

type Children = ReadonlyMap<Row, readonly { readonly row: Row; readonly by: Reference }[]>;

/** Who refers to each row. */
export function childrenOf({ rows }: Making): Children {
  const children = new Map<Row, { row: Row; by: Reference }[]>();
  for (const row of [...rows.values()].flat()) {
    for (const [by, target] of row.targets) {
      const list = children.get(target) ?? [];
      list.push({ row, by });
      children.set(target, list);
    }
  }
  return children;
}

function sourceOf(
  row: Row,
  attribute: string,
  entity: string,
  children: Children,
): Row | undefined {
  let near: readonly Row[] = [row];
  for (let distance = 0; distance < distanceMax; distance += 1) {
    const found = near.flatMap((one) =>
      [...one.targets].filter(([{ target }]) => target === entity),
    );
    // Of several, the one that is called alike: followedName is that of followedId.
    const [best] = found.toSorted(([a], [b]) => sameStart(b, attribute) - sameStart(a, attribute));
    if (best !== undefined) return best[1];
    near = near.flatMap((one) => [...one.targets.values()]);
  }
  // A conversation may have the text of its newest message.
  return children
    .get(row)
    ?.map(({ row: child }) => child)
    .filter((child) => child.entity.name === entity)
    .toSorted((a, b) => b.born - a.born)[0];
}

function sameStart({ attributes }: Reference, name: string): number {
  const lengths = attributes.map(({ own }) => {
    let length = 0;
    while (length < own.length && own[length] === name[length]) length += 1;
    return length;
  });
  return Math.max(0, ...lengths);
}

/** Numbers that transactions keep are right at any time, so they are right in a sample. */
export function keepAggregates(making: Making): void {
  const children = childrenOf(making);
  for (const table of making.model.design?.tables.values() ?? []) {
    for (const aggregate of table.aggregates) {
      if (aggregate.by === "transaction") keep(making, aggregate, children);
    }
  }
}

function keep({ rows }: Making, aggregate: Aggregate, children: Children): void {
  const { of, into, what, attribute = "" } = aggregate;
  for (const row of rows.get(into.entity) ?? []) {
    const parts = new Set(
      (children.get(row) ?? []).flatMap((one) => (one.row.entity.name === of ? [one.row] : [])),
    );
    const numbers = [...parts].flatMap(({ values }) => numberIn(values.get(attribute)));
    const result = what === "count" ? String(parts.size) : combined(what, numbers);
    if (result !== undefined) row.values.set(into.attribute, { N: result });
  }
}

function numberIn(value: AttributeValue | undefined): readonly string[] {
  return value !== undefined && "N" in value ? [value.N] : [];
}

function combined(what: "sum" | "max" | "min", numbers: readonly string[]): string | undefined {
  if (what === "sum") {
    return numbers.reduce((sum, one) => {
      const next = addNumbers(sum, one);
      return typeof next === "string" ? next : sum;
    }, "0");
  }
  const sorted = numbers.toSorted(compareNumbers);
  return what === "max" ? sorted.at(-1) : sorted[0];
}
