import * as errors from "../api/errors/streams.ts";
import type { StreamSpecification } from "../api/requests/shared.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { closeStream, reshardingWrites } from "../engine/stream-changes.ts";
import type { StreamDescriptor, StreamViewType } from "../engine/stream-descriptor.ts";
import type { Write } from "../storage/store.ts";
import type { Context } from "./operation.ts";

/** What a request for a new table says of its stream. */
export function checkNewStream(request: StreamSpecification | undefined): void {
  if (request === undefined) return;
  const { StreamEnabled: enabled, StreamViewType: viewType } = request;
  if (enabled && viewType === undefined) throw errors.enabledStreamWithoutView();
  if (!enabled && viewType !== undefined) throw errors.disabledStreamWithView();
}

export function checkStreamUpdate(request: StreamSpecification | undefined): void {
  if (request === undefined) return;
  const { StreamEnabled: enabled, StreamViewType: viewType } = request;
  if (enabled && viewType === undefined) throw errors.viewOfEnabledStreamMissing();
  if (!enabled && viewType !== undefined) throw errors.viewOfDisabledStream();
}

/** A new table with the stream that the request wants, and what is written for it. */
export async function withNewStream(
  { database }: Context,
  table: TableDescriptor,
  { StreamSpecification: wanted }: { readonly StreamSpecification?: StreamSpecification },
  id: number,
): Promise<{ readonly table: TableDescriptor; readonly writes: readonly Write[] }> {
  if (wanted?.StreamEnabled !== true) return { table, writes: [] };
  const { streams, transitionMs } = database;
  const { stream, writes } = streams.opening(table, 0, {
    id,
    label: await streams.freeLabel(table.namespace, table.name),
    viewType: wanted.StreamViewType as StreamViewType,
    now: table.createdAt,
    transitionMs,
  });
  return { table: { ...table, stream }, writes };
}

/** All that has to be known before the table is changed. */
export interface StreamPlan {
  readonly request: StreamSpecification | undefined;
  readonly id: number;
  readonly label: string;
  readonly tableBytes: number;
}

export async function planStream(
  { database, namespace }: Context,
  table: TableDescriptor,
  request: StreamSpecification | undefined,
): Promise<StreamPlan> {
  if (request === undefined && table.stream === undefined) {
    return { request, id: 0, label: "", tableBytes: 0 };
  }
  const opens = request?.StreamEnabled === true;
  return {
    request,
    id: opens ? await database.catalog.takeIds(1) : 0,
    label: opens ? await database.streams.freeLabel(namespace, table.name) : "",
    tableBytes: (await database.totals(table.id)).bytes,
  };
}

export interface StreamUpdate {
  /** The same table with its stream after the request. */
  readonly apply: (table: TableDescriptor) => TableDescriptor;
  readonly writes: readonly Write[];
}

const noUpdate: StreamUpdate = { apply: (table) => table, writes: [] };

/** What becomes of a table's stream when the table is changed. Throws to refuse. */
export function updatedStream(
  { database }: Context,
  before: TableDescriptor,
  after: TableDescriptor,
  { request, id, label, tableBytes }: StreamPlan,
): StreamUpdate {
  const { streams, transitionMs, clock } = database;
  const now = clock.now();
  if (request === undefined) {
    const growth = streams.growth(after, tableBytes, now);
    if (growth === undefined) return noUpdate;
    return { apply: setTo(growth.stream), writes: reshardingWrites(growth, now) };
  }
  if (!request.StreamEnabled) {
    if (before.stream === undefined) throw errors.noStreamToDisable(before.name);
    const writes = closeStream(before, before.stream, now, transitionMs);
    return { apply: removed, writes };
  }
  if (before.stream !== undefined) throw errors.streamAlreadyEnabled(before.name);
  const viewType = request.StreamViewType as StreamViewType;
  const opening = { id, label, viewType, now, transitionMs };
  const { stream, writes } = streams.opening(after, tableBytes, opening);
  return { apply: setTo(stream), writes };
}

function setTo(stream: StreamDescriptor): StreamUpdate["apply"] {
  return ({ formerStreamLabel: _, ...table }) => ({ ...table, stream });
}

function removed({ stream, ...table }: TableDescriptor): TableDescriptor {
  return stream === undefined ? table : { ...table, formerStreamLabel: stream.label };
}
