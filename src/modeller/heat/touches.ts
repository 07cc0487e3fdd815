import type { KeyText, Segment } from "../../model/key-text.ts";
import type { Pattern, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { backgroundOf } from "../plans/background.ts";
import {
  type Binding,
  type Bindings,
  type Plan,
  type ReadRequest,
  touchedBy,
  type WriteAction,
  type WriteRequest,
} from "../plans/plan.ts";
import { type Structure, structuresOf, tableStructure } from "../plans/structures.ts";
import type { MadeKey, Membership, StoredRecord } from "../records/record.ts";
import { readUnitsOf } from "../units/read-units.ts";
import { writeUnitsOf } from "../units/write-units.ts";
import { backgroundCallers } from "./background.ts";
import { withJoint } from "./joint.ts";
import { isInOrderOfTime, partSpread, questionOf, rootOf } from "./part-spread.ts";
import { hottestShare } from "./spread.ts";
import type { Touch, TouchPart, TouchRate } from "./touch.ts";

/** What all patterns ask of partition keys. */
export function touchesOf(facts: Facts, plans: ReadonlyMap<string, Plan>): readonly Touch[] {
  const touching = new Touching(facts);
  for (const { pattern, requests } of plans.values()) {
    const caller: Caller = {
      pattern: pattern.id,
      rate: rateOf(pattern),
      skew: pattern.skew,
    };
    for (const request of requests) {
      if (request.kind === "read") touching.read(caller, request);
      else touching.write(caller, request);
    }
  }
  for (const one of backgroundOf(facts, plans)) {
    for (const caller of backgroundCallers(facts, one)) {
      for (const request of one.requests) {
        if (request.kind === "read") touching.read(caller, request);
        else touching.write(caller, request);
      }
    }
  }
  return touching.touches;
}

function rateOf({ rps: { average, peak } }: Pattern): TouchRate {
  return {
    average: average?.value,
    peak: peak?.value,
    assumed: (average?.assumed ?? false) || (peak?.assumed ?? false),
  };
}

/** Whoever makes requests: a pattern, or the design by itself. */
export interface Caller {
  readonly pattern: string | undefined;
  readonly rate: TouchRate;
  readonly skew: Pattern["skew"];
  /** What it does, if requests do not say it. */
  readonly what?: string;
  readonly assumptions?: readonly string[];
}

/** Turns requests into touches of keys. */
export class Touching {
  readonly touches: Touch[] = [];
  private readonly facts: Facts;
  private group = 0;

  constructor(facts: Facts) {
    this.facts = facts;
  }

  read(caller: Caller, request: ReadRequest): void {
    const { operation, table, index, record, bindings, times, consistent } = request;
    const { total } = readUnitsOf(this.facts, request);
    const count = (...whys: readonly string[]): number =>
      times.reduce((product, one) => (whys.includes(one.why) ? product * one.count : product), 1);
    const { dax } = table;
    const isCached =
      dax !== undefined &&
      !consistent &&
      operation !== "TransactGetItems" &&
      caller.pattern !== undefined &&
      (dax.patterns.length === 0 || dax.patterns.includes(caller.pattern));
    const key = this.keyOf(
      caller,
      record,
      request.partition,
      bindings,
      [],
      count("shards") > 1 ? "gather" : "known",
    );
    const assumptions = [
      ...key.assumptions,
      ...(isCached && dax.hitRate?.assumed ? [`how many reads of ${table.name} DAX answers`] : []),
    ];
    const open =
      isCached && dax.hitRate === undefined
        ? [...key.open, `How many reads of ${table.name} does DAX answer? (hitRate)`]
        : key.open;
    this.touches.push({
      ...key,
      assumptions,
      open,
      pattern: caller.pattern,
      what: caller.what ?? operation,
      table,
      index: index?.local === true ? undefined : index,
      record,
      direction: "read",
      group: this.group++,
      rate: caller.rate,
      units: total / count("periods"),
      keys: Math.max(1, count("values", "span", "results", "batch")),
      distinct: true,
      uncached: isCached ? 1 - (dax.hitRate?.value ?? 0) : 1,
      scan: operation === "Scan",
      monotonic: undefined,
    });
  }

  write(caller: Caller, request: WriteRequest): void {
    for (const { action, table, indexes } of writeUnitsOf(this.facts, request)) {
      const { record, bindings, count, kind } = action;
      const group = this.group++;
      const structure = tableStructure(record);
      const local = indexes
        .filter(({ membership }) => membership.index.local)
        .reduce((sum, { units }) => sum + units, 0);
      const touch = {
        pattern: caller.pattern,
        table: record.table,
        record,
        direction: "write",
        group,
        rate: caller.rate,
        keys: count,
        distinct: false,
        uncached: 1,
        scan: false,
      } as const;
      this.touches.push({
        ...touch,
        ...this.keyOf(caller, record, structure.partition, bindings, [], "drawn"),
        what: caller.what ?? `${kind} ${record.name}`,
        index: undefined,
        units: table + local,
        monotonic: kind === "put" ? this.monotonic(structure) : undefined,
      });
      for (const { membership, units } of indexes) {
        if (membership.index.local) continue;
        for (const { bindings: own, share } of sidesOf(action, membership)) {
          this.touches.push({
            ...touch,
            ...this.keyOf(caller, record, membership.partition, own, membership.only, "drawn"),
            what: caller.what ?? `entry of ${record.name}`,
            index: membership.index,
            units: units * share,
            monotonic: kind === "put" ? this.monotonic(inIndex(record, membership)) : undefined,
          });
        }
      }
    }
  }

  private keyOf(
    caller: Caller,
    record: StoredRecord,
    partition: readonly { readonly text: KeyText }[],
    bindings: Bindings,
    only: readonly Predicate[],
    how: "drawn" | "gather" | "known",
  ): Pick<Touch, "texts" | "parts" | "shards" | "shardShare" | "gathers" | "assumptions" | "open"> {
    const { facts } = this;
    const { entity } = record;
    const assumptions: string[] = [...(caller.assumptions ?? [])];
    const open: string[] = [];
    const parts: TouchPart[] = [];
    const spreadOf = (segment: {
      readonly attribute: string;
      readonly transforms: Extract<Segment, { kind: "attribute" }>["transforms"];
    }): TouchPart => {
      const { attribute: name, transforms } = segment;
      const found = partSpread({
        facts,
        entity,
        name,
        transforms,
        skew: caller.skew,
        binding: bindings.get(name),
        only,
      });
      assumptions.push(...found.assumptions);
      open.push(...found.open);
      return {
        attribute: `${entity.name}.${name}`,
        root: rootOf(facts, entity, name),
        spread: found.spread,
      };
    };
    const segments = partition.flatMap(({ text }) => text.segments);
    const names: string[] = [];
    for (const segment of segments) {
      if (segment.kind !== "attribute") continue;
      names.push(segment.attribute);
      parts.push(spreadOf(segment));
    }
    const made = withJoint(facts, entity, names, parts);
    if (made.joint?.assumed) assumptions.push(`how many ${made.joint.from} there are`);
    let [shards, shardShare] = [1, 1];
    for (const segment of segments) {
      if (segment.kind !== "shard") continue;
      const { count, by } = segment;
      shards *= count;
      if (by.kind === "random" || how === "gather") shardShare /= count;
      else if (by.kind === "calculated") {
        // A number that follows from the rest of the key makes no further places.
        const follows = segments.some(
          (one) => one.kind === "attribute" && one.attribute === by.attribute,
        );
        if (!follows) shardShare *= Math.max(1 / count, hottestShare(spreadOf(by).spread));
      }
      // A shard by time is the same for all that is written now.
    }
    return {
      texts: partition.map(({ text }) => text),
      parts: made.parts,
      shards,
      shardShare,
      gathers: how === "gather",
      assumptions: [...new Set(assumptions)],
      open: [...new Set(open)].filter(
        (question) =>
          made.joint?.names.every((name) => questionOf(`${entity.name}.${name}`) !== question) ??
          true,
      ),
    };
  }

  /** Whether new items come in the order of their sort keys. */
  private monotonic({ sort, record }: Structure): Touch["monotonic"] {
    const first = sort
      .flatMap(({ text }) => text.segments)
      .find((segment) => segment.kind !== "text");
    if (first?.kind !== "attribute") return undefined;
    if (!isInOrderOfTime(record.entity.attributes.get(first.attribute))) return undefined;
    return first.transforms.some(({ kind }) => kind === "descending") ? "falling" : "rising";
  }
}

function inIndex(record: StoredRecord, { index }: Membership): Structure {
  return structuresOf(record).find((one) => one.index === index) ?? tableStructure(record);
}

/**
 * An update that changes the key of an index entry takes it from one place and puts it in another: what the condition
 * says is the one, what the change says the other.
 */
function sidesOf(
  { kind, bindings, changes, condition, also }: WriteAction,
  { partition }: Membership,
): readonly { readonly bindings: Bindings; readonly share: number }[] {
  const names = new Set(partition.flatMap(attributeNames));
  if (kind !== "update" || ![...touchedBy(changes)].some((name) => names.has(name))) {
    return [{ bindings, share: 1 }];
  }
  const [before, after] = [new Map<string, Binding>(bindings), new Map<string, Binding>(bindings)];
  const conditions = [...(condition?.kind === "where" ? condition.predicates : []), ...also];
  for (const { attribute, operator, operands } of conditions) {
    const [first] = operands;
    if (operator === "equals" && first?.kind === "constant") before.set(attribute, first);
  }
  for (const { attribute, to } of changes.sets) after.set(attribute, to);
  return [
    { bindings: before, share: 0.5 },
    { bindings: after, share: 0.5 },
  ];
}

function attributeNames({ text }: MadeKey): readonly string[] {
  return text.segments.flatMap((one) => (one.kind === "attribute" ? [one.attribute] : []));
}
