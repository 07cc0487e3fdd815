import type { Index, Table } from "../../../model/design.ts";
import { attributesOf } from "../../../model/key-text.ts";
import type { Entity, Pattern } from "../../../model/requirements.ts";
import { ownLayouts } from "../../designer/layouts.ts";
import { needsOf } from "../../designer/needs.ts";
import { counted } from "../../lint/words.ts";
import { structureName } from "../../plans/plan.ts";
import { canMeet } from "../../plans/structures.ts";
import type { Membership, StoredRecord } from "../../records/record.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import type { CheckContext } from "../check-context.ts";

export const indexesJustified: Check = {
  id: "indexes-justified",
  title: "Every index says why it is there, and no table key would do instead",
  run(context) {
    const all = context.tables.flatMap((table) =>
      [...table.indexes.values()].map((index) => ({ table, index })),
    );
    if (all.length === 0) return notApplicable("There are no indexes.");
    const findings = new Findings();
    let said = 0;
    for (const { table, index } of all) {
      const { path, purpose } = index;
      const name = structureName(table, index);
      if (purpose !== undefined || context.isDecidedWithin(path)) said += 1;
      else findings.open(path, `What is index ${name} for? (purpose)`);
      const instead = replacement(context, table, index);
      if (instead !== undefined) findings.wrong(path, instead);
    }
    findings.saw(
      `With a purpose or a decision: ${said} of ${counted(all.length, "index", "indexes")}.`,
    );
    return findings.outcome();
  },
};

/**
 * A child that is never asked for without its parent can lie under its parent's id: then no index is needed to find
 * the children of a parent. In words if it is so.
 */
function replacement(context: CheckContext, table: Table, index: Index): string | undefined {
  if (index.local) return undefined;
  const members = context.facts.records.flatMap((record) =>
    record.table !== table
      ? []
      : record.memberships
          .filter((one) => one.index === index)
          .map((membership) => ({ record, membership })),
  );
  const [only, ...others] = members;
  if (only === undefined || others.length > 0) return undefined;
  const { record, membership } = only;
  const parents = parentOf(context, record, membership);
  if (parents === undefined) return undefined;
  const { parent, attribute } = parents;
  const { entity } = record;
  const asks = context.served
    .filter((pattern) => !usesOther(context, pattern, record, index))
    .flatMap(({ actions }) =>
      actions.filter((action) => action.entity === entity.name && action.kind !== "create"),
    );
  const always = asks.every(({ where }) =>
    where.some((one) => one.attribute === attribute && one.operator === "equals"),
  );
  if (asks.length === 0 || !always || holdsOthers(context, record)) return undefined;
  // The designer has to be able to make such a key, with the rest of the id in the sort key.
  const canBeKey = ownLayouts(context.model, entity, needsOf(context.model)).some(
    ({ main, tables }) => Object.keys(tables.get(main)?.key ?? {})[0] === attribute,
  );
  if (!canBeKey) return undefined;
  return `${entity.name} is never asked for without ${attribute}: with it as the partition key of ${table.name} the key itself lists the ${entity.name} of one ${parent.name}, and ${structureName(table, index)} is not needed.`;
}

/** Whether a pattern finds the items by yet another index, which stays as it is. */
function usesOther(
  context: CheckContext,
  pattern: Pattern,
  record: StoredRecord,
  index: Index,
): boolean {
  return context
    .reads(pattern)
    .some((one) => one.record === record && one.index !== undefined && one.index !== index);
}

/** The parent whose id alone is the partition key of an index that holds every item of the kind. */
function parentOf(
  { model, facts }: CheckContext,
  { entity, key }: StoredRecord,
  { only, optional, partition }: Membership,
): { readonly parent: Entity; readonly attribute: string } | undefined {
  if (only.length > 0 || optional.length > 0) return undefined;
  const names = partition.flatMap(({ text }) =>
    text.segments.some(({ kind }) => kind === "shard")
      ? ["", ""]
      : attributesOf(text).map((one) => one.attribute),
  );
  const [attribute = "", ...more] = names;
  const parent = facts.cardinality.parentOf(entity, attribute);
  if (parent === undefined || more.length > 0) return undefined;
  const [own] = key;
  const inKey =
    own !== undefined && attributesOf(own.text).some((one) => one.attribute === attribute);
  const isChild = model.relations.some(
    ({ from, to, kind }) => from === parent.name && to === entity.name && kind === "one-to-many",
  );
  return inKey || !isChild ? undefined : { parent, attribute };
}

/** Whether items of other kinds lie under the item's own key, so that it cannot be changed alone. */
function holdsOthers({ facts }: CheckContext, record: StoredRecord): boolean {
  const [own] = record.key;
  const names = new Set(own && attributesOf(own.text).map(({ attribute }) => attribute));
  return facts.records.some((other) => {
    const [theirs] = other.key;
    return (
      other !== record &&
      other.table === record.table &&
      own !== undefined &&
      theirs !== undefined &&
      canMeet(own.text, theirs.text) &&
      attributesOf(theirs.text).some(({ attribute }) => names.has(attribute))
    );
  });
}
