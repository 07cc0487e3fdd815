import type { Throttle } from "./throttling.ts";
import type { Direction } from "./throughput.ts";

/** Something worth telling that happened to the partitions of a table or index. */
export type CapacityEvent = { readonly at: number; readonly index: string | undefined } & (
  | {
      readonly kind: "split";
      readonly partition: number;
      readonly made: readonly number[];
      readonly why: "heat" | "hot item" | "size" | "throughput";
    }
  | { readonly kind: "not split"; readonly partition: number; readonly why: string }
  | { readonly kind: "borrow"; readonly partition: number; readonly direction: Direction }
  | { readonly kind: "throttle"; readonly partition: number; readonly throttle: Throttle }
  | {
      readonly kind: "scale";
      readonly direction: Direction;
      readonly from: number;
      readonly to: number;
      readonly why: "growth" | "auto scaling" | "settings";
    }
);

const eventsMax = 10_000;

/** The latest events; older ones are only counted. */
export class Timeline {
  readonly #events: CapacityEvent[] = [];
  #dropped = 0;

  add(event: CapacityEvent): void {
    this.#events.push(event);
    if (this.#events.length > 2 * eventsMax) {
      this.#dropped += this.#events.splice(0, eventsMax).length;
    }
  }

  get events(): readonly CapacityEvent[] {
    return this.#events;
  }

  get dropped(): number {
    return this.#dropped;
  }
}
