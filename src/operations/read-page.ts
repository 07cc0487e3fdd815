import {
  allAttributesOnGlobalIndex,
  consistentReadOnGlobalIndex,
  globalIndexDoesNotProject,
  indexDoesNotProjectFilter,
  indexNotFound,
  indexNotReady,
  projectedAttributesWithoutIndex,
  selectWithAttributes,
  specificAttributesMissing,
} from "../api/errors/read.ts";
import type * as shared from "../api/requests/shared.ts";
import { RawJson } from "../api/response-json.ts";
import { TableUnits } from "../capacity/consumed.ts";
import { readUnits } from "../capacity/metering.ts";
import { findIndex, type IndexDescriptor, type TableDescriptor } from "../engine/descriptor.ts";
import { projectedNames } from "../engine/index-entries.ts";
import type { Page } from "../engine/read.ts";
import type { StoredItem } from "../engine/stored-item.ts";
import { project } from "../expressions/project.ts";
import type { Path, Projection } from "../expressions/tree.ts";
import type { Item } from "../item/attribute-value.ts";
import type { KeyRange } from "../storage/store.ts";
import type { Context } from "./operation.ts";

/** What Query and Scan have in common. */
export interface ReadRequest {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly Select?: shared.Select;
  readonly AttributesToGet?: readonly string[];
  readonly ProjectionExpression?: string;
  readonly ConsistentRead?: boolean;
  readonly ReturnConsumedCapacity?: shared.ReturnConsumedCapacity;
}

/** Select against the parameters beside it. `envelope` counts two of the complaints as one error. */
export function checkSelect(
  { Select, AttributesToGet, ProjectionExpression, IndexName }: ReadRequest,
  envelope: <T>(check: () => T) => T,
): void {
  const parameter =
    ProjectionExpression !== undefined
      ? "ProjectionExpression"
      : AttributesToGet !== undefined
        ? "AttributesToGet"
        : undefined;
  if (Select === "SPECIFIC_ATTRIBUTES" && parameter === undefined) {
    envelope(() => {
      throw specificAttributesMissing();
    });
  }
  if (Select !== undefined && Select !== "SPECIFIC_ATTRIBUTES" && parameter !== undefined) {
    throw selectWithAttributes(parameter, Select);
  }
  if (Select === "ALL_PROJECTED_ATTRIBUTES" && IndexName === undefined) {
    envelope(() => {
      throw projectedAttributesWithoutIndex();
    });
  }
}

/** The index that is read, if one is named. */
export function indexOf(
  table: TableDescriptor,
  { IndexName, ConsistentRead }: ReadRequest,
): IndexDescriptor | undefined {
  if (IndexName === undefined) return undefined;
  const index = findIndex(table, IndexName);
  if (index === undefined) throw indexNotFound(IndexName);
  if (index.kind === "global" && ConsistentRead === true) throw consistentReadOnGlobalIndex();
  if (!index.ready) throw indexNotReady(IndexName);
  return index;
}

/**
 * Whether what is asked for is more than the index holds. A local index makes up for it with the table,
 * a global one cannot.
 */
export function needsTable(
  table: TableDescriptor,
  index: IndexDescriptor | undefined,
  { Select }: ReadRequest,
  projection: Projection | undefined,
): boolean {
  if (index === undefined || index.projection.type === "ALL") return false;
  if (Select === "ALL_ATTRIBUTES") {
    if (index.kind === "global") throw allAttributesOnGlobalIndex(index.name);
    return true;
  }
  if (projection === undefined) return false;
  const missing = notProjected(table, index, projection.paths);
  if (missing.length === 0) return false;
  if (index.kind === "global") throw globalIndexDoesNotProject(index.name, missing);
  return true;
}

/** A query filters what its index holds; a scan takes other attributes for missing. */
export function checkFilterProjected(
  table: TableDescriptor,
  index: IndexDescriptor | undefined,
  paths: readonly Path[],
): void {
  if (index === undefined || index.projection.type === "ALL") return;
  const missing = notProjected(table, index, paths);
  if (missing.length > 0) throw indexDoesNotProjectFilter(index.name, missing);
}

function notProjected(
  table: TableDescriptor,
  index: IndexDescriptor,
  paths: readonly Path[],
): string[] {
  const held = projectedNames(table, index);
  const names = paths.map(({ steps }) => steps[0]).filter((name) => !held.has(name));
  return [...new Set(names)];
}

/** What a page is taken from. */
export interface PageSource {
  readonly table: TableDescriptor;
  readonly index: IndexDescriptor | undefined;
  readonly range: KeyRange;
  /** The key that all items of the page share, as far as it is known. */
  readonly key: Item;
}

export function pageAnswer(
  context: Context,
  operation: string,
  request: ReadRequest,
  source: PageSource,
  projection: Projection | undefined,
  page: Page,
): object {
  const { table, index } = source;
  tellPage(context, operation, request, source, page);
  let bytes = 0;
  for (let i = 0; i < page.items.length; i += 1) bytes += (page.items[i] as StoredItem).size;
  context.traffic.answered(context, operation, table, page.items.length, bytes);
  const answer: Record<string, unknown> = {};
  if (request.Select !== "COUNT") {
    answer.Items =
      projection === undefined
        ? page.items.map(({ json }) => new RawJson(json))
        : page.items.map(({ item }) => project(projection, item));
  }
  answer.Count = page.items.length;
  answer.ScannedCount = page.scanned;
  if (page.lastKey !== undefined) answer.LastEvaluatedKey = page.lastKey;
  if (request.ReturnConsumedCapacity !== undefined) {
    const units = new TableUnits();
    addPageUnits(units, request, index, page);
    answer.ConsumedCapacity = units.report(request.TableName, request.ReturnConsumedCapacity);
  }
  return answer;
}

/** A page counts where it begins, with all its units. */
export function tellPage(
  context: Context,
  operation: string,
  { ConsistentRead }: Pick<ReadRequest, "ConsistentRead">,
  { table, index, range, key }: PageSource,
  page: Page,
): void {
  const consistent = ConsistentRead === true;
  let units = readUnits(page.evaluatedBytes, consistent);
  for (const bytes of page.fetchedBytes) units += readUnits(bytes, consistent);
  const from = page.firstKey ?? range.start;
  context.traffic.read(context, operation, table, index, from, key, units);
}

export function addPageUnits(
  units: TableUnits,
  { ConsistentRead }: Pick<ReadRequest, "ConsistentRead">,
  index: IndexDescriptor | undefined,
  page: Page,
): void {
  const consistent = ConsistentRead === true;
  const evaluated = readUnits(page.evaluatedBytes, consistent);
  if (index === undefined) units.table += evaluated;
  else units.addIndex(index.kind, index.name, evaluated);
  for (const bytes of page.fetchedBytes) units.table += readUnits(bytes, consistent);
}
