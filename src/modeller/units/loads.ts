import type { Billing, Index, Table } from "../../model/design.ts";
import {
  globalTableOverheadBytes,
  itemOverheadBytes,
  type Load,
  type LoadLine,
  none,
} from "../cost/load.ts";
import type { Facts } from "../facts.ts";
import { type Background, backgroundOf } from "../plans/background.ts";
import type { Plan, PlannedRequest } from "../plans/plan.ts";
import { type Arm, estimateRun, type RunEstimate } from "./estimate.ts";

/** What all patterns together ask of each table and index, and what could not be counted. */
export interface Loads {
  readonly loads: readonly Load[];
  readonly patterns: ReadonlyMap<string, RunEstimate>;
  readonly background: readonly (Background & { readonly estimate: RunEstimate })[];
  /** Patterns and sizes that are missing, each as a sentence. */
  readonly missing: readonly { readonly pattern: string | undefined; readonly why: string }[];
}

/** Worked out once for the same plans. */
export function loadsOf(facts: Facts, plans: ReadonlyMap<string, Plan>): Loads {
  const known = loaded.get(plans);
  if (known?.facts === facts) return known.loads;
  const loads = workOut(facts, plans);
  loaded.set(plans, { facts, loads });
  return loads;
}

const loaded = new WeakMap<
  ReadonlyMap<string, Plan>,
  { readonly facts: Facts; readonly loads: Loads }
>();

function workOut(facts: Facts, plans: ReadonlyMap<string, Plan>): Loads {
  const patterns = new Map(
    [...plans].map(([id, { requests }]) => [id, estimateRun(facts, requests)] as const),
  );
  const background = backgroundOf(facts, plans).map((one) => ({
    ...one,
    estimate: estimateRun(facts, one.requests),
  }));
  const missing: { pattern: string | undefined; why: string }[] = [];
  const lines: Line[] = [];
  for (const [id, plan] of plans) {
    const estimate = patterns.get(id) as RunEstimate;
    if (plan.requests.length === 0) continue;
    const { average, peak } = plan.pattern.rps;
    for (const name of estimate.unknown)
      missing.push({ pattern: id, why: `the size of ${name} is not known` });
    if (average === undefined) {
      missing.push({ pattern: id, why: "how often it happens on average is not known" });
      continue;
    }
    const rate = { average: average.value, peak: (peak ?? average).value };
    const assumed = average.assumed || estimate.assumptions.length > 0;
    lines.push(...linesOf(id, plan.requests, estimate, rate, assumed));
  }
  for (const { name, rate, requests, estimate, problem } of background) {
    if (rate === undefined || problem !== undefined) {
      missing.push({ pattern: undefined, why: `${name}: ${problem ?? "its rate is not known"}` });
    } else lines.push(...linesOf(undefined, requests, estimate, rate, rate.assumed, name));
  }
  const tables = [...(facts.model.design?.tables.values() ?? [])];
  return {
    loads: tables.flatMap((table) => loadsOfTable(facts, table, lines)),
    patterns,
    background,
    missing,
  };
}

interface Line extends LoadLine {
  readonly arm: Pick<Arm, "table" | "index">;
  /** Tables of periods: all of them are asked alike. */
  readonly everywhere: boolean;
}

function linesOf(
  pattern: string | undefined,
  requests: readonly PlannedRequest[],
  estimate: RunEstimate,
  rate: { readonly average: number; readonly peak: number },
  assumed: boolean,
  name?: string,
): readonly Line[] {
  return estimate.requests.flatMap(({ request, arms }, i) =>
    arms.map((arm): Line => {
      const times = (units: number) => ({
        average: units * rate.average,
        peak: units * rate.peak,
      });
      const isEntry = request.kind === "write" && arm.index !== undefined;
      const cacheable =
        request.kind === "read" &&
        !request.consistent &&
        request.operation !== "TransactGetItems" &&
        !requests.slice(0, i).some(({ kind }) => kind === "write");
      return {
        arm,
        everywhere: request.kind === "read" && request.times.some(({ why }) => why === "periods"),
        pattern,
        what: name ?? (isEntry ? `entries of ${arm.index?.name}` : request.operation),
        reads: times(arm.read),
        writes: times(arm.write),
        cacheable,
        assumed,
      };
    }),
  );
}

