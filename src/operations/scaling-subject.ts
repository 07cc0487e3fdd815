import * as errors from "../api/errors/auto-scaling.ts";
import type { ScalingSubjectRequest } from "../api/requests/auto-scaling.ts";
import { isGone } from "../engine/catalog.ts";
import type {
  IndexDescriptor,
  ScalableTarget,
  ScalableTargets,
  TableDescriptor,
} from "../engine/descriptor.ts";
import type { Context } from "./operation.ts";

export const namespace = "dynamodb";

export type ScalingDirection = "read" | "write";

/** One direction of a table, or of one of its indexes. */
export interface ScalingSubject extends errors.ScalingSubject {
  readonly table: string;
  readonly index: string | undefined;
  readonly direction: ScalingDirection;
}

const resourcePattern = /^table\/([a-zA-Z0-9_.-]+)(?:\/index\/([a-zA-Z0-9_.-]+))?$/;

const directions: readonly ScalingDirection[] = ["read", "write"];

export const dimensionOf = (index: string | undefined, direction: ScalingDirection): string =>
  `${namespace}:${index === undefined ? "table" : "index"}:${
    direction === "read" ? "Read" : "Write"
  }CapacityUnits`;

export const resourceIdOf = (table: string, index: string | undefined): string =>
  `table/${table}${index === undefined ? "" : `/index/${index}`}`;

export function subjectOf(request: ScalingSubjectRequest): ScalingSubject {
  const { ServiceNamespace, ResourceId: resourceId, ScalableDimension: dimension } = request;
  const match = resourcePattern.exec(resourceId);
  const table = match?.[1];
  const index = match?.[2];
  const direction = directions.find((one) => dimensionOf(index, one) === dimension);
  if (ServiceNamespace !== namespace || table === undefined || direction === undefined) {
    throw errors.scalingNotSupported();
  }
  return { namespace, resourceId, dimension, table, index, direction };
}

/** A table or an index: what scales. */
export type Scaled = TableDescriptor | IndexDescriptor;

export function scaledOf(
  table: TableDescriptor | undefined,
  { index, resourceId }: ScalingSubject,
  now: number,
): Scaled {
  if (table === undefined || isGone(table, now)) throw errors.scaledTableNotFound(resourceId);
  if (index === undefined) return table;
  const found = table.indexes.find(({ name, kind }) => name === index && kind === "global");
  if (found === undefined) throw errors.scaledIndexNotFound(resourceId);
  return found;
}

/** Changes the target of one direction; `decide` answers undefined to take it away. */
export function changeTarget<T>(
  { database, namespace: space }: Context,
  subject: ScalingSubject,
  decide: (
    target: ScalableTarget | undefined,
    scaled: Scaled,
    table: TableDescriptor,
  ) => {
    readonly target: ScalableTarget | undefined;
    readonly more?: Partial<Pick<TableDescriptor, "throughput" | "warm">>;
    readonly result: T;
  },
  absent?: () => Error,
): Promise<T> {
  const { catalog, clock } = database;
  return catalog.change(space, subject.table, (table) => {
    const scaled = found(table, subject, clock.now(), absent);
    // What is scaled was found in it.
    const whole = table as TableDescriptor;
    const { target, more, result } = decide(scaled.scaling?.[subject.direction], scaled, whole);
    return { table: withTarget(whole, scaled, subject.direction, target, more ?? {}), result };
  });
}

/** To those who look for a target, a table that is not there is one that has none. */
function found(
  table: TableDescriptor | undefined,
  subject: ScalingSubject,
  now: number,
  absent: (() => Error) | undefined,
): Scaled {
  try {
    return scaledOf(table, subject, now);
  } catch (error) {
    throw absent?.() ?? error;
  }
}

function withTarget(
  table: TableDescriptor,
  scaled: Scaled,
  direction: ScalingDirection,
  target: ScalableTarget | undefined,
  more: Partial<Pick<TableDescriptor, "throughput" | "warm">>,
): TableDescriptor {
  const { [direction]: _, ...others }: ScalableTargets = scaled.scaling ?? {};
  const scaling = target === undefined ? others : { ...others, [direction]: target };
  const version = table.version + 1;
  if (scaled === table) return { ...table, ...more, scaling, version };
  return {
    ...table,
    version,
    indexes: table.indexes.map((index) =>
      index === scaled ? { ...index, ...more, scaling } : index,
    ),
  };
}
