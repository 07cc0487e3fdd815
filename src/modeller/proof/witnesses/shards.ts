import type { Segment } from "../../../model/key-text.ts";
import type { Entity, Predicate } from "../../../model/requirements.ts";
import type { ReadRequest } from "../../plans/plan.ts";
import { type EntityValues, renderKey } from "../../values/render-key.ts";
import type { WitnessContext } from "./context.ts";
import { moreIn, orderOf, type Scene } from "./scene.ts";

/** Entities in the last shard of those that a request reads. */

type ShardSegment = Segment & { readonly kind: "shard" };

const madeMax = 4_000;

function shardsOf({ partition }: ReadRequest): readonly ShardSegment[] {
  return partition.flatMap(({ text }) =>
    text.segments.filter((one): one is ShardSegment => one.kind === "shard"),
  );
}

export function hasShards(request: ReadRequest): boolean {
  return shardsOf(request).length > 0;
}

/** Whether a shard is drawn, or follows from the time, when an item is written. */
export function isDrawn(request: ReadRequest): boolean {
  return shardsOf(request).some(({ by }) => by.kind !== "calculated");
}

/** More entities in the last shard; wherever they come where shards are drawn, for most of them come there. */
export function moreInLastShard(
  context: WitnessContext,
  scene: Scene,
  request: ReadRequest,
  count: number,
  fails: ReadonlySet<Predicate> = new Set(),
): readonly EntityValues[] {
  const { entity } = scene.question;
  const shards = shardsOf(request);
  const spread = shards.flatMap(({ by }) => (by.kind === "calculated" ? [by.attribute] : []));
  const names = [...spread, ...orderOf(scene)];
  if (isDrawn(request) || shards.length === 0) return moreIn(context, scene, count, names, fails);
  const made = shards.reduce((product, one) => product * one.count, 2 * count);
  const all = moreIn(context, scene, Math.min(made, madeMax), names, fails);
  return all.filter((values) => isInLastShard(request, entity, values)).slice(0, count);
}

/** Whether all shards that are calculated are the last ones. */
export function isInLastShard(request: ReadRequest, entity: Entity, values: EntityValues): boolean {
  return shardsOf(request).every((segment) => {
    const text = { text: "", segments: [segment], offsets: [0], native: undefined };
    const key = renderKey(text, { entity, values });
    return key !== undefined && "S" in key && Number(key.S) === segment.count - 1;
  });
}
