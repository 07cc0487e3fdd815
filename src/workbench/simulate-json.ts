import { eventText } from "../capacity/event-text.ts";
import type { FlowHistory } from "../capacity/history.ts";
import type { Simulation } from "./simulate.ts";

/** The whole result of a simulation, for programs. Times are ISO 8601, rates units per second. */
export function simulationJson(simulation: Simulation): object {
  const { workload, requests, throttled, streams, throttles, throughput, history } = simulation;
  const { title, seed, start, durationMs, table } = workload;
  return {
    title,
    table: table.name,
    seed,
    start: time(start),
    seconds: durationMs / 1_000,
    requests,
    throttled,
    streams,
    throttles: throttles.map(({ first, last, ...one }) => ({
      ...one,
      first: time(first),
      last: time(last),
    })),
    resources: throughput.resources.map(({ partitions, ...resource }) => ({
      ...resource,
      partitions: partitions.map(({ since, until, ...one }) => ({
        ...one,
        since: time(since),
        ...(until !== undefined && { until: time(until) }),
      })),
    })),
    events: throughput.events.map(({ at, ...event }) => ({
      at: time(at),
      ...event,
      text: eventText({ at, ...event } as (typeof throughput.events)[number]),
    })),
    eventsForgotten: throughput.eventsForgotten,
    history: {
      stepSeconds: history.stepMs / 1_000,
      resources: history.resources.map(({ index, read, write, lanes }) => ({
        index,
        read: rounded(read),
        write: rounded(write),
        partitions: lanes.map((lane) => ({
          id: lane.id,
          parent: lane.parent,
          firstStep: lane.from,
          read: rounded(lane.read),
          write: rounded(lane.write),
        })),
      })),
    },
  };
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}

function rounded<T extends FlowHistory>(flow: T): Record<string, readonly number[]> {
  return Object.fromEntries(
    Object.entries(flow).map(([name, values]) => [
      name,
      (values as readonly number[]).map((value) => Math.round(value * 10) / 10),
    ]),
  );
}
