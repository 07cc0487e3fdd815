import { ServiceError } from "../../../api/errors/service-error.ts";
import type { AttributeValue } from "../../../item/attribute-value.ts";
import type { KeyText } from "../../../model/key-text.ts";
import type { Action, Entity, Pattern } from "../../../model/requirements.ts";
import type { Plan, ReadRequest } from "../../plans/plan.ts";
import { difference } from "../../proof/compare.ts";
import type { Given } from "../../requests/given.ts";
import { type Answer, runPlan } from "../../requests/run-plan.ts";
import type { EntityValues } from "../../values/render-key.ts";
import { noteCopies, withCopies } from "./copies.ts";
import { readOne, readWhole, wholePlan } from "./entity-reader.ts";
import { askedOf, givenFor, type Pools } from "./inputs.ts";
import { type Effect, effectsOn, folded } from "./ledger.ts";
import { commonNames, type Side } from "./side.ts";
import { periodsOf, type World } from "./world.ts";
import { type Entry, entriesFor, isTaken, writeEntries } from "./write-set.ts";

/** Somebody who does one thing after the other; between two of them others have their turn. */
export interface Client {
  /** Whether it is in the middle of something. */
  readonly busy: boolean;
  tick(): Promise<void>;
}

function failed(world: World, side: Side, pattern: Pattern, given: Given, what: string): void {
  const parameters = JSON.stringify([...given.parameters].map(([name, all]) => [name, ...all]));
  world.failures.push(`${side.which} pattern ${pattern.id}: ${what}; with ${parameters}`);
}

/** Asks as one of the designs says, and holds every answer against what it should be. */
export class Reader implements Client {
  readonly busy = false;
  private readonly world: World;
  private readonly side: Side;
  private readonly plans: readonly Plan[];

  constructor(world: World, side: Side) {
    this.world = world;
    this.side = side;
    this.plans = readPlans(side);
  }

  async tick(): Promise<void> {
    const plan = this.plans[this.world.random.below(this.plans.length)];
    if (plan !== undefined) await readOnce(this.world, this.side, plan);
  }
}

export function readPlans({ plans }: Side): readonly Plan[] {
  return [...plans.values()].filter(
    ({ pattern, problem }) => pattern.kind === "read" && problem === undefined,
  );
}

export async function readOnce(world: World, side: Side, plan: Plan): Promise<void> {
  const given = askedOf(world, side, plan);
  if (given === undefined) return;
  const answer = await answered(world, side, plan, given);
  if (answer === undefined) return;
  world.counts.reads += 1;
  const folds = foldsOf(plan);
  const expected = world.ledger.expected(side, plan.pattern, given, folds);
  const items = answer.items.map((one) => folded(one, folds));
  const what = difference(plan.pattern, expected, { ...answer, items })?.what;
  if (what !== undefined) failed(world, side, plan.pattern, given, what);
}

/** What comes of a request; an error that nobody expects is a failure of the plan. */
async function answered(
  world: World,
  side: Side,
  plan: Plan,
  given: Given,
): Promise<Answer | undefined> {
  try {
    return await runPlan(plan, given, world.ground.execute, periodsOf(world, side));
  } catch (error) {
    if (!(error instanceof ServiceError) || world.ground.isRefusal(error)) throw error;
    failed(world, side, plan.pattern, given, `${error.type}: ${error.message}`);
    return undefined;
  }
}

/** Attributes that are asked for in an order which a key keeps without regard to upper and lower case. */
function foldsOf({ pattern, requests }: Plan): ReadonlySet<string> {
  const [action] = pattern.actions;
  const asked = new Set(action?.where.map(({ attribute }) => attribute));
  const wanted = new Set(action?.order.map(({ attribute }) => attribute));
  return new Set(
    requests.flatMap((request) =>
      request.kind !== "read"
        ? []
        : sortTexts(request).flatMap(({ segments }) =>
            segments.flatMap((segment) =>
              segment.kind === "attribute" &&
              segment.transforms.some(({ kind }) => kind === "lower" || kind === "upper") &&
              wanted.has(segment.attribute) &&
              !asked.has(segment.attribute)
                ? [segment.attribute]
                : [],
            ),
          ),
    ),
  );
}

function sortTexts({ record, index }: ReadRequest): readonly KeyText[] {
  const membership = record.memberships.find((one) => one.index === index);
  const keys = membership === undefined ? record.key.slice(1) : membership.sort;
  return keys.map(({ text }) => text);
}

function writePlans({ plans }: Side): readonly Plan[] {
  return [...plans.values()].filter(
    ({ pattern, problem }) => pattern.kind === "write" && problem === undefined,
  );
}

