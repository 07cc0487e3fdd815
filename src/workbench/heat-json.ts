import type { KeyHeat, PlaceHeat } from "../modeller/heat/heat.ts";
import type { HottestKey } from "../modeller/heat/key-load.ts";
import type { TableHeatRun } from "./heat-simulation.ts";
import { assumptionsOf } from "./heat-text.ts";
import type { HeatResult } from "./model-heat.ts";

/** The whole result for programs. Units are per second; shares between 0 and 1. */
export function heatJson({ heat, runs }: HeatResult): object {
  const { name, places, quotas, open, empty } = heat;
  return {
    name,
    ...(empty !== undefined && { empty }),
    places: places.map(placeJson),
    quotas,
    simulated: runs.map(runJson),
    openQuestions: open,
    assumptions: assumptionsOf(places),
  };
}

function placeJson(place: PlaceHeat): object {
  const { load, keys, limits, bytes, partitionsBySize, amplification } = place;
  const { name, table, index, read, write, scanned } = load;
  return {
    name,
    table: table.name,
    ...(index !== undefined && { index: index.name }),
    read,
    write,
    scanned,
    bytes,
    partitionsBySize,
    ...(amplification !== undefined && { amplification }),
    limits,
    keys: keys.map(keyJson),
  };
}

function keyJson(key: KeyHeat): object {
  const { family, read, write, shards, unsplittable, collection, collectionOver } = key;
  return {
    text: family.text,
    records: family.records,
    count: family.count,
    shards: family.shards,
    read: { ...family.read, hottest: { ...hottestJson(family.hottest.read), ...read } },
    write: { ...family.write, hottest: { ...hottestJson(family.hottest.write), ...write } },
    visitsPerKey: key.visitsPerKey,
    shardsNeeded: shards,
    ...(unsplittable !== undefined && { unsplittable }),
    ...(collection !== undefined && { collectionBytes: { ...collection, over: collectionOver } }),
    assumptions: family.assumptions,
    openQuestions: family.open,
  };
}

function hottestJson({ at, units, share, lines }: HottestKey): object {
  return { at, average: units.average, peak: units.peak, share, from: lines };
}

function runJson({ simulation, ...run }: TableHeatRun): object {
  if (simulation === undefined) return run;
  const { throughput, workload } = simulation;
  return {
    ...run,
    seed: workload.seed,
    partitions: throughput.resources.map(({ index, partitions }) => ({
      index,
      hottest: partitions
        .toSorted((a, b) => b.read.units + b.write.units - a.read.units - a.write.units)
        .slice(0, 3)
        .map(({ id, keys }) => ({ id, keys })),
    })),
  };
}
