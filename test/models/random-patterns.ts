import type {
  PatternDocument,
  StepDocument,
  WorkflowDocument,
} from "../../src/model/document-requirements.ts";
import type { DraftEntity } from "./draft-entity.ts";
import type { ModelRandom } from "./model-random.ts";
import { randomSkew } from "./random-attributes.ts";
import { idWhere } from "./random-conditions.ts";
import { randomRead } from "./random-reads.ts";
import { randomCreate, randomDelete, randomTransaction, randomUpdate } from "./random-writes.ts";

/** Draws the patterns of a model, what is asked of each, and workflows of them. */

type Asked = Omit<PatternDocument, "name">;

export function randomPatterns(
  random: ModelRandom,
  entities: readonly DraftEntity[],
): Readonly<Record<string, PatternDocument>> {
  const { least, most } = random.extent.patterns;
  const wanted = Math.min(most, least + random.few(most - least));
  const drawn = usualPatterns(random, entities);
  for (let i = 0; drawn.length < wanted && i < 2 * wanted; i += 1) {
    const asked = randomAsked(random, entities);
    if (asked !== undefined) drawn.push(asked);
  }
  const isNumbered = random.chance(0.6);
  return Object.fromEntries(
    drawn.map((asked, i) => [
      isNumbered ? String(i + 1) : patternName(asked, i),
      finished(random, asked, i, entities),
    ]),
  );
}

/** Nearly every entity is created and read by its id. */
function usualPatterns(random: ModelRandom, entities: readonly DraftEntity[]): Asked[] {
  return entities.flatMap((entity) => [
    ...(random.chance(0.8) ? [randomCreate(random, entity, entities)] : []),
    ...(random.chance(0.5) ? [{ read: entity.name, where: idWhere(random, entity) }] : []),
  ]);
}

function randomAsked(random: ModelRandom, entities: readonly DraftEntity[]): Asked | undefined {
  const entity = random.pick(entities);
  return random.choose<Asked | undefined>([
    [10, () => randomRead(random, entity, entities)],
    [1, () => randomCreate(random, entity, entities)],
    [4, () => randomUpdate(random, entity)],
    [1.5, () => randomDelete(random, entity, entities)],
    [2.5, () => randomTransaction(random, entities)],
  ]);
}

/** The entities that a pattern names, and whether it reads. */
function subjectsOf({ transaction, ...action }: Asked): {
  readonly names: readonly string[];
  readonly isRead: boolean;
} {
  const steps: readonly StepDocument[] = transaction ?? [action];
  const names = steps.flatMap(
    (step) => step.read ?? step.create ?? step.update ?? step.delete ?? step.check ?? [],
  );
  return { names, isRead: steps.some(({ read }) => read !== undefined) };
}

function patternName(asked: Asked, index: number): string {
  const { read, create, update, transaction } = asked;
  const kind =
    read !== undefined
      ? "read"
      : create !== undefined
        ? "create"
        : update !== undefined
          ? "update"
          : transaction !== undefined
            ? "transact"
            : "delete";
  return `${kind}-${index + 1}`;
}

function finished(
  random: ModelRandom,
  asked: Asked,
  index: number,
  entities: readonly DraftEntity[],
): PatternDocument {
  const { names, isRead } = subjectsOf(asked);
  const attributes = entities
    .filter(({ name }) => names.includes(name))
    .flatMap((one) => [...one.attributes.keys()]);
  const ids = entities.filter(({ name }) => names.includes(name)).flatMap(({ id }) => id);
  const status = statusMembers(random);
  const prose = random.traits.isVerbose ? 0.3 : 0.01;
  return {
    name: `Pattern ${index + 1}`,
    ...random.maybe(prose, () => ({ story: random.sentence() })),
    ...asked,
    ...(random.isMissing() || (status.declined !== undefined && random.chance(0.5))
      ? {}
      : { rps: random.rate() }),
    ...random.maybe(0.12, () => ({ latency: random.duration(random.pick([0.005, 0.05, 0.5, 2])) })),
    ...random.maybe(isRead ? 0 : 0.15, () => ({ writers: random.amount(random.pick([1, 2, 8])) })),
    ...random.maybe(0.1, () => ({ scope: random.sample(ids, random.between(1, 2)) })),
    ...random.maybe(0.1, () => ({
      skew: { key: random.pick(random.chance(0.8) ? ids : attributes), ...randomSkew(random) },
    })),
    ...random.maybe(prose, () => ({ requirements: [random.sentence()] })),
    ...random.maybe(prose, () => ({ considerations: [random.sentence()] })),
    ...status,
  };
}

function statusMembers(
  random: ModelRandom,
): Pick<PatternDocument, "status" | "alternative" | "declined"> {
  return random.choose<Pick<PatternDocument, "status" | "alternative" | "declined">>([
    [40, () => ({})],
    [20, () => ({ status: "solved" })],
    [3, () => ({ status: "open" })],
    [
      1.5,
      () => ({
        ...random.maybe(0.7, () => ({ status: "alternative" })),
        alternative: {
          service: random.pick(["OpenSearch", "Athena"]),
          ...random.maybe(0.6, () => ({ via: random.pick(["stream", "export"]) })),
          why: random.sentence(),
        },
      }),
    ],
    [
      1.5,
      () => ({
        ...random.maybe(0.7, () => ({ status: "declined" })),
        declined: random.sentence(),
      }),
    ],
    [random.contradicts(0.2) ? 3 : 0, () => ({ status: "solved", declined: random.sentence() })],
  ]);
}

export function randomWorkflows(
  random: ModelRandom,
  patterns: Readonly<Record<string, PatternDocument>>,
): Readonly<Record<string, WorkflowDocument>> {
  const ids = Object.keys(patterns);
  const count = random.pick([0, 0, 1, 1, 2]);
  return Object.fromEntries(
    random.times(count, (i) => [
      `workflow-${i + 1}`,
      {
        ...random.maybe(random.traits.isVerbose ? 0.5 : 0.05, () => ({
          description: random.sentence(),
        })),
        steps: random
          .sample(ids, random.between(1, 4))
          .map((id) => (/^\d+$/.test(id) && random.chance(0.7) ? Number(id) : id)),
        ...(random.isMissing() ? {} : { rps: random.rate() }),
      },
    ]),
  );
}
