import type { KeyPart, Table } from "../../../model/design.ts";
import type { KeyText, Segment } from "../../../model/key-text.ts";
import type { Model } from "../../../model/model.ts";
import type { Plan, ReadRequest } from "../../plans/plan.ts";
import { structuresOf, tableStructure } from "../../plans/structures.ts";
import type { StoredRecord } from "../../records/record.ts";
import { type KeyUse, type Wrong, whyUnseen } from "./key-reasons.ts";
import { actionsIn, type Mutant, readsIn, same } from "./mutant.ts";

/** Texts of keys that a plan uses: parts swapped or lost, zeros left out, a direction or a case forgotten. */
export function keyMutants(model: Model, plan: Plan): readonly Mutant[] {
  const mutants = new Map<string, Mutant>();
  for (const use of [...readsIn(plan).flatMap((one) => usesOf(plan, one)), ...writtenKeys(plan)]) {
    const { table, index, record } = use;
    // What an index takes from the item as it is has no text that could be wrong.
    if (!textsOf(model, table).has(use.text)) continue;
    for (const wrong of wrongTexts(use)) {
      const name = `${wrong.what} in ${index?.name ?? table.name}.${use.attribute} of ${record.name}`;
      const reason = whyUnseen(use, wrong);
      const known = mutants.get(name);
      // One use that can tell is enough.
      if (known !== undefined && known.reason === undefined) continue;
      mutants.set(name, {
        name,
        operator: { kind: "key", entity: record.entity.name, attributes: attributesAt(use, wrong) },
        model: withText(model, table, use.text, wrong.text),
        requests: same,
        ...(reason !== undefined && { reason }),
      });
    }
  }
  return [...mutants.values()];
}

function attributesAt({ text }: KeyUse, { at }: Wrong): readonly string[] {
  return at.flatMap((place) => {
    const segment = text.segments[place];
    return segment?.kind === "attribute" ? [segment.attribute] : [];
  });
}

/** Every key attribute of the table or index that is read, and what is known of it. */
function usesOf(plan: Plan, request: ReadRequest): readonly KeyUse[] {
  const { table, index, record, operation } = request;
  if (operation === "Scan") return [];
  const structure = structuresOf(record).find((one) => one.index === index);
  if (structure === undefined) return [];
  const isKey = operation !== "Query";
  const known = (text: KeyText, name: string, isPartition: boolean): number => {
    if (isKey || isPartition) return text.segments.length;
    const condition = request.sort.find(({ attribute }) => attribute.name === name);
    if (condition === undefined) return 0;
    return condition.kind === "equals" ? text.segments.length : condition.segments;
  };
  const use = (text: KeyText, name: string, isPartition: boolean): KeyUse => ({
    plan,
    request,
    table,
    index,
    record,
    text,
    attribute: name,
    isPartition,
    known: known(text, name, isPartition),
    compared: request.sort.find(({ attribute }) => attribute.name === name)?.predicate?.attribute,
  });
  return [
    ...structure.partition.map(({ attribute, text }) => use(text, attribute.name, true)),
    ...structure.sort.map(({ attribute, text }) => use(text, attribute.name, false)),
  ];
}

/** The keys of what a plan writes: all of them are known. */
function writtenKeys(plan: Plan): readonly KeyUse[] {
  const records = new Set<StoredRecord>(
    actionsIn(plan).flatMap(({ record, kind }) => (kind === "check" ? [] : [record])),
  );
  return [...records].flatMap((record) => {
    const { table, partition, sort } = tableStructure(record);
    const all = [...partition, ...sort];
    return all.map(
      ({ text, attribute }, i): KeyUse => ({
        plan,
        request: undefined,
        table,
        index: undefined,
        record,
        text,
        attribute: attribute.name,
        isPartition: i === 0,
        known: text.segments.length,
        compared: undefined,
      }),
    );
  });
}

function wrongTexts({ text, isPartition, known, request, record }: KeyUse): readonly Wrong[] {
  const made = (segments: readonly Segment[]): KeyText => ({
    segments,
    native: undefined,
    text: segments.map(segmentText).join(""),
    offsets: offsetsOf(segments),
  });
  const wrong: Wrong[] = [];
  const places = text.segments.flatMap((segment, i) => (segment.kind === "attribute" ? [i] : []));
  for (const [i, first] of isPartition || request === undefined ? [] : places.entries()) {
    const second = places[i + 1];
    if (second === undefined) continue;
    const swapped = [...text.segments];
    [swapped[first], swapped[second]] = [swapped[second] as Segment, swapped[first] as Segment];
    wrong.push({
      kind: "swapped",
      what: "parts swapped",
      text: made(swapped),
      at: [first, second],
    });
  }
  for (const at of places) {
    const segment = text.segments[at] as Segment & { readonly kind: "attribute" };
    for (const kind of ["pad", "descending", "lower", "upper", "truncate"] as const) {
      const transforms = segment.transforms.filter((one) => one.kind !== kind);
      if (transforms.length === segment.transforms.length) continue;
      // A whole key that is known is the same with or without zeros, and in either direction.
      const isSilent = (kind === "pad" || kind === "descending") && request === undefined;
      if (isSilent || (isPartition && (kind === "pad" || kind === "descending"))) continue;
      const changed = text.segments.with(at, { ...segment, transforms });
      wrong.push({ kind, what: `${kind} left out`, text: made(changed), at: [at] });
    }
    // A key that is a number by itself cannot become a text.
    const isNumber = text.native !== undefined && typeOf(record, text.native) !== "S";
    // What tells nothing apart is for those to find out who read.
    const isTelling = record.role === "unique" || record.entity.id.includes(segment.attribute);
    if (at >= known || isNumber || (request === undefined && !isTelling)) continue;
    const lost = text.segments.with(at, { kind: "text", text: "-" });
    const what = `${segment.attribute} lost`;
    wrong.push({ kind: "lost", what, text: made(lost), at: [at] });
  }
  return wrong;
}

function typeOf({ entity }: StoredRecord, name: string): string | undefined {
  return entity.attributes.get(name)?.type;
}

/** All texts of keys that a table's items are made with. */
function textsOf({ design }: Model, table: Table): ReadonlySet<KeyText> {
  const parts: KeyPart[] = [...(table.versioning?.key ?? [])];
  for (const { key, splits } of table.placements.values()) {
    parts.push(...key, ...splits.flatMap((split) => split.key));
  }
  for (const { members } of table.indexes.values()) {
    parts.push(...[...members.values()].flatMap(({ sets }) => sets));
  }
  for (const { unique } of design?.tables.values() ?? []) {
    parts.push(...unique.flatMap(({ key }) => key));
  }
  return new Set(parts.map(({ text }) => text));
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
  const { versioning } = table;
  const unique = (one: Table["unique"][number]): Table["unique"][number] => ({
    ...one,
    key: parts(one.key),
  });
  const design = withTable(model, {
    ...table,
    ...(versioning && { versioning: { ...versioning, key: parts(versioning.key) } }),
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
  }).design;
  if (design === undefined) return model;
  // Look-up items are described with the entity, and may lie in another table.
  const tables = new Map(
    [...design.tables].map(([name, one]) => [name, { ...one, unique: one.unique.map(unique) }]),
  );
  return { ...model, design: { ...design, tables } };
}

export function withTable(model: Model, table: Table): Model {
  if (model.design === undefined) return model;
  const tables = new Map([...model.design.tables, [table.name, table]]);
  return { ...model, design: { ...model.design, tables } };
}
