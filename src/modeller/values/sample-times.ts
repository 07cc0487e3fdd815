import type { SeededRandom } from "../../base/random.ts";
import type { Model } from "../../model/model.ts";
import type { Attribute, Entity } from "../../model/requirements.ts";
import { periodStart } from "./time-of.ts";

const secondMs = 1_000;
const dayMs = 86_400_000;
/** How far back things began, unless the document says how long they are kept. */
const usualAgeMs = 90 * dayMs;
const usualFutureMs = 30 * dayMs;

/** When the first of an entity can have begun. */
export function earliest(model: Model, entity: Entity, now: number): number {
  // What expires should not do so while somebody looks at it.
  const kept =
    entity.retentionMs === undefined ? usualAgeMs : Math.min(usualAgeMs, entity.retentionMs / 2);
  let from = now - kept;
  for (const { periods, placements } of model.design?.tables.values() ?? []) {
    if (periods === undefined || !placements.has(entity.name)) continue;
    // There are tables for the period that now is in and for the one before.
    const before = periodStart(periods.every, now) - 1;
    from = Math.max(from, periodStart(periods.every, before));
  }
  return from;
}

/** A moment between two, with digits other than zero at its ends: numbers without zeros have their full size. */
export function momentBetween(from: number, to: number, random: SeededRandom): number {
  const time = from + random.unit() * Math.max(0, to - secondMs - from);
  let seconds = Math.floor(time / secondMs);
  if (seconds % 10 === 0) seconds += 1;
  return seconds * secondMs + random.below(100) * 10 + 1 + random.below(9);
}

export function expires(model: Model, { name }: Entity, attribute: Attribute): boolean {
  return [...(model.design?.tables.values() ?? [])].some(
    ({ ttl }) => ttl?.attribute === attribute.name && ttl.entities.includes(name),
  );
}

const inFuture = /expir|until|due|deadline|renew|ends?(_?at|_?on)?$|ttl/i;
const atBirth =
  /creat|start|begin|regist|join|open|placed|raised|install|signed|since|posted|taken/i;

/** The moment that an attribute of something that began then says. */
export function momentOf(
  entity: Entity,
  attribute: Attribute,
  { born, now, isExpiry, expired }: Moment,
  random: SeededRandom,
): number {
  if (isExpiry) {
    if (expired) return momentBetween(now - 3 * dayMs, now - dayMs, random);
    const { retentionMs } = entity;
    if (retentionMs !== undefined) return born + Math.max(retentionMs, now - born + dayMs / 24);
    return momentBetween(now + dayMs, now + usualFutureMs, random);
  }
  if (entity.id.includes(attribute.name)) return born;
  if (/birth/i.test(attribute.name)) {
    return momentBetween(now - 80 * 365 * dayMs, now - 18 * 365 * dayMs, random);
  }
  if (inFuture.test(attribute.name)) {
    return momentBetween(now + dayMs, now + usualFutureMs, random);
  }
  if (!attribute.mutable || atBirth.test(attribute.name)) return born;
  return momentBetween(born, now, random);
}

export interface Moment {
  readonly born: number;
  readonly now: number;
  readonly isExpiry: boolean;
  readonly expired: boolean;
}