/** Writes as one of the designs says, and knows nothing of the other. */
export class PlainWriter implements Client {
  readonly busy = false;
  private readonly world: World;
  private readonly side: Side;
  private readonly pools: Pools;
  private readonly plans: readonly Plan[];

  constructor(world: World, side: Side, pools: Pools) {
    this.world = world;
    this.side = side;
    this.pools = pools;
    this.plans = writePlans(side);
  }

  async tick(): Promise<void> {
    const plan = this.plans[this.world.random.below(this.plans.length)];
    if (plan === undefined) return;
    const given = givenFor(this.world, this.side, plan.pattern, this.pools);
    if (given !== undefined) await writePlainly(this.world, this.side, plan, given);
  }
}

async function writePlainly(world: World, side: Side, plan: Plan, given: Given): Promise<void> {
  const effects = world.ledger.effects(side, plan.pattern, given);
  const before = world.failures.length;
  const through = await answered(world, side, plan, given).then(
    (answer) => answer !== undefined,
    (error: unknown) => {
      if (!world.ground.isRefusal(error)) throw error;
      return false;
    },
  );
  if (world.failures.length > before) return;
  if (through !== (effects !== undefined)) {
    const what = through ? "was not refused, and should be" : "was refused, and should not be";
    failed(world, side, plan.pattern, given, what);
  }
  if (through && effects !== undefined) {
    world.counts.writes += 1;
    world.ledger.apply(effects);
  } else world.counts.refused += 1;
}

interface Pending {
  readonly pattern: Pattern;
  readonly given: Given;
  readonly entries: readonly Entry[] | undefined;
  readonly effects: readonly Effect[];
  readonly tries: number;
}

const triesMax = 50;

/** Writes both designs in one transaction, after one of them was read. */
export class BothWriter implements Client {
  private readonly world: World;
  private readonly lead: Side;
  private readonly pools: Pools;
  private readonly plans: readonly Plan[];
  /** Patterns that concern what is moved; the others are the same on both sides. */
  private readonly moved: ReadonlySet<string>;
  private pending: Pending | undefined;

  constructor(world: World, lead: Side, pools: Pools, moved: ReadonlySet<string>) {
    this.world = world;
    this.lead = lead;
    this.pools = pools;
    this.moved = moved;
    this.plans = writePlans(lead).filter(
      ({ pattern }) => !this.concerns(pattern) || isReadable(lead, pattern),
    );
  }

  get busy(): boolean {
    return this.pending !== undefined;
  }

  private concerns({ actions, with: others }: Pattern): boolean {
    return [...actions, ...others].some(({ entity }) => this.moved.has(this.lead.common(entity)));
  }

  async tick(): Promise<void> {
    const { world, lead } = this;
    if (this.pending !== undefined) return this.goOn(this.pending);
    const plan = this.plans[world.random.below(this.plans.length)];
    if (plan === undefined) return;
    const given = givenFor(world, lead, plan.pattern, this.pools);
    if (given === undefined) return;
    if (!this.concerns(plan.pattern)) return writePlainly(world, lead, plan, given);
    this.pending = { pattern: plan.pattern, given, entries: undefined, effects: [], tries: 0 };
    await this.look(this.pending);
  }

  /** Reads, works out what has to be written, and waits for its next turn. */
  private async look(pending: Pending): Promise<void> {
    const { world, lead } = this;
    const { pattern, given } = pending;
    const plain = effectsOn(lead, pattern, given, await readTargets(world, lead, pattern, given));
    const effects = plain && (await completed(world, lead, plain));
    const entries: Entry[] = [];
    for (const { entity, before, after } of effects ?? []) {
      const sides = [world.old, world.new];
      entries.push(...(await entriesFor(world, sides, entity, before, after, given.writing)));
    }
    if (effects === undefined || isTaken(entries, lead.which)) {
      this.pending = undefined;
      world.counts.refused += 1;
      if (world.ledger.effects(lead, pattern, given) !== undefined) {
        failed(world, lead, pattern, given, "was refused, and should not be");
      }
      return;
    }
    this.pending = { ...pending, entries, effects };
  }

