import type { Billing, Provisioned, Table } from "../../model/design.ts";
import type { Model } from "../../model/model.ts";
import type { Note, PatternFacts, TableFacts } from "./bill.ts";
import type { Load } from "./load.ts";

/** The tables of a model with what is asked of them; tables of periods twice: the running one, and all older ones. */
export function tableFacts(model: Model, loads: readonly Load[]): readonly TableFacts[] {
  return [...(model.design?.tables.values() ?? [])].flatMap((table) => {
    const own = loads.filter((load) => load.table === table.name);
    const older = own.filter(({ period }) => period === "older");
    const running = own.filter(({ period }) => period !== "older");
    const count = Math.max(1, (table.periods?.keep ?? 1) - 1);
    return [
      ...(running.length === 0 ? [] : [factsOf(table, running)]),
      ...(older.length === 0
        ? []
        : [
            {
              ...factsOf(
                table,
                older.map((load) => ({ ...load, billing: billingTimes(load.billing, count) })),
              ),
              dax: undefined,
              streamFunctions: 0,
            },
          ]),
    ];
  });
}

function factsOf(table: Table, loads: readonly Load[]): TableFacts {
  const { dax } = table;
  return {
    name: table.name,
    loads,
    pointInTimeRecovery: table.pitrDays !== undefined,
    backups: table.backups,
    replicas: table.replicas,
    dax: dax && {
      node: dax.node,
      nodes: dax.nodes,
      hitRate: dax.hitRate?.value,
      hitRateAssumed: dax.hitRate?.assumed ?? false,
      patterns: dax.patterns,
    },
    streamFunctions: table.stream === undefined ? 0 : table.consumers.length,
  };
}

/** Every one of several tables has the capacity that is stated. */
function billingTimes(billing: Billing, count: number): Billing {
  if (billing.mode === "on-demand" || count === 1) return billing;
  const { read, write, autoScaling } = billing.provisioned;
  const scaled = (one: Provisioned["autoScaling"]["read"]) =>
    one && { ...one, min: one.min * count, max: one.max * count };
  return {
    ...billing,
    provisioned: {
      read: read * count,
      write: write * count,
      autoScaling: { read: scaled(autoScaling.read), write: scaled(autoScaling.write) },
    },
  };
}

export function patternFacts(model: Model): ReadonlyMap<string, PatternFacts> {
  return new Map(
    [...model.patterns.values()].map(({ id, name, rps: { average, peak } }) => [
      id,
      {
        id,
        name,
        rps: { average: average?.value ?? 0, peak: (peak ?? average)?.value ?? 0 },
        assumed: (average?.assumed ?? false) || (peak?.assumed ?? false),
      },
    ]),
  );
}

/** What the design asks for and the bill leaves out. */
export function leftOut(model: Model): readonly Note[] {
  return [...(model.design?.tables.values() ?? [])].flatMap((table) => {
    const indexes = [...table.indexes.values()];
    const isWarmed = [table, ...indexes].some(({ prewarm }) => prewarm !== undefined);
    const texts = [
      ...(isWarmed
        ? ["throughput from the beginning is charged once, which is not in the bill"]
        : []),
      ...(table.encryption === "owned"
        ? []
        : ["requests to the key management service are not in the bill"]),
    ];
    return texts.map((text) => ({ table: table.name, text }));
  });
}
