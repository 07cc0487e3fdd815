import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Highs } from "highs";
import type { Solver } from "../modeller/designer/program.ts";

/** Work that a program may take; not time, so that the same document gives the same design on every machine. */
const nodesMax = 20_000;

const settings = {
  mip_rel_gap: 0,
  mip_abs_gap: 1e-7,
  mip_feasibility_tolerance: 1e-9,
  mip_max_nodes: nodesMax,
  threads: 1,
  random_seed: 1,
  output_flag: false,
} as const;

/** HiGHS as WebAssembly, loaded when it is first needed. */
export async function integerSolver(): Promise<Solver> {
  // Its types are those of the CommonJS file, where the function lies one level deeper.
  const { default: load } = (await import("highs")) as unknown as {
    readonly default: (settings: RuntimeSettings) => Promise<Highs>;
  };
  const module = await compiledRuntime();
  const highs = await load({
    instantiateWasm: (imports, onInstance) => {
      onInstance(new WebAssembly.Instance(module, imports));
      return {};
    },
  });
  return (program) => {
    const { Status, Columns } = solved(highs, program);
    if (Status === "Infeasible") return { status: "infeasible", ones: new Set(), gap: 0 };
    const ones = new Set(
      Object.entries(Columns).flatMap(([name, column]) =>
        "Primal" in column && column.Primal > 0.5 ? [name] : [],
      ),
    );
    if (Status === "Optimal") return { status: "optimal", ones, gap: 0 };
    return { status: "stopped", ones, gap: gapOf(highs, program) };
  };
}

/** HiGHS fails to presolve some programs whose coefficients span thirteen powers of ten; without it, it solves them. */
function solved(highs: Highs, program: string): ReturnType<Highs["solve"]> {
  try {
    return highs.solve(program, settings);
  } catch {
    return highs.solve(program, { ...settings, presolve: "off" });
  }
}

interface RuntimeSettings {
  readonly instantiateWasm: (
    imports: WebAssembly.Imports,
    onInstance: (instance: WebAssembly.Instance) => void,
  ) => object;
}

let runtime: Promise<WebAssembly.Module> | undefined;

/** Compiling takes longer than most programs, so solvers share the code. Each has a memory of its own. */
function compiledRuntime(): Promise<WebAssembly.Module> {
  runtime ??= readFile(createRequire(import.meta.url).resolve("highs/runtime")).then((bytes) =>
    WebAssembly.compile(bytes),
  );
  return runtime;
}

/** How far from the best a solution may be where the work was too much; the short way does not tell. */
function gapOf(highs: Highs, program: string): number {
  return highs.withModel({ format: "lp", data: program }, (model) => {
    model.options.set(settings);
    model.run();
    return Number(model.info.get("mip_gap"));
  });
}
