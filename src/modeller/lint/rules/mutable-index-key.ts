import type { Attribute } from "../../../model/requirements.ts";
import { componentsOf } from "../key-fit.ts";
import type { EntityKey } from "../keys.ts";
import type { LintContext } from "../lint-context.ts";
import { money, monthly } from "../money.ts";
import type { Price, Rule } from "../rule.ts";
import { changedBy, type Sum, sumOf } from "../traffic.ts";
import { listText, numberText } from "../words.ts";

/** Where a value changes so much more often than it is asked for, the index is kept for nothing. */
const ratioMax = 10;

export const mutableIndexKey: Rule = {
  id: "mutable-index-key",
  severity: "warning",
  title:
    "An attribute in an index key changes often, and each change deletes and inserts an entry.",
  topic: "index-writes",
  *check(context) {
    for (const key of context.keys) {
      const { index, entity, partition, sort, what } = key;
      if (index === undefined) continue;
      for (const { attribute: name, side } of componentsOf([...partition, ...sort])) {
        const attribute = entity.attributes.get(name);
        const changing = context
          .writesOf(entity.name)
          .filter(({ action }) => action.kind === "update" && changedBy(action).includes(name));
        if (attribute === undefined || changing.length === 0) continue;
        const { asked, reads } = usesOf(context, key, attribute);
        const changes = sumOf(changing);
        const isSparse = (index.members.get(entity.name)?.only ?? []).length > 0;
        const isOften = !isSparse && changes.average.value > ratioMax * reads.average.value;
        if (asked && !isOften) continue;
        const ids = changing.map(({ pattern }) => pattern.id);
        yield {
          path: side.path,
          message: `${entity.name}.${name} in ${what} changes ${asked ? "far more often than it is asked for" : "and no pattern asks by it"}.`,
          evidence: `Pattern ${listText(ids)} changes it ${numberText(changes.average.value)} times per second${changes.average.assumed ? " (assumed)" : ""}, and the index is read ${numberText(reads.average.value)} times per second${reads.average.assumed ? " (assumed)" : ""}; each change writes two entries.`,
          price: priceOf(context, key, changes),
          cure: asked
            ? `Keep the attribute out of the index key and sort or filter what is read, make the index sparse, or write a coarser value that changes seldom.`
            : `Take ${name} out of the index key; project it if readers want to see it.`,
        };
      }
    }
  },
};

/** Whether a query of the index wants the attribute, and how often the index is read. */
function usesOf(
  { plans, served }: LintContext,
  { table, index }: EntityKey,
  { name }: Attribute,
): { readonly asked: boolean; readonly reads: Sum } {
  const using = served.filter(({ id }) =>
    plans
      .get(id)
      ?.requests.some((one) => one.kind === "read" && one.table === table && one.index === index),
  );
  const actions = using.flatMap((pattern) =>
    pattern.actions.slice(0, 1).map((action) => ({ pattern, action })),
  );
  const asked = actions.some(
    ({ action: { where, order } }) =>
      where.some(({ attribute }) => attribute === name) ||
      order.some(({ attribute }) => attribute === name),
  );
  return { asked, reads: sumOf(actions) };
}

function priceOf(
  { facts, prices }: LintContext,
  { table, index, entity }: EntityKey,
  { average }: Sum,
): Price | undefined {
  const [record] = facts.itemsOf(entity.name).filter((one) => one.table === table);
  const membership = record?.memberships.find((one) => one.index === index);
  if (record === undefined || membership === undefined) return undefined;
  const units = facts.sizes.entry(record, membership)?.expectedUnits(1_024);
  if (units === undefined) return undefined;
  const share = facts.shareIn(entity, membership);
  const writes = average.value * share.value * 2 * units;
  return money(monthly(prices, table, { writes }), average.assumed || share.assumed);
}
