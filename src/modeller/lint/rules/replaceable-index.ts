import type { Index, Table } from "../../../model/design.ts";
import type { Entity } from "../../../model/requirements.ts";
import { moneyPrice, upkeepOf } from "../bills.ts";
import { withoutIndexPlans } from "../index-drop.ts";
import type { EntityKey } from "../keys.ts";
import type { LintContext } from "../lint-context.ts";
import type { Finding, Rule } from "../rule.ts";
import { counted, listText } from "../words.ts";
import { dropIndex } from "./unused-index.ts";

export const replaceableIndex: Rule = {
  id: "replaceable-index",
  severity: "warning",
  title: "What an index is for, the table or another index can do at less cost.",
  topic: "identifying-relationship",
  *check(context) {
    for (const table of context.tables) {
      for (const index of table.indexes.values()) {
        const found = served(context, table, index) ?? identifying(context, table, index);
        if (found !== undefined) yield found;
      }
    }
  },
};

/** The same questions are answered without it, and it costs less. */
function served(context: LintContext, table: Table, index: Index): Finding | undefined {
  const drop = withoutIndexPlans(context, table, index);
  if (drop === undefined || drop.loses) return undefined;
  const names = drop.instead.map(({ pattern, source }) => `${pattern.id} by ${source}`);
  return {
    path: index.path,
    message: `Index ${index.name} of ${table.name} can be replaced by what is there already.`,
    evidence: `Without it, ${counted(names.length, "pattern")} would be answered as well, ${listText(names)}, and its writes and bytes would not be paid for.`,
    price: moneyPrice(drop.saved, false),
    cure: "Take the index out.",
    fix: dropIndex(table, index),
  };
}

/** A child under its own id, with an index by its parent, whose readers always know the parent. */
function identifying(context: LintContext, table: Table, index: Index): Finding | undefined {
  for (const entity of index.members.keys()) {
    const child = context.model.entities.get(entity);
    const own = context.keys.find(
      (key) => key.kind === "item" && key.table === table && key.entity === child,
    );
    const entry = context.keys.find((key) => key.index === index && key.entity === child);
    if (child === undefined || own === undefined || entry === undefined) continue;
    const parent = parentIn(context, child, entry);
    if (parent === undefined || index.members.size > 1 || namesIn(own).includes(parent)) continue;
    const asks = context
      .actionsOn(entity)
      .filter(({ action }) => action.kind !== "create")
      .map(({ action }) => action.where);
    const always = asks.every((where) =>
      where.some(({ attribute, operator }) => attribute === parent && operator === "equals"),
    );
    if (asks.length === 0 || !always) continue;
    return {
      path: index.path,
      message: `Index ${index.name} of ${table.name} finds ${entity} by ${parent}, which could be the partition key itself.`,
      evidence: `${entity} means nothing without its ${parent}, and all ${counted(asks.length, "pattern")} that read or change it know it.`,
      price: moneyPrice(upkeepOf(context.design, table, index), false),
      cure: `Make ${parent} the partition key of ${entity} and its own id the sort key: one structure serves both.`,
    };
  }
  return undefined;
}

/** The parent's id in the partition key of an index, if the child is identified by it. */
function parentIn(
  { model, facts }: LintContext,
  child: Entity,
  entry: EntityKey,
): string | undefined {
  const [name, more] = namesOf(entry.partition);
  if (name === undefined || more !== undefined) return undefined;
  const parent = facts.cardinality.parentOf(child, name);
  const isIdentifying = model.relations.some(
    ({ from, to, identifying }) => identifying && from === parent?.name && to === child.name,
  );
  return isIdentifying ? name : undefined;
}

const namesIn = ({ partition, sort }: EntityKey): readonly string[] =>
  namesOf([...partition, ...sort]);

function namesOf(sides: EntityKey["partition"]): readonly string[] {
  return sides.flatMap(({ text }) =>
    text.segments.flatMap((segment) => (segment.kind === "attribute" ? [segment.attribute] : [])),
  );
}
