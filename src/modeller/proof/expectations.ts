/**
 * Remembers what the oracle expects. An expectation follows from the state and the inputs alone, so all mutants of a pattern that are
 * tried with the same inputs share it with the original.
 */
import type { Expected } from "./oracle/answers.ts";
import type { Effect } from "./oracle/effects.ts";
import type { State } from "./oracle/state.ts";
import type { Inputs } from "./trial.ts";

export class Expectations {
  private readonly effects = new WeakMap<State, WeakMap<Inputs, Effect>>();
  private readonly answers = new WeakMap<State, WeakMap<Inputs, Expected>>();
  private readonly nearby = new WeakMap<State, Map<string, readonly Inputs[]>>();

  /** What a write makes of a state. */
  effect(state: State, inputs: Inputs, compute: () => Effect): Effect {
    return remembered(this.effects, state, inputs, compute);
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

function remembered<V extends object>(
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
