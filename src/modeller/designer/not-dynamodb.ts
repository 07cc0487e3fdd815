import { pageBytesMax } from "../../api/limits.ts";
import type { Model } from "../../model/model.ts";
import type { Action, Entity, Pattern, Predicate } from "../../model/requirements.ts";
import { months, secondsOf } from "../cost/month.ts";
import { Facts } from "../facts.ts";
import { bytesText, listText, moneyText, numberText } from "../lint/words.ts";
import { defaultRegion, pricesOf } from "../prices/book.ts";
import { Cardinality } from "../records/cardinality.ts";
import { servedPatterns } from "./needs.ts";
import type { Refusal } from "./refusal.ts";
import { attributeMean } from "./weights.ts";

/** So much is not read as a whole every minute by somebody who waits for it. */
const reportBytes = 1024 ** 3;
const perMinute = 1 / 60;
/** Items that cost as much to write as it costs to read `reportBytes`: a write unit has the price of five read units. */
const rewrittenItems = reportBytes / 4_096 / 2 / 5;
/** A thousand partitions that do nothing else; the default quota of a table is 40,000. */
const writesMax = 1_000_000;

/**
 * Patterns that DynamoDB should not serve, each with what serves it instead. The designer refuses them and the checklist
 * calls them wrong, so that both draw the same line.
 */
export function notForDynamodb(model: Model): readonly Refusal[] {
  return servedPatterns(model).flatMap((pattern) =>
    pattern.actions.flatMap((action) => {
      const entity = model.entities.get(action.entity);
      if (entity === undefined) return [];
      if (action.kind !== "read") return rewritten(model, pattern, action, entity) ?? [];
      return searched(model, pattern, action, entity) ?? reported(pattern, action, entity) ?? [];
    }),
  );
}

/** A part of a text is searched in more items than one page holds. */
function searched(
  model: Model,
  { id, name, path }: Pattern,
  { where }: Action,
  entity: Entity,
): Refusal | undefined {
  const part = where.find(({ operator }) => operator === "contains");
  const isKeyed = where.some(({ operator }) => operator === "equals" || operator === "one-of");
  if (part === undefined || isKeyed) return undefined;
  const others = where.filter(({ operator }) => operator !== "contains");
  const bytes = bytesOf(entity) * Facts.of(model).share(entity, others).value;
  if (bytes <= pageBytesMax) return undefined;
  const text = `Pattern ${id} (${name}) searches inside ${entity.name}.${part.attribute} in ${bytesText(bytes)} of items for each request. No key answers that; a search engine does, such as OpenSearch with a zero-ETL integration. ${howToSay}`;
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
  const text = `Pattern ${id} (${name}) reads all ${entity.name} items (${bytesText(bytesOf(entity))}) more than once a minute. Such a report comes from an export to S3 with Athena, or from a warehouse with a zero-ETL integration, without reading the table. ${howToSay}`;
  return { path, text };
}

/** Many items are changed or deleted by each request. */
function rewritten(
  model: Model,
  { id, name, rps, path, batch }: Pattern,
  { kind, where, average }: Action,
  entity: Entity,
): Refusal | undefined {
  if (kind !== "update" && kind !== "delete") return undefined;
  const cardinality = Cardinality.of(model);
  const isEqual = ({ operator }: Predicate) => operator === "equals" || operator === "one-of";
  const [named, others] = [where.filter(isEqual), where.filter((one) => !isEqual(one))];
  const values = named.map(({ attribute }) => attribute);
  const lists = named.reduce((product, { operands }) => product * operands.length, 1);
  const matching = (cardinality.itemsPer(entity, values)?.value ?? 0) * lists;
  const share = Facts.of(model).share(entity, others);
  const items = Math.round(matching * share.value * average.value * (batch?.value ?? 1));
  const perSecond = items * (rps.average?.value ?? 0);
  if (perSecond <= writesMax || items <= rewrittenItems) return undefined;
  // Only of equal values a document can state how many items have one.
  if (share.assumed) return undefined;
  const { writeRequests } = pricesOf(model.overview.region ?? defaultRegion)?.standard ?? {};
  const dollars = perSecond * secondsOf(months["730h"]) * ((writeRequests?.usd ?? 0) / 1e6);
  const price = writeRequests === undefined ? "" : `, for at least ${moneyText(dollars)} a month`;
  const known = cardinality.known(entity, values);
  const open = values.filter((one) => !known.includes(one));
  const names = open.map((one) => `${entity.name}.${one}`);
  const guess =
    names.length === 0 ? "" : `If fewer items match, state distinct of ${listText(names)}. `;
  const cure =
    kind === "delete"
      ? "Let TTL delete the items without write cost"
      : "Store the value once, in an item that the others refer to";
  const text = `Pattern ${id} (${name}) ${kind}s ${numberText(items)} ${entity.name} items in each request, which is ${numberText(perSecond)} writes a second${price}. ${guess}${cure}, or do it in a job that runs less often. ${howToSay}`;
  return { path, text };
}

const howToSay = "State status: alternative with service, via and why, or decline the pattern.";

function bytesOf({ attributes, count }: Entity): number {
  const each = [...attributes.values()].reduce((sum, one) => sum + attributeMean(one), 0);
  return each * (count?.value ?? 0);
}
