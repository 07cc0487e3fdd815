import type { Index, Table } from "../../model/design.ts";
import type { Facts } from "../facts.ts";
import type { PlannedRequest } from "../plans/plan.ts";
import { readUnitsOf } from "./read-units.ts";
import { writeUnitsOf } from "./write-units.ts";

/** Units of a table or an index. A local index has entries of its own, paid from the table's throughput. */
export interface Arm {
  readonly table: Table;
  readonly index: Index | undefined;
  readonly read: number;
  readonly write: number;
}

/** What one request costs and does, as a mean. */
export interface RequestEstimate {
  readonly request: PlannedRequest;
  readonly arms: readonly Arm[];
  readonly read: number;
  readonly write: number;
  /** API calls. */
  readonly calls: number;
  readonly bytes: number;
  /** What the numbers rest on and nobody has said. */
  readonly assumptions: readonly string[];
  /** Items whose size is an open question. */
  readonly unknown: readonly string[];
}

/** What one run of several requests costs. */
export interface RunEstimate {
  readonly requests: readonly RequestEstimate[];
  readonly arms: readonly Arm[];
  readonly read: number;
  readonly write: number;
  readonly calls: number;
  readonly bytes: number;
  readonly assumptions: readonly string[];
  readonly unknown: readonly string[];
}

export function estimateRun(facts: Facts, requests: readonly PlannedRequest[]): RunEstimate {
  const all = requests.map((request) => estimateRequest(facts, request));
  const sum = (of: (one: RequestEstimate) => number): number =>
    all.reduce((total, one) => total + of(one), 0);
  return {
    requests: all,
    arms: mergeArms(all.flatMap(({ arms }) => arms)),
    read: sum(({ read }) => read),
    write: sum(({ write }) => write),
    calls: sum(({ calls }) => calls),
    bytes: sum(({ bytes }) => bytes),
    assumptions: [...new Set(all.flatMap(({ assumptions }) => assumptions))],
    unknown: [...new Set(all.flatMap(({ unknown }) => unknown))],
  };
}

export function estimateRequest(facts: Facts, request: PlannedRequest): RequestEstimate {
  if (request.kind === "read") {
    const { table, index, expected } = request;
    const { own, fetched, total, bytes, calls, unknown } = readUnitsOf(facts, request);
    const arms: Arm[] = [{ table, index, read: own, write: 0 }];
    if (fetched > 0) arms.push({ table, index: undefined, read: fetched, write: 0 });
    return {
      request,
      arms,
      read: total,
      write: 0,
      calls,
      bytes,
      assumptions: expected.assumptions,
      unknown,
    };
  }
  const actions = writeUnitsOf(facts, request);
  const arms = actions.flatMap(({ action, table: units, indexes }): Arm[] => [
    { table: action.record.table, index: undefined, read: 0, write: units },
    ...indexes.map(({ membership, units: write }) => ({
      table: action.record.table,
      index: membership.index,
      read: 0,
      write,
    })),
  ]);
  const count = request.actions.reduce((sum, one) => sum + one.count, 0);
  return {
    request,
    arms: mergeArms(arms),
    read: 0,
    write: arms.reduce((sum, { write }) => sum + write, 0),
    calls: callsOf(request.operation, count),
    bytes: 0,
    assumptions: request.actions
      .filter(({ countAssumed }) => countAssumed)
      .map(({ record }) => `how many ${record.name} one request writes`),
    unknown: [...new Set(actions.flatMap(({ unknown }) => unknown))],
  };
}

function callsOf(operation: string, count: number): number {
  if (operation === "BatchWriteItem") return Math.ceil(count / 25);
  return operation === "TransactWriteItems" ? 1 : Math.max(1, count);
}

/** One arm for each table and index. */
export function mergeArms(arms: readonly Arm[]): readonly Arm[] {
  const merged = new Map<Table, Map<Index | undefined, Arm>>();
  for (const { table, index, read, write } of arms) {
    const ofTable = merged.get(table) ?? new Map<Index | undefined, Arm>();
    merged.set(table, ofTable);
    const known = ofTable.get(index);
    ofTable.set(index, {
      table,
      index,
      read: read + (known?.read ?? 0),
      write: write + (known?.write ?? 0),
    });
  }
  return [...merged.values()].flatMap((ofTable) => [...ofTable.values()]);
}
