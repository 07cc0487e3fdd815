import { SeededRandom } from "../../../base/random.ts";
import type { Item } from "../../../item/attribute-value.ts";
import type { Model } from "../../../model/model.ts";
import { tableName, tableRequests } from "../../requests/table-requests.ts";
import { sampleOf } from "../../values/sample.ts";
import type { Migration } from "../migration.ts";
import type { Naming } from "../naming.ts";
import type { MigrationStep } from "../step.ts";
import { isRekeyed, recordName } from "../target.ts";
import { copiesOf } from "./copies.ts";
import { EntityStore } from "./entity-store.ts";
import type { Pools } from "./inputs.ts";
import { Ledger } from "./ledger.ts";
import { commonNames, newSide, oldSide, type Side } from "./side.ts";
import { Stage } from "./stage.ts";
import { hindrances } from "./verify.ts";
import type { Ground, World } from "./world.ts";

export interface RehearsalOptions {
  /** About how many items the old tables have. */
  readonly items: number;
  readonly seed: number;
  /** The moment that the data is of, in milliseconds. */
  readonly now: number;
  /** How many readers and writers there are at once. */
  readonly clients?: number;
  /** Milliseconds since any moment, to say how long steps take. */
  readonly elapsed: () => number;
  readonly progress?: (done: number, total: number, what: string) => void;
  /** A mistake that a rehearsal has to find. */
  readonly mistake?: "backfill-without-conditions";
}

/** What came of one step. */
export interface RehearsedStep {
  readonly title: string;
  readonly act: MigrationStep["act"] | "load" | "end" | "back";
  readonly milliseconds: number;
  /** Items that the step itself wrote or looked at. */
  readonly items: number;
  readonly units: number;
  /** Answers that were right, while it went on and after it. */
  readonly reads: number;
  /** Writes that were acknowledged meanwhile. */
  readonly writes: number;
  /** Requests that are the service's alone and were not sent. */
  readonly left: readonly string[];
  readonly wrong: readonly string[];
}

export interface Rehearsal {
  readonly items: number;
  readonly entities: number;
  readonly seed: number;
  readonly steps: readonly RehearsedStep[];
  /** The way back, from the last step at which it is free. */
  readonly back: readonly RehearsedStep[];
  /** Why it cannot be rehearsed. */
  readonly hindrances: readonly string[];
}

export function isWrong({ steps, back, hindrances: why }: Rehearsal): boolean {
  return why.length > 0 || [...steps, ...back].some(({ wrong }) => wrong.length > 0);
}

/** Entities of the way back: enough to see it, and few enough not to wait for it twice. */
const backItems = 2_000;

/** Carries the steps of a plan out on tables with data, while old and new readers and writers go on. */
export async function rehearse(
  migration: Migration,
  steps: readonly MigrationStep[],
  open: (now: number) => Promise<Ground>,
  options: RehearsalOptions,
): Promise<Rehearsal> {
  const sides = [oldSide(migration.old, migration.naming), newSide(migration.target)] as const;
  const moved = new Set(migration.moves.map(({ entity }) => entity));
  const why = [...new Set(hindrances(sides, moved))];
  const { seed } = options;
  const nothing = { items: 0, entities: 0, seed, steps: [], back: [], hindrances: why };
  if (why.length > 0) return nothing;
  const forth = await played(migration, sides, steps, open, options, false);
  const lastFree = steps.findLastIndex(({ right }) => right.readers !== "new");
  if (forth.steps.some(({ wrong }) => wrong.length > 0) || lastFree < 0) {
    return { ...nothing, ...forth };
  }
  const few = { ...options, items: Math.min(backItems, options.items) };
  const back = await played(migration, sides, steps.slice(0, lastFree + 1), open, few, true);
  return { ...nothing, ...forth, back: back.steps };
}

async function played(
  migration: Migration,
  sides: readonly [Side, Side],
  steps: readonly MigrationStep[],
  open: (now: number) => Promise<Ground>,
  options: RehearsalOptions,
  isBack: boolean,
): Promise<Pick<Rehearsal, "items" | "entities" | "steps">> {
  const ground = await open(options.now);
  try {
    const world = worldOf(ground, sides, migration.naming, options);
    const stage = new Stage(world, migration, poolsOf(migration, options), options);
    const done: RehearsedStep[] = [];
    const total = steps.length + 2;
    const play = async (
      title: string,
      act: RehearsedStep["act"],
      what: () => Promise<{ readonly items: number; readonly left: readonly string[] }>,
    ): Promise<boolean> => {
      options.progress?.(done.length, total, title);
      const [start, before] = [options.elapsed(), { ...world.counts }];
      const { items, left } = await what();
      const { reads, writes, units } = world.counts;
      done.push({
        title,
        act,
        milliseconds: options.elapsed() - start,
        items,
        units: units - before.units,
        reads: reads - before.reads,
        writes: writes - before.writes,
        left,
        wrong: world.failures.splice(0).slice(0, wrongMax),
      });
      return done.at(-1)?.wrong.length === 0;
    };
    let goes = await play("The old tables, with data", "load", async () => ({
      items: await load(world, migration.old, options),
      left: [],
    }));
    for (const step of steps) {
      if (goes) goes = await play(step.title, step.act, () => stage.play(step));
    }
    if (goes && isBack) goes = await play("Back to the old", "back", () => stage.back(steps));
    if (goes && !isBack) {
      await play("Everything is as the new document says", "end", () => stage.end());
    }
    options.progress?.(total, total, "");
    const [loaded] = done;
    return {
      items: loaded?.items ?? 0,
      entities: world.ledger.store.size,
      steps: isBack ? done.slice(-1) : done,
    };
  } finally {
    await ground.close();
  }
}

