import { itemSizeBytesMax } from "../../../api/limits.ts";
import type { Entity } from "../../../model/requirements.ts";
import { bytesText, counted, numberText, shareText } from "../../lint/words.ts";
import type { CheckContext } from "../check-context.ts";
import { sizesBelowLimits } from "../checks/sizes-below-limits.ts";
import { totalRates } from "../rates.ts";
import { type Criterion, type Exception, judged } from "./criterion.ts";

export const boundedItems: Criterion = {
  id: "bounded-items",
  title: "Items have a bounded size",
  judge(context) {
    const outgrown = context.entities.flatMap((entity): Exception[] => {
      const bytes = largestOf(context, entity);
      return bytes <= itemSizeBytesMax
        ? []
        : [
            {
              path: entity.path,
              text: `${entity.name} can have ${bytesText(bytes)}, more than the ${bytesText(itemSizeBytesMax)} of an item.`,
              instead: "object storage",
              service: undefined,
            },
          ];
    });
    const unbounded =
      context.design === undefined
        ? []
        : sizesBelowLimits.run(context).points.filter(({ kind }) => kind === "open");
    const largest = Math.max(0, ...context.entities.map((one) => largestOf(context, one)));
    const evidence = [
      `The largest item has up to ${bytesText(largest)} of ${bytesText(itemSizeBytesMax)}${unbounded.length > 0 ? `; ${counted(unbounded.length, "list")} have no bound` : ""}.`,
    ];
    const tooLarge = outgrown.length > 0;
    if (tooLarge && outgrown.length * 2 > context.entities.length) {
      return judged("against", evidence, { exceptions: outgrown, instead: ["object storage"] });
    }
    return judged(tooLarge ? "exception" : unbounded.length > 0 ? "neutral" : "for", evidence, {
      exceptions: outgrown,
    });
  },
};

/** The most that one item of an entity has; before there is a design, all its attributes together. */
function largestOf({ facts }: CheckContext, entity: Entity): number {
  const records = facts.records.filter((one) => one.entity === entity);
  if (records.length > 0) {
    return Math.max(...records.map((record) => facts.sizes.item(record)?.max ?? 0));
  }
  return [...entity.attributes.values()].reduce((sum, { size, elements, name }) => {
    if (size === undefined) return sum;
    const { distribution: one } = size;
    const bytes =
      one.kind === "fixed"
        ? one.bytes
        : one.kind === "uniform"
          ? one.max
          : Math.max(...one.shares.map((share) => share.bytes));
    return sum + name.length + bytes * (elements?.max?.value ?? elements?.average.value ?? 1);
  }, 0);
}

const manyRequests = 1_000;
const manyBytes = 100 * 1_024 ** 3;

export const scale: Criterion = {
  id: "scale",
  title: "There is much of it, or many want it at once",
  judge(context) {
    const { wanted, entities, facts } = context;
    const { peak } = totalRates(wanted);
    const writes = totalRates(wanted.filter(({ kind }) => kind === "write")).peak;
    const items = entities.reduce((sum, { count }) => sum + (count?.value ?? 0), 0);
    const bytes = facts.records.reduce(
      (sum, record) =>
        sum + (facts.count(record)?.value ?? 0) * (facts.sizes.item(record)?.mean ?? 0),
      0,
    );
    const stored = bytes > 0 ? `, ${bytesText(bytes)}` : "";
    const evidence = [
      `${numberText(peak)} requests per second at peak, ${numberText(writes)} of them writes; ${numberText(items)} items${stored}.`,
    ];
    if (peak >= manyRequests || bytes >= manyBytes) return judged("for", evidence);
    return judged("neutral", [...evidence, "Other databases carry that as well."]);
  },
};

export const expiry: Criterion = {
  id: "expiring-data",
  title: "What is over goes away by itself",
  judge({ entities, tables }) {
    const expiring = entities.filter(({ retentionMs }) => retentionMs !== undefined);
    if (expiring.length === 0) return judged("neutral", ["Everything is kept."]);
    const byTtl = expiring.filter(({ name }) =>
      tables.some(({ ttl }) => ttl?.entities.includes(name)),
    );
    return judged(byTtl.length > 0 || tables.length === 0 ? "for" : "neutral", [
      `Kept for a time: ${counted(expiring.length, "entity", "entities")}; by time to live, which costs nothing: ${byTtl.length}.`,
    ]);
  },
};

export const spikes: Criterion = {
  id: "spikes",
  title: "The load comes and goes",
  judge({ wanted }) {
    const { average, peak } = totalRates(wanted);
    if (average === 0) return judged("neutral", ["No rates are known."]);
    const ratio = peak / average;
    return judged(ratio >= 4 ? "for" : "neutral", [
      `The peak is ${numberText(ratio)} times the average: ${ratio >= 4 ? "paying by request" : "provisioned capacity"} suits it.`,
    ]);
  },
};

export const flexibleSchema: Criterion = {
  id: "flexible-schema",
  title: "Items need not all look alike",
  judge({ entities }) {
    const attributes = entities.flatMap((one) => [...one.attributes.values()]);
    const loose = attributes.filter(
      ({ present, type }) => present.value < 1 || ["M", "L"].includes(type),
    );
    return judged(loose.length > 0 ? "for" : "neutral", [
      `${loose.length} of ${counted(attributes.length, "attribute")} (${shareText(loose.length / Math.max(1, attributes.length))}) are optional, maps or lists.`,
    ]);
  },
};