  private async goOn(pending: Pending): Promise<void> {
    const { world, lead } = this;
    const { pattern, given, entries, tries } = pending;
    if (entries === undefined) return this.look(pending);
    const expected = world.ledger.effects(lead, pattern, given);
    if ((await writeEntries(world, entries)) === "changed") {
      world.counts.again += 1;
      if (tries === triesMax) failed(world, lead, pattern, given, `did not come through`);
      this.pending =
        tries === triesMax ? undefined : { ...pending, entries: undefined, tries: tries + 1 };
      return;
    }
    this.pending = undefined;
    if (expected === undefined) {
      failed(world, lead, pattern, given, "was not refused, and should be");
      return;
    }
    world.counts.writes += 1;
    world.ledger.apply(expected);
    for (const { entity, after } of pending.effects) {
      if (after !== undefined) noteCopies(world, entity, after);
    }
  }
}

/** With the copies that the new design wants. */
async function completed(
  world: World,
  lead: Side,
  effects: readonly Effect[],
): Promise<readonly Effect[]> {
  const whole: Effect[] = [];
  for (const effect of effects) {
    const { entity, after } = effect;
    whole.push({ ...effect, after: after && (await withCopies(world, lead, entity, after)) });
  }
  return whole;
}

function isReadable(side: Side, { actions }: Pattern): boolean {
  return actions.every(
    ({ kind, entity, where }) =>
      kind === "create" || wholePlan(side, entity, where).problem === undefined,
  );
}

type Targets = Map<string, Map<EntityValues, EntityValues>>;

/** All entities that a write can touch, as they are stored. */
async function readTargets(
  world: World,
  side: Side,
  pattern: Pattern,
  given: Given,
): Promise<Targets> {
  const targets: Targets = new Map();
  const add = async (entity: string, found: readonly EntityValues[]): Promise<void> => {
    const list = targets.get(entity) ?? new Map<EntityValues, EntityValues>();
    targets.set(entity, list);
    for (const one of found) {
      const isKnown = [...list.values()].some((other) => sameId(side, entity, one, other));
      if (!isKnown) list.set(await whole(world, side, entity, one), one);
    }
  };
  for (const action of pattern.actions) {
    await add(action.entity, await readAction(world, side, action, given));
  }
  for (const { entity } of pattern.with) {
    await add(entity, await readIds(world, side, entity, given.items(entity)));
  }
  for (const { entity } of pattern.actions) {
    const sources = [...given.items(entity), ...(targets.get(entity)?.values() ?? [])];
    for (const [holder, ids] of holdersOf(side, entity, sources)) {
      await add(holder, await readIds(world, side, holder, ids));
    }
  }
  return targets;
}

function readAction(
  world: World,
  side: Side,
  { kind, entity, where }: Action,
  given: Given,
): Promise<readonly EntityValues[]> {
  return kind === "create"
    ? readIds(world, side, entity, given.items(entity))
    : readWhole(world, side, entity, where, given.parameters);
}

async function readIds(
  world: World,
  side: Side,
  entity: string,
  ids: readonly EntityValues[],
): Promise<readonly EntityValues[]> {
  const found: EntityValues[] = [];
  for (const id of ids) {
    const one = await readOne(world, side, entity, id);
    if (one !== undefined) found.push(one);
  }
  return found;
}

/** Entities that keep numbers about others in the same transaction. */
function holdersOf(
  side: Side,
  entity: string,
  sources: readonly EntityValues[],
): readonly (readonly [string, readonly EntityValues[]])[] {
  return [...(side.model.design?.tables.values() ?? [])].flatMap(({ aggregates }) =>
    aggregates.flatMap(({ of, into, by }) => {
      const parent = side.parents.get(entity)?.find((one) => one.entity === into.entity);
      if (of !== entity || by !== "transaction" || parent === undefined) return [];
      const ids = sources.map(
        (source) =>
          new Map<string, AttributeValue>(
            parent.pairs.flatMap(([theirs, ours]) => {
              const value = source.get(ours);
              return value === undefined ? [] : [[theirs, value]];
            }),
          ),
      );
      return [[into.entity, ids] as const];
    }),
  );
}

function sameId(side: Side, entity: string, one: EntityValues, other: EntityValues): boolean {
  const { id } = side.model.entities.get(entity) as Entity;
  return id.every((name) => JSON.stringify(one.get(name)) === JSON.stringify(other.get(name)));
}

/** With what only the other design stores of it: who writes both may not drop that. */
async function whole(
  world: World,
  side: Side,
  entity: string,
  own: EntityValues,
): Promise<EntityValues> {
  const other = side.which === "old" ? world.new : world.old;
  const known = side.toCommon(entity, own);
  const theirs = other.own(side.common(entity));
  const mine = new Set(commonNames(side, entity));
  if (commonNames(other, theirs).every((name) => mine.has(name))) return known;
  const found = await readOne(world, other, theirs, other.toOwn(theirs, known));
  return side.toCommon(entity, own, found && other.toCommon(theirs, found));
}