const wrongMax = 5;

function worldOf(
  ground: Ground,
  [old, next]: readonly [Side, Side],
  naming: Naming,
  { seed, now }: RehearsalOptions,
): World {
  const ids = new Map<string, readonly string[]>();
  for (const { name, id } of old.model.entities.values()) {
    ids.set(old.common(name), commonNames(old, name, id));
  }
  for (const { name, id } of next.model.entities.values()) ids.set(name, id);
  const names = new Map<string, ReadonlySet<string>>();
  for (const { facts } of [old, next]) {
    for (const { table, attributes } of facts.records) {
      const known = names.get(table.name) ?? [];
      names.set(table.name, new Set([...known, ...attributes.map((one) => one.name)]));
    }
  }
  return {
    ground,
    ledger: new Ledger(new EntityStore(ids)),
    old,
    new: next,
    random: new SeededRandom(seed, 7),
    now,
    counterpart: (record) =>
      next.facts.records.find(
        (one) =>
          one.table.name === record.table.name &&
          one.name === recordName(naming, record) &&
          !isRekeyed(naming, record, one),
      ),
    copies: copiesOf(old, next),
    names: (table) => names.get(table) ?? new Set(),
    counts: { reads: 0, writes: 0, refused: 0, again: 0, units: 0 },
    failures: [],
  };
}

/** Makes the old tables and fills them. */
async function load(
  { ground, ledger, old }: World,
  model: Model,
  { items: count, seed, now }: RehearsalOptions,
): Promise<number> {
  const keys = new Map<string, readonly string[]>();
  for (const { create, ttl } of tableRequests(model, now)) {
    await ground.execute("CreateTable", create);
    keys.set(
      create.TableName,
      create.KeySchema.map((one) => one.AttributeName),
    );
    if (ttl !== undefined) {
      await ground.execute("UpdateTimeToLive", {
        TableName: create.TableName,
        TimeToLiveSpecification: { Enabled: true, AttributeName: ttl },
      });
    }
  }
  // Without a design nothing is stored yet.
  if (keys.size === 0) return 0;
  const sample = sampleOf(model, { items: count, seed, now });
  // What is in no table cannot be read by anybody.
  const stored = new Set(old.facts.records.map(({ entity }) => entity.name));
  for (const [name, instances] of sample.entities) {
    if (!stored.has(name) && old.facts.hostsOf(name).length === 0) continue;
    for (const { values } of instances)
      ledger.store.put(old.common(name), old.toCommon(name, values));
  }
  const byTable = new Map<string, Map<string, Item>>();
  for (const { table, period, item } of sample.items) {
    const name = tableName({ name: table }, period);
    if (!keys.has(name)) continue;
    const list = byTable.get(name) ?? new Map<string, Item>();
    byTable.set(name, list.set(JSON.stringify(keys.get(name)?.map((one) => item[one])), item));
  }
  let written = 0;
  for (const [name, list] of byTable) {
    const all = [...list.values()];
    written += all.length;
    for (let at = 0; at < all.length; at += 25) {
      const requests = all.slice(at, at + 25).map((one) => ({ PutRequest: { Item: one } }));
      await ground.execute("BatchWriteItem", { RequestItems: { [name]: requests } });
    }
  }
  return written;
}

/** Values for attributes that only the new document has, as its sample data would have them. */
function poolsOf({ old, target, naming }: Migration, { seed, now }: RehearsalOptions): Pools {
  const added = new Map<string, readonly string[]>();
  for (const entity of target.entities.values()) {
    const before = old.entities.get(naming.oldEntity(entity.name));
    if (before === undefined) continue;
    const known = new Set(
      [...before.attributes.keys()].map((one) => naming.newAttribute(before.name, one)),
    );
    const names = [...entity.attributes.keys()].filter((name) => !known.has(name));
    if (names.length > 0) added.set(entity.name, names);
  }
  if (added.size === 0) return new Map();
  const sample = sampleOf(target, { items: 200, seed, now });
  return new Map(
    [...added].map(([entity, names]) => [
      entity,
      new Map(
        names.map((name) => [
          name,
          (sample.entities.get(entity) ?? []).flatMap(({ values }) => values.get(name) ?? []),
        ]),
      ),
    ]),
  );
}
