import { itemCollectionTooLarge } from "../api/errors/item.ts";
import { itemCollectionBytesMax } from "../api/limits.ts";
import { assert } from "../base/assert.ts";
import type { Bytes, Write } from "../storage/store.ts";
import type { WriteOutcome } from "./write.ts";

/** Where a commit finds the rows of the collections that its actions touch. */
export interface CollectionPlan {
  readonly readKeys: readonly Bytes[];
  /** Per action the position of its collection row in `readKeys`, or -1. */
  readonly collectionAt: readonly number[] | undefined;
}

/** The sizes of the item collections that the actions touch, on tables with a local index. */
export class Collections {
  readonly #plan: CollectionPlan;
  readonly #bytes = new Map<number, number>();
  readonly #changed = new Set<number>();

  constructor(plan: CollectionPlan, values: readonly (Bytes | undefined)[]) {
    this.#plan = plan;
    for (const at of plan.collectionAt ?? []) {
      if (at >= 0) this.#bytes.set(at, collectionBytes(values[at]));
    }
  }

  /** Adds the action's growth, or refuses it when the collection would be too large. */
  weigh(action: number, outcome: WriteOutcome): WriteOutcome {
    const at = this.#plan.collectionAt?.[action] ?? -1;
    if (at < 0 || outcome.refusal !== undefined) return outcome;
    let growth = (outcome.after?.size ?? 0) - (outcome.before?.size ?? 0);
    for (const { index, before, after } of outcome.indexes) {
      if (index.kind === "local") growth += (after?.size ?? 0) - (before?.size ?? 0);
    }
    const sum = this.#bytes.get(at);
    assert(sum !== undefined, "a collection row was read");
    const bytes = sum + growth;
    if (growth > 0 && bytes > itemCollectionBytesMax) {
      return { ...outcome, refusal: itemCollectionTooLarge() };
    }
    if (growth !== 0) {
      this.#bytes.set(at, bytes);
      this.#changed.add(at);
    }
    return { ...outcome, collectionBytes: bytes };
  }

  addWrites(writes: Write[]): void {
    for (const at of this.#changed) {
      const key = this.#plan.readKeys[at] as Bytes;
      const bytes = this.#bytes.get(at) as number;
      if (bytes === 0) writes.push({ kind: "delete", key });
      else writes.push({ kind: "put", key, value: collectionValue(bytes) });
    }
  }
}

export function collectionBytes(value: Bytes | undefined): number {
  if (value === undefined) return 0;
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).readDoubleLE(0);
}

export function collectionValue(bytes: number): Bytes {
  const value = Buffer.allocUnsafe(8);
  value.writeDoubleLE(bytes, 0);
  return value;
}
