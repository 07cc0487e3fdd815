import type { CheckContext } from "../check-context.ts";
import { accessByKey, joins, knownPatterns, searchAndAnalytics } from "./access-criteria.ts";
import type { Criterion, Exception, Instead, Judgement } from "./criterion.ts";
import { consistency, eventualReads, latency, transactionWidth } from "./need-criteria.ts";
import { boundedItems, expiry, flexibleSchema, scale, spikes } from "./size-criteria.ts";

export const allCriteria: readonly Criterion[] = [
  accessByKey,
  knownPatterns,
  boundedItems,
  scale,
  latency,
  consistency,
  eventualReads,
  transactionWidth,
  searchAndAnalytics,
  joins,
  expiry,
  spikes,
  flexibleSchema,
];

export interface JudgedCriterion extends Judgement {
  readonly id: string;
  readonly title: string;
}

/** Whether DynamoDB is the right store for what is asked. */
export interface Fit {
  readonly verdict: "fits" | "fits-with-exceptions" | "does-not-fit" | "unknown";
  readonly criteria: readonly JudgedCriterion[];
  /** The ids of the criteria that decide. */
  readonly deciding: readonly string[];
  readonly exceptions: readonly Exception[];
  /** If it does not fit: what would. */
  readonly instead: readonly Instead[];
}

export function fitOf(context: CheckContext): Fit {
  const criteria = allCriteria.map(({ id, title, judge }) => ({ id, title, ...judge(context) }));
  const exceptions = criteria.flatMap((one) => one.exceptions);
  const having = (weight: Judgement["weight"]): readonly JudgedCriterion[] =>
    criteria.filter((one) => one.weight === weight);
  const ids = (some: readonly JudgedCriterion[]): readonly string[] => some.map(({ id }) => id);
  if (context.wanted.length === 0) {
    return { verdict: "unknown", criteria, deciding: ["known-patterns"], exceptions, instead: [] };
  }
  const against = having("against");
  if (against.length > 0) {
    const instead = [...new Set(against.flatMap((one) => one.instead))];
    return { verdict: "does-not-fit", criteria, deciding: ids(against), exceptions, instead };
  }
  const excepting = having("exception");
  if (excepting.length > 0) {
    const deciding = ids(excepting);
    return { verdict: "fits-with-exceptions", criteria, deciding, exceptions, instead: [] };
  }
  return { verdict: "fits", criteria, deciding: ids(having("for")), exceptions, instead: [] };
}
