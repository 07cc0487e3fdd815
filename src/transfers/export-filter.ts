import type { TableDescriptor } from "../engine/descriptor.ts";
import { keyMatches, samePartition } from "../engine/key-range.ts";
import { keyValues } from "../engine/keys.ts";
import { compileExpressions } from "../expressions/compile.ts";
import { evaluate } from "../expressions/evaluate.ts";
import { bindKeyCondition, checkFilterKeys } from "../expressions/key-condition.ts";
import { project } from "../expressions/project.ts";
import type { Item } from "../item/attribute-value.ts";
import type { ExportFilter } from "./transfer-records.ts";

/** What an export has of the items of a table. */
export interface ItemFilter {
  passes(item: Item): boolean;
  projected(item: Item): Item;
}

/** Throws ServiceError if the filter makes no sense for the table. */
export function itemFilter(table: TableDescriptor, filter: ExportFilter): ItemFilter {
  const compiled = compileExpressions({
    keyCondition: filter.KeyConditionExpression,
    filter: filter.FilterExpression,
    projection: filter.ProjectionExpression,
    names: filter.ExpressionAttributeNames,
    // Values are made canonical in place.
    values: structuredClone(filter.ExpressionAttributeValues),
  });
  const bound =
    compiled.keyCondition === undefined
      ? undefined
      : bindKeyCondition(compiled.keyCondition, table.key);
  const { filter: condition, projection } = compiled;
  if (bound !== undefined && condition !== undefined) {
    checkFilterKeys(condition, table.key, "Filter Expression");
  }
  return {
    passes: (item) =>
      (bound === undefined ||
        (samePartition(keyValues(table.key.hash, item), bound.hashValues) &&
          keyMatches(keyValues(table.key.range, item), bound))) &&
      (condition === undefined || evaluate(condition, item)),
    projected: (item) => (projection === undefined ? item : project(projection, item)),
  };
}