function loadsOfTable(facts: Facts, table: Table, all: readonly Line[]): readonly Load[] {
  const own = all.filter(({ arm }) => arm.table === table);
  const global = table.replicas.length > 0 ? globalTableOverheadBytes : 0;
  const structures = [undefined, ...table.indexes.values()];
  return structures.flatMap((index): readonly Load[] => {
    const lines = own.filter(({ arm }) =>
      // A local index is paid from the table's throughput.
      index === undefined
        ? arm.index === undefined || arm.index.local
        : arm.index === index && !index.local,
    );
    const { items, bytes, assumed } = storedIn(facts, table, index);
    const load: Load = {
      table: table.name,
      index: index?.name,
      local: index?.local ?? false,
      period: undefined,
      class: table.class,
      billing: billingOf(table, index),
      lines: lines.map(plainLine),
      items,
      storageBytes: bytes + items * (itemOverheadBytes + global),
      storageAssumed: assumed,
      streamReads: none,
    };
    return table.periods === undefined ? [load] : periodsOf(table, load, lines);
  });
}

function plainLine({ arm, everywhere, ...line }: Line): LoadLine {
  return line;
}

function billingOf({ billing }: Table, index: Index | undefined): Billing {
  if (index === undefined || index.local || billing.mode === "on-demand") return billing;
  return {
    mode: "provisioned",
    provisioned: index.throughput ?? billing.provisioned,
    reserved: undefined,
  };
}

/** Items and their bytes, without what is billed on top. */
function storedIn(
  facts: Facts,
  table: Table,
  index: Index | undefined,
): { readonly items: number; readonly bytes: number; readonly assumed: boolean } {
  let [items, bytes, assumed] = [0, 0, false];
  for (const record of facts.records) {
    if (record.table !== table) continue;
    const count = facts.count(record);
    const membership =
      index === undefined ? undefined : record.memberships.find((one) => one.index === index);
    if (index !== undefined && membership === undefined) continue;
    const share = membership === undefined ? 1 : facts.shareIn(record.entity, membership).value;
    const size =
      membership === undefined ? facts.sizes.item(record) : facts.sizes.entry(record, membership);
    items += (count?.value ?? 0) * share;
    bytes += (count?.value ?? 0) * share * (size?.mean ?? 0);
    assumed ||= count === undefined || count.assumed || size === undefined;
  }
  return { items, bytes, assumed };
}

/**
 * The table of the period that is running takes all requests that have a time, which is taken to be now; those before it
 * take their part of what asks all of them, and keep what they have.
 */
function periodsOf({ periods }: Table, load: Load, lines: readonly Line[]): readonly Load[] {
  const keep = periods?.keep ?? 1;
  if (periods === undefined || keep <= 1) return [{ ...load, period: "current" }];
  const part = (share: number) => ({
    items: load.items * share,
    storageBytes: load.storageBytes * share,
  });
  const asked = (line: Line, share: number): LoadLine => ({
    ...plainLine(line),
    reads: { average: line.reads.average * share, peak: line.reads.peak * share },
  });
  const isEverywhere = ({ everywhere }: Line): boolean => everywhere;
  return [
    {
      ...load,
      ...part(1 / keep),
      period: "current",
      lines: lines.map((line) => (isEverywhere(line) ? asked(line, 1 / keep) : plainLine(line))),
    },
    {
      ...load,
      ...part((keep - 1) / keep),
      period: "older",
      class: periods.older.class,
      billing: periods.older.billing,
      lines: lines.filter(isEverywhere).map((line) => asked(line, (keep - 1) / keep)),
      streamReads: none,
    },
  ];
}
