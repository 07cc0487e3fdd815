import type { Answer } from "../requests/run-plan.ts";

/** What the runs of a pattern took. */
export class Measured {
  runs = 0;
  calls = 0;
  /** Units by table or index: `Shop`, `Shop.GSI1`. */
  readonly units = new Map<string, number>();

  add({ sent, consumed }: Answer): void {
    this.runs += 1;
    this.calls += sent.length;
    for (const [name, units] of consumed) this.units.set(name, (this.units.get(name) ?? 0) + units);
  }

  /** The mean of a run. */
  mean(of: number): number {
    return of / Math.max(1, this.runs);
  }
}
