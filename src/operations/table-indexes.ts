import * as errors from "../api/errors/table.ts";
import { globalIndexesMax, localIndexesMax, projectedAttributesMax } from "../api/limits.ts";
import type { GlobalSecondaryIndex, LocalSecondaryIndex } from "../api/requests/create-table.ts";
import type { KeySchemaElement, Projection } from "../api/requests/shared.ts";
import type { BillingMode, IndexDescriptor, IndexProjection } from "../engine/descriptor.ts";
import { checkGlobalKey, checkPair, type Definitions } from "./table-keys.ts";
import { checkIndexThroughput } from "./table-throughput.ts";

export function checkLocalIndexes(
  indexes: readonly LocalSecondaryIndex[],
  tableKey: readonly KeySchemaElement[],
  definitions: Definitions,
  names: Set<string>,
): void {
  if (indexes.length === 0) throw errors.emptyIndexList("LocalSecondaryIndexes");
  const [tableHash, tableRange] = tableKey;
  if (tableHash === undefined || tableRange === undefined) throw errors.localIndexNeedsTableRange();
  for (const { IndexName: name, KeySchema: key, Projection: projection } of indexes) {
    checkPair(key, definitions);
    const [hash, range] = key;
    if (hash === undefined || range === undefined) throw errors.localIndexWithoutRange(name);
    if (hash.AttributeName !== tableHash.AttributeName) {
      throw errors.localIndexHashDiffers(name, hash.AttributeName, tableHash.AttributeName);
    }
    checkProjection(projection);
    takeName(name, names);
  }
  if (indexes.length > localIndexesMax) throw errors.tooManyLocalIndexes(localIndexesMax);
}

export function checkGlobalIndexes(
  indexes: readonly GlobalSecondaryIndex[],
  billingMode: BillingMode,
  definitions: Definitions,
  names: Set<string>,
): void {
  if (indexes.length === 0) throw errors.emptyIndexList("GlobalSecondaryIndexes");
  for (const index of indexes) {
    checkGlobalIndex(index, billingMode, definitions);
    takeName(index.IndexName, names);
  }
  if (indexes.length > globalIndexesMax) throw errors.tooManyGlobalIndexes(globalIndexesMax);
}

export function checkGlobalIndex(
  index: GlobalSecondaryIndex,
  billingMode: BillingMode,
  definitions: Definitions,
): void {
  checkGlobalKey(index.KeySchema, definitions);
  checkProjection(index.Projection);
  checkIndexThroughput(index, billingMode);
}

function takeName(name: string, names: Set<string>): void {
  if (names.has(name)) throw errors.duplicateIndexName(name);
  names.add(name);
}

function checkProjection(projection: Projection): void {
  const { ProjectionType: type, NonKeyAttributes: attributes } = projection;
  if (type === undefined) throw errors.projectionTypeMissing();
  if (type !== "INCLUDE") {
    if (attributes !== undefined) throw errors.nonKeyAttributesGiven(type);
    return;
  }
  if (attributes === undefined) throw errors.nonKeyAttributesMissing();
  const seen = new Set<string>();
  for (const name of attributes) {
    if (seen.has(name)) throw errors.nonKeyAttributeTwice(name);
    seen.add(name);
  }
}

export function projectionOf(projection: Projection): IndexProjection {
  return {
    type: projection.ProjectionType ?? "ALL",
    attributes: projection.NonKeyAttributes ?? [],
  };
}

export function checkProjectedTotal(indexes: readonly Pick<IndexDescriptor, "projection">[]): void {
  let total = 0;
  for (const { projection } of indexes) total += projection.attributes.length;
  if (total > projectedAttributesMax) throw errors.tooManyProjected(projectedAttributesMax);
}
