import { AutoScaling } from "./auto-scaling.ts";
import { DecreaseBudget } from "./decrease-budget.ts";
import { directions, type ThroughputSettings, type UnitsPerSecond } from "./throughput.ts";

type Provisioned = ThroughputSettings & { readonly mode: "provisioned" };

/** Auto scaling of a table or index in both directions, which share the budget for decreases. */
export class ResourceScaling {
  readonly budget: DecreaseBudget;
  readonly #read: AutoScaling | undefined;
  readonly #write: AutoScaling | undefined;

  constructor(policies: Provisioned["autoScaling"], budget = new DecreaseBudget()) {
    this.budget = budget;
    this.#read = policies?.read && new AutoScaling(policies.read, budget);
    this.#write = policies?.write && new AutoScaling(policies.write, budget);
  }

  /** Throughput outside a policy's bounds is moved into them as soon as the policy is there. */
  within({ read, write }: UnitsPerSecond): UnitsPerSecond {
    return {
      read: this.#read?.within(read) ?? read,
      write: this.#write?.within(write) ?? write,
    };
  }

  /** A minute has passed; answers what is to be provisioned from now on, if that is something else. */
  minute(
    consumed: UnitsPerSecond,
    provisioned: UnitsPerSecond,
    now: number,
  ): UnitsPerSecond | undefined {
    const next = { read: provisioned.read, write: provisioned.write };
    for (const direction of directions) {
      const scaling = direction === "read" ? this.#read : this.#write;
      if (scaling === undefined) continue;
      next[direction] = scaling.due(provisioned[direction], now) ?? provisioned[direction];
      scaling.minute(consumed[direction], next[direction], now);
    }
    return next.read === provisioned.read && next.write === provisioned.write ? undefined : next;
  }
}
