import type { Index, KeyPart, Table } from "../../model/design.ts";
import type { KeyText, Segment } from "../../model/key-text.ts";
import type { Model } from "../../model/model.ts";
import type { Plan, PlannedRequest, ReadRequest, WriteAction } from "../plans/plan.ts";

/** A design or a plan that is wrong in one place. */
export interface Mutant {
  readonly name: string;
  /** The design that data is stored by. */
  readonly model: Model;
  /** What is done to the requests; their keys follow the design. */
  readonly requests: (requests: readonly PlannedRequest[]) => readonly PlannedRequest[];
}

/** What can be wrong with how a pattern is carried out. */
export function mutantsOf(model: Model, plan: Plan): readonly Mutant[] {
  return [
    ...keyMutants(model, plan),
    ...projectionMutants(model, plan),
    ...planMutants(model, plan),
  ];
}

const same = (requests: readonly PlannedRequest[]): readonly PlannedRequest[] => requests;

function reads(plan: Plan): readonly ReadRequest[] {
  return plan.requests.flatMap((request) => (request.kind === "read" ? [request] : []));
}

/** Texts of keys that a plan uses: parts swapped, zeros left out, a direction lost. */
function keyMutants(model: Model, plan: Plan): readonly Mutant[] {
  const mutants = new Map<string, Mutant>();
  for (const { table, index, record, sort, operation } of reads(plan)) {
    if (operation !== "Query") continue;
    for (const { attribute, text } of [...sort, ...openSort(record, index)]) {
      for (const [what, wrong] of wrongTexts(text)) {
        const name = `${what} in ${index?.name ?? table.name}.${attribute.name} of ${record.name}`;
        mutants.set(name, { name, model: withText(model, table, text, wrong), requests: same });
      }
    }
  }
  return [...mutants.values()];
}

/** Sort keys that no condition names still give the order. */
function openSort(
  record: ReadRequest["record"],
  index: Index | undefined,
): readonly { readonly attribute: { readonly name: string }; readonly text: KeyText }[] {
  if (index === undefined) {
    return record.key
      .slice(1)
      .map(({ attribute, text }) => ({ attribute: { name: attribute }, text }));
  }
  return record.memberships.find((one) => one.index === index)?.sort ?? [];
}

function wrongTexts(text: KeyText): readonly (readonly [string, KeyText])[] {
  const made = (segments: readonly Segment[]): KeyText => ({
    ...text,
    segments,
    text: segments.map(segmentText).join(""),
    offsets: offsetsOf(segments),
  });
  const wrong: (readonly [string, KeyText])[] = [];
  const places = text.segments.flatMap((segment, i) => (segment.kind === "attribute" ? [i] : []));
  const [first, second] = places;
  if (first !== undefined && second !== undefined) {
    const swapped = [...text.segments];
    [swapped[first], swapped[second]] = [swapped[second] as Segment, swapped[first] as Segment];
    wrong.push(["parts swapped", made(swapped)]);
  }
  for (const kind of ["pad", "descending", "lower"] as const) {
    const without = text.segments.map((segment) =>
      segment.kind === "attribute"
        ? { ...segment, transforms: segment.transforms.filter((one) => one.kind !== kind) }
        : segment,
    );
    if (JSON.stringify(without) !== JSON.stringify(text.segments)) {
      wrong.push([`${kind} left out`, made(without)]);
    }
  }
  return wrong;
}

/** Not the text of a document, but one that tells texts apart. */
function segmentText(segment: Segment): string {
  return segment.kind === "text" ? segment.text : `{${JSON.stringify(segment)}}`;
}

function offsetsOf(segments: readonly Segment[]): readonly number[] {
  let at = 0;
  return segments.map((segment) => {
    const start = at;
    at += segmentText(segment).length;
    return start;
  });
}

/** Another text wherever a table or its indexes have one. */
function withText(model: Model, table: Table, text: KeyText, wrong: KeyText): Model {
  const parts = (list: readonly KeyPart[]): readonly KeyPart[] =>
    list.map((part) => (part.text === text ? { ...part, text: wrong } : part));
  return withTable(model, {
    ...table,
    placements: new Map(
      [...table.placements].map(([name, placement]) => [
        name,
        {
          ...placement,
          key: parts(placement.key),
          splits: placement.splits.map((split) => ({ ...split, key: parts(split.key) })),
        },
      ]),
    ),
    indexes: new Map(
      [...table.indexes].map(([name, index]) => [
        name,
        {
          ...index,
          members: new Map(
            [...index.members].map(([entity, member]) => [
              entity,
              { ...member, sets: parts(member.sets) },
            ]),
          ),
        },
      ]),
    ),
  });
}

