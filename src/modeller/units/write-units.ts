import { transactionFactor } from "../../capacity/metering.ts";
import { attributesOf } from "../../model/key-text.ts";
import type { Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { attributeName } from "../plans/index-contents.ts";
import { touchedBy, type WriteAction, type WriteRequest } from "../plans/plan.ts";
import type { Membership, StoredRecord } from "../records/record.ts";
import { holdsFor } from "../records/shares.ts";
import type { Rewriting } from "../records/sizes.ts";
import { ByteDistribution } from "../sizes/distribution.ts";

const unitBytes = 1_024;

/** Units of one action, and of each index that it touches. */
export interface ActionUnits {
  readonly action: WriteAction;
  readonly table: number;
  readonly indexes: readonly { readonly membership: Membership; readonly units: number }[];
  readonly unknown: readonly string[];
}

/** The write units of a request, as a mean. A transaction pays the table's part twice, indexes once. */
export function writeUnitsOf(facts: Facts, request: WriteRequest): readonly ActionUnits[] {
  const factor = request.operation === "TransactWriteItems" ? transactionFactor : 1;
  return request.actions.map((action) => {
    const { record, count } = action;
    const size = facts.sizes.rewritten(
      record,
      undefined,
      rewritingOf(action),
      facts.presence(record),
    );
    return {
      action,
      table: unitsOf(size) * factor * count,
      indexes: record.memberships
        .map((membership) => ({
          membership,
          units: indexUnits(facts, record, membership, action) * count,
        }))
        .filter((one) => one.units > 0),
      unknown: size === undefined ? [record.name] : [],
    };
  });
}

const unitsOf = (size: ByteDistribution | undefined): number =>
  (size ?? ByteDistribution.fixed(0)).expectedUnits(unitBytes);

/** What of the stored item an action makes anew. */
function rewritingOf({ kind, record, changes }: WriteAction): Rewriting {
  const { sets, appends, removes } = changes;
  if (kind === "update") {
    const values = sets.map(
      ({ attribute, to }) => [attribute, to.kind === "constant" ? to.value : undefined] as const,
    );
    return { sets: new Map(values), appends, removes };
  }
  // The copy of the latest version takes the place of the one before.
  const isReplaced = kind === "put" && record.role === "latest";
  const { entity } = record;
  const others = [...entity.attributes.values()].filter(({ name }) => !entity.id.includes(name));
  const replaced = isReplaced ? others.map(({ name }) => [name, undefined] as const) : [];
  return { sets: new Map(replaced), appends: [], removes: [] };
}

/** What one action costs in one index. */
function indexUnits(
  facts: Facts,
  record: StoredRecord,
  membership: Membership,
  action: WriteAction,
): number {
  if (action.kind === "check") return 0;
  const entry = unitsOf(facts.sizes.entry(record, membership));
  const share = facts.shareIn(record.entity, membership).value;
  if (action.kind !== "update") return share * entry;
  const touched = touchedBy(action.changes);
  const keyTouched = [...membership.partition, ...membership.sort].some(({ text }) =>
    attributesOf(text).some(({ attribute }) => touched.has(attribute)),
  );
  const isDecided =
    membership.only.some(({ attribute }) => touched.has(attribute)) ||
    membership.optional.some(({ name }) => touched.has(name));
  const projected = membership.attributes.some(
    (one) =>
      attributeName(one).some((name) => touched.has(name)) ||
      (one.content.kind === "embedded" && touched.has(one.name)),
  );
  const rewritten = (): number =>
    unitsOf(facts.sizes.rewritten(record, membership, rewritingOf(action)));
  if (!keyTouched && !isDecided) return projected ? share * rewritten() : 0;
  const { before, after } = isDecided
    ? presence(facts, record, membership, action)
    : { before: share, after: share };
  if (keyTouched) return before * entry + after * entry;
  const stays = before * after * (projected ? rewritten() : 0);
  return stays + (before * (1 - after) + (1 - before) * after) * entry;
}

/**
 * How often the item is in the index before and after a change of what decides it. Constants in the change and in its
 * condition are taken; else both are as often as for any item.
 */
function presence(
  facts: Facts,
  record: StoredRecord,
  membership: Membership,
  { changes, condition, also }: WriteAction,
): { readonly before: number; readonly after: number } {
  const { entity } = record;
  const conditions = [...(condition?.kind === "where" ? condition.predicates : []), ...also];
  let [before, after] = [1, 1];
  for (const decider of membership.only) {
    const usual = facts.share(entity, [decider]).value;
    const told = given(facts, record, decider, conditions);
    before *= told ?? usual;
    const set = changes.sets.find(({ attribute }) => attribute === decider.attribute)?.to;
    if (changes.removes.includes(decider.attribute)) after *= 0;
    else if (set?.kind === "constant") after *= holds(decider, set.value) ? 1 : 0;
    else if (set !== undefined) after *= usual;
    else after *= told ?? usual;
  }
  for (const { name, present } of membership.optional) {
    const isRemoved = changes.removes.includes(name);
    const usual = known(name, conditions) ?? present.value;
    before *= usual;
    after *= isRemoved ? 0 : touchedBy(changes).has(name) ? 1 : usual;
  }
  return { before, after };
}

/** Whether an attribute is there, as far as a condition tells. */
function known(name: string, conditions: readonly Predicate[]): number | undefined {
  const told = conditions.find(({ attribute }) => attribute === name);
  if (told === undefined) return undefined;
  return told.operator === "exists" && !told.exists ? 0 : 1;
}

/** The share that fulfils a condition among those of which more is known. */
function given(
  facts: Facts,
  { entity }: StoredRecord,
  decider: Predicate,
  known: readonly Predicate[],
): number | undefined {
  const about = known.filter(({ attribute }) => attribute === decider.attribute);
  const constants = about.filter(({ operands }) =>
    operands.every(({ kind }) => kind === "constant"),
  );
  if (constants.length === 0) return undefined;
  const all = facts.share(entity, constants).value;
  return all === 0
    ? undefined
    : facts.share(entity, [...narrowest(constants, decider)]).value / all;
}

/** Both conditions on one attribute: the values that fulfil the one and the other. */
function narrowest(known: readonly Predicate[], decider: Predicate): readonly Predicate[] {
  const [first] = known;
  if (first === undefined || first.operator === "exists") return [decider];
  const values = first.operands.filter(
    (one) => one.kind === "constant" && holds(decider, one.value),
  );
  return [{ ...first, operator: "one-of", operands: values }];
}

function holds(predicate: Predicate, value: string | number | boolean): boolean {
  if (predicate.operator === "exists") return predicate.exists;
  return holdsFor(predicate)?.(value) ?? true;
}
