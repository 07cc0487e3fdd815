/** An integer program over variables that are 0 or 1, with goals that come one after the other. */
export interface Term {
  readonly variable: string;
  readonly times: number;
}

interface Row {
  readonly terms: readonly Term[];
  readonly kind: "<=" | "=";
  readonly bound: number;
}

/** What a solver found; the gap is what may be missing to the best, as a share, if it had to stop. */
export interface Solution {
  readonly status: "optimal" | "stopped" | "infeasible";
  readonly ones: ReadonlySet<string>;
  readonly gap: number;
}

/** Solves a program in the LP format. It is handed in: this room does no I/O. */
export type Solver = (program: string) => Solution;

/** Sums of dollars are compared up to this share; a cent is far more. */
const slack = 1e-9;

export class Program {
  private readonly goals: readonly Map<string, number>[];
  private readonly names: string[] = [];
  private readonly rows: Row[] = [];

  constructor(goals: number) {
    this.goals = Array.from({ length: goals }, () => new Map<string, number>());
  }

  /** A variable with its part in each goal. */
  variable(...costs: readonly number[]): string {
    const name = `v${this.names.length}`;
    this.names.push(name);
    for (const [i, cost] of costs.entries()) if (cost !== 0) this.goals[i]?.set(name, cost);
    return name;
  }

  row(terms: readonly Term[], kind: Row["kind"], bound: number): void {
    this.rows.push({ terms, kind, bound });
  }

  /** The best by the first goal; among these the best by the second, and so on. */
  solve(
    solver: Solver,
    fixed: ReadonlyMap<string, 0 | 1> = new Map(),
    goals = this.goals.length,
  ): Solution {
    const pinned = [...fixed].map(
      ([variable, bound]): Row => ({ terms: [{ variable, times: 1 }], kind: "=", bound }),
    );
    const before: Row[] = [];
    const bounds: { readonly goal: ReadonlyMap<string, number>; readonly most: number }[] = [];
    let best: Solution | undefined;
    for (const goal of this.goals.slice(0, goals)) {
      const found = solver(this.text(goal, [...this.rows, ...pinned, ...before]));
      // A solver keeps to a row as far as its numbers reach, which may be more than a cent of a large sum.
      const isWorse = bounds.some((one) => sumIn(one.goal, found.ones) > one.most);
      if (found.status === "infeasible" || isWorse) return best ?? found;
      best = { ...found, gap: Math.max(found.gap, best?.gap ?? 0) };
      const reached = sumIn(goal, found.ones);
      const terms = [...goal].map(([variable, times]) => ({ variable, times }));
      const most = reached + Math.abs(reached) * slack + slack;
      if (terms.length > 0) before.push({ terms, kind: "<=", bound: most });
      bounds.push({ goal, most });
    }
    return best ?? { status: "optimal", ones: new Set(), gap: 0 };
  }

  /** What a solution comes to by one of the goals. */
  value(goal: number, { ones }: Solution): number {
    return sumIn(this.goals[goal] ?? new Map(), ones);
  }

  private text(goal: ReadonlyMap<string, number>, rows: readonly Row[]): string {
    const aim = [...goal].map(([variable, times]) => ({ variable, times }));
    const [first = "v0"] = this.names;
    const lines = [
      "Minimize",
      ` goal: ${sumText(aim.length === 0 ? [{ variable: first, times: 0 }] : aim)}`,
    ];
    lines.push("Subject To");
    for (const [i, { terms, kind, bound }] of rows.entries()) {
      lines.push(` r${i}: ${sumText(terms)} ${kind} ${numberText(bound)}`);
    }
    lines.push("Binary", ...this.names.map((name) => ` ${name}`), "End");
    return `${lines.join("\n")}\n`;
  }
}

function sumIn(goal: ReadonlyMap<string, number>, ones: ReadonlySet<string>): number {
  let sum = 0;
  for (const [name, cost] of goal) if (ones.has(name)) sum += cost;
  return sum;
}

function sumText(terms: readonly Term[]): string {
  return terms
    .map(
      ({ variable, times }) =>
        `${times < 0 ? "-" : "+"} ${numberText(Math.abs(times))} ${variable}`,
    )
    .join("\n  ");
}

/** All digits, and never with a sign that the format does not know. */
function numberText(value: number): string {
  return Number.isInteger(value) ? value.toFixed(0) : value.toPrecision(17);
}
