import type { OverviewDocument } from "../../src/model/document-requirements.ts";
import type { ModelDocument } from "../../src/model/model-document.ts";
import { pricedRegions } from "../../src/modeller/prices/book.ts";
import { entityDocument } from "./draft-entity.ts";
import { ModelRandom, type ModelSizeName } from "./model-random.ts";
import { randomPatterns, randomWorkflows } from "./random-patterns.ts";
import { randomData } from "./random-relations.ts";

/**
 * A document that states requirements over the whole model language, without a design. The same seed draws the same
 * document. The reader accepts it. Some documents contradict themselves or leave numbers out, as the reader allows.
 */
export function randomModel(seed: number, size: ModelSizeName = "usual"): ModelDocument {
  const random = new ModelRandom(seed, size);
  const { entities, relations } = randomData(random);
  const patterns = randomPatterns(random, entities);
  const workflows = randomWorkflows(random, patterns);
  return {
    keywright: 1,
    name: `random-${seed}`,
    ...random.maybe(0.7, () => ({ overview: randomOverview(random) })),
    entities: Object.fromEntries(
      entities.map((entity) => [entity.name, entityDocument(random, entity)]),
    ),
    ...(relations.length > 0 && { relations }),
    patterns,
    ...(Object.keys(workflows).length > 0 && { workflows }),
    ...random.maybe(0.04, () => ({ ignore: [randomIgnore(random)] })),
  };
}

function randomOverview(random: ModelRandom): OverviewDocument {
  const prose = random.traits.isVerbose ? 0.6 : 0.05;
  return {
    ...random.maybe(0.5, () => ({ domain: random.pick(["logistics", "education"]) })),
    ...random.maybe(prose, () => ({ context: [random.sentence()] })),
    ...random.maybe(prose, () => ({ compliance: random.pick([[], ["GDPR"]]) })),
    ...random.maybe(0.4, () => ({
      scale: {
        ...random.maybe(0.7, () => ({ users: random.amount(random.magnitude(2, 7)) })),
        ...random.maybe(0.7, () => ({ requests: random.amount(random.magnitude(0, 4)) })),
      },
    })),
    ...random.maybe(0.7, () => ({
      region: random.contradicts(0.05) ? "mars-north-1" : random.pick(pricedRegions),
    })),
  };
}

function randomIgnore(random: ModelRandom): NonNullable<ModelDocument["ignore"]>[number] {
  return {
    rule: random.pick(["no-point-in-time-recovery", "limit-without-order", "unlimited-list"]),
    ...random.maybe(0.3, () => ({ on: "design.tables" })),
    reason: random.sentence(),
  };
}
