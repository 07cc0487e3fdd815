import type { Throttle } from "./throttling.ts";
import type { Direction } from "./throughput.ts";

export type SplitReason = "heat" | "hot item" | "size" | "throughput";

/** Something worth telling that happened to the partitions of a table or index. */
export type CapacityEvent = { readonly at: number; readonly index: string | undefined } & (
  | {
      readonly kind: "split";
      readonly partition: number;
      readonly made: readonly number[];
      readonly why: SplitReason;
    }
  | { readonly kind: "not split"; readonly partition: number; readonly why: string }
  /** When it begins: not again before a minute has passed without it. */
  | { readonly kind: "borrow"; readonly partition: number; readonly direction: Direction }
  /** Likewise. */
  | { readonly kind: "throttle"; readonly partition: number; readonly throttle: Throttle }
  | {
      readonly kind: "scale";
      readonly direction: Direction;
      readonly from: number;
      readonly to: number;
      readonly why: "growth" | "auto scaling" | "settings";
    }
);

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** An event of a table or index that the reader knows. */
export type OwnEvent = DistributiveOmit<CapacityEvent, "index">;

const eventsMax = 10_000;

/** The latest events; older ones are only counted. What comes often does not push out what is rare. */
export class Timeline {
  readonly #rare: CapacityEvent[] = [];
  readonly #frequent: CapacityEvent[] = [];
  #dropped = 0;

  add(event: CapacityEvent): void {
    const isFrequent = event.kind === "throttle" || event.kind === "borrow";
    const events = isFrequent ? this.#frequent : this.#rare;
    events.push(event);
    if (events.length > 2 * eventsMax) this.#dropped += events.splice(0, eventsMax).length;
  }

  /** In the order of time. */
  get events(): readonly CapacityEvent[] {
    return [...this.#rare, ...this.#frequent].sort((a, b) => a.at - b.at);
  }

  get dropped(): number {
    return this.#dropped;
  }
}
