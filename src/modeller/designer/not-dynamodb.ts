import { pageBytesMax } from "../../api/limits.ts";
import type { Model } from "../../model/model.ts";
import type { Action, Entity, Pattern } from "../../model/requirements.ts";
import { servedPatterns } from "./needs.ts";
import type { Refusal } from "./refusal.ts";
import { attributeMean } from "./weights.ts";

/** So much is not read as a whole every minute by somebody who waits for it. */
const reportBytes = 1024 ** 3;
const perMinute = 1 / 60;

/** Questions that no key answers, each with what answers them instead. */
export function notForDynamodb(model: Model): readonly Refusal[] {
  return servedPatterns(model).flatMap((pattern) =>
    pattern.actions.flatMap((action) => {
      const entity = model.entities.get(action.entity);
      if (action.kind !== "read" || entity === undefined) return [];
      return searched(pattern, action, entity) ?? reported(pattern, action, entity) ?? [];
    }),
  );
}

/** A part of a text is looked for in everything. */
function searched(
  { id, name, path }: Pattern,
  { where }: Action,
  entity: Entity,
): Refusal | undefined {
  const part = where.find(({ operator }) => operator === "contains");
  const isKeyed = where.some(({ operator }) => operator === "equals" || operator === "one-of");
  if (part === undefined || isKeyed || bytesOf(entity) <= pageBytesMax) return undefined;
  const text = `Pattern ${id} (${name}) searches inside ${entity.name}.${part.attribute} of all items, and no key answers that: a search engine does, such as OpenSearch with a zero-ETL integration. ${howToSay}`;
  return { path, text };
}

/** Everything is read again and again. */
function reported(
  { id, name, rps, path }: Pattern,
  action: Action,
  entity: Entity,
): Refusal | undefined {
  const isWhole = action.where.length === 0 && typeof action.limit !== "number";
  const isOften = (rps.average?.value ?? 0) > perMinute;
  if (!isWhole || !isOften || bytesOf(entity) <= reportBytes) return undefined;
  const text = `Pattern ${id} (${name}) reads all ${entity.name} more than once a minute: that is a report, and an export to S3 with Athena, or a zero-ETL integration with a warehouse, makes it without reading the table. ${howToSay}`;
  return { path, text };
}

const howToSay = "State status: alternative with service, via and why, or decline the pattern.";

function bytesOf({ attributes, count }: Entity): number {
  const each = [...attributes.values()].reduce((sum, one) => sum + attributeMean(one), 0);
  return each * (count?.value ?? 0);
}
