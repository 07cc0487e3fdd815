import { reasonOf } from "./throttling.ts";
import type { CapacityEvent } from "./timeline.ts";

/** Why a hot partition was left as it is. */
const reasonsNotToSplit: Readonly<Record<string, string>> = {
  "one item": "nearly all of its load is one item",
  "rising sort key":
    "the sort key only rises or falls, so that a split would leave all load in one part",
  "local index": "a local index keeps the item collection together",
  "one collection": "its load cannot be parted",
  "no load": "nothing is known about its load",
  "doubled within half an hour": "the partitions have already doubled within half an hour",
};

const reasonsToSplit = {
  heat: "it was hot, its load is shared",
  "hot item": "its hottest part is alone now",
  size: "it had reached 10 GB",
  throughput: "the throughput was raised",
} as const;

const reasonsToScale = {
  growth: "twice the peak of the last half hour",
  "auto scaling": "auto scaling",
  settings: "new settings",
} as const;

/** An event in words; without its time and place. */
export function eventText(event: CapacityEvent): string {
  switch (event.kind) {
    case "split":
      return `partition ${event.partition} split into ${event.made.join(", ")}: ${reasonsToSplit[event.why]}`;
    case "not split":
      return `partition ${event.partition} is hot and not split: ${reasonsNotToSplit[event.why] ?? event.why}`;
    case "borrow":
      return `partition ${event.partition} uses ${event.direction} units that others leave`;
    case "throttle":
      return `partition ${event.partition}: ${reasonOf(event.throttle)}`;
    case "scale": {
      const { direction, from, to, why } = event;
      return `${direction} units ${number(from)} → ${number(to)}: ${reasonsToScale[why]}`;
    }
  }
}

function number(value: number): string {
  return Math.round(value).toLocaleString("en");
}