function withTable(model: Model, table: Table): Model {
  if (model.design === undefined) return model;
  const tables = new Map([...model.design.tables, [table.name, table]]);
  return { ...model, design: { ...model.design, tables } };
}

/** An attribute that is asked for is not in the index. */
function projectionMutants(model: Model, plan: Plan): readonly Mutant[] {
  return reads(plan).flatMap((request): readonly Mutant[] => {
    const { table, index, record, returns } = request;
    if (index === undefined || index.local || index.projection === "keys") return [];
    const all =
      index.projection === "all" ? [...record.entity.attributes.keys()] : index.projection;
    // What is in a key is in the index all the same.
    const membership = record.memberships.find((one) => one.index === index);
    const keys = [...(membership?.partition ?? []), ...(membership?.sort ?? []), ...record.key];
    const held = new Set(keys.flatMap(({ text }) => text.native ?? []));
    const [lost] = returns.filter((name) => all.includes(name) && !held.has(name));
    if (lost === undefined) return [];
    const without = { ...index, projection: all.filter((name) => name !== lost) };
    const indexes = new Map([...table.indexes, [index.name, without]]);
    const name = `${lost} missing from ${index.name}`;
    return [{ name, model: withTable(model, { ...table, indexes }), requests: same }];
  });
}

function planMutants(model: Model, plan: Plan): readonly Mutant[] {
  const mutants: Mutant[] = [];
  const add = (name: string, change: (request: PlannedRequest) => PlannedRequest): void => {
    mutants.push({ name, model, requests: (requests) => requests.map(change) });
  };
  const some = (holds: (request: ReadRequest) => boolean): boolean => reads(plan).some(holds);
  const [action] = plan.pattern.actions;
  if (some(({ times }) => times.some(({ why }) => why === "shards"))) {
    add("a shard is not asked", (request) =>
      request.kind === "read" ? fewerShards(request) : request,
    );
  }
  if ((action?.order.length ?? 0) > 0 && some(({ operation }) => operation === "Query")) {
    add("read in the other direction", (request) =>
      request.kind === "read" ? { ...request, forward: !request.forward } : request,
    );
  }
  if (some(({ filter }) => filter.length > 0)) {
    add("a filter is left out", (request) =>
      request.kind === "read" ? { ...request, filter: request.filter.slice(1) } : request,
    );
  }
  const writes = plan.requests.flatMap((request) =>
    request.kind === "write" ? request.actions : [],
  );
  const without = (name: string, change: (action: WriteAction) => readonly WriteAction[]): void =>
    add(name, (request) =>
      request.kind === "write" ? { ...request, actions: request.actions.flatMap(change) } : request,
    );
  if (writes.some(({ condition, also }) => condition !== undefined || also.length > 0)) {
    without("conditions are left out", (one) => [{ ...one, condition: undefined, also: [] }]);
  }
  if (writes.some(({ because }) => because !== undefined)) {
    without("what goes with it is left out", (one) => (one.because === undefined ? [one] : []));
  }
  if (
    writes.some(
      ({ kind, record }) =>
        kind !== "check" && record.attributes.some((one) => one.membership !== undefined),
    )
  ) {
    without("keys of indexes are not kept", (one) => [
      {
        ...one,
        record: {
          ...one.record,
          attributes: one.record.attributes.filter((a) => a.membership === undefined),
        },
      },
    ]);
  }
  if (writes.some(({ changes }) => changes.adds.length > 0)) {
    without("numbers are set, not added to", (one) => [
      {
        ...one,
        changes: { ...one.changes, adds: one.changes.adds.map((add) => ({ ...add, amount: 0 })) },
      },
    ]);
  }
  return mutants;
}

/** The last shard is forgotten by readers; the text for writing is another one. */
function fewerShards(request: ReadRequest): ReadRequest {
  const partition = request.partition.map((condition) => ({
    ...condition,
    text: {
      ...condition.text,
      segments: condition.text.segments.map((segment) =>
        segment.kind === "shard" ? { ...segment, count: segment.count - 1 } : segment,
      ),
    },
  }));
  return { ...request, partition };
}
