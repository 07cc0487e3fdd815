/**
 * Remembers what the oracle expects. An expectation follows from the state and the inputs alone, so all mutants of a pattern that are
 * tried with the same inputs share it with the original.
 */
import type { Expected, State } from "./oracle.ts";
import type { Inputs } from "./trial.ts";

/** A state that a write must leave; `refused` if it must change nothing. */
type Effect = State | "refused";

export class Expectations {
  private readonly effects = new WeakMap<State, WeakMap<Inputs, Effect>>();
  private readonly answers = new WeakMap<State, WeakMap<Inputs, Expected>>();
  private readonly nearby = new WeakMap<State, Map<string, readonly Inputs[]>>();

  /** What a write makes of a state; undefined if it must be refused. */
  effect(state: State, inputs: Inputs, compute: () => State | undefined): State | undefined {
    const effect = remembered(this.effects, state, inputs, () => compute() ?? "refused");
    return effect === "refused" ? undefined : effect;
  }

  answer(state: State, inputs: Inputs, compute: () => Expected): Expected {
    return remembered(this.answers, state, inputs, compute);
  }

  /** The inputs of a read that runs after a write, drawn once for the state that the write leaves. */
  inputsAfterWrite(
    state: State,
    pattern: string,
    draw: () => readonly Inputs[],
  ): readonly Inputs[] {
    let byPattern = this.nearby.get(state);
    if (byPattern === undefined) {
      byPattern = new Map();
      this.nearby.set(state, byPattern);
    }
    let drawn = byPattern.get(pattern);
    if (drawn === undefined) {
      drawn = draw();
      byPattern.set(pattern, drawn);
    }
    return drawn;
  }
}

function remembered<V extends object | string>(
  memory: WeakMap<State, WeakMap<Inputs, V>>,
  state: State,
  inputs: Inputs,
  compute: () => V,
): V {
  let byInputs = memory.get(state);
  if (byInputs === undefined) {
    byInputs = new WeakMap();
    memory.set(state, byInputs);
  }
  let value = byInputs.get(inputs);
  if (value === undefined) {
    value = compute();
    byInputs.set(inputs, value);
  }
  return value;
}
