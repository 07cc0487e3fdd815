import type { Index, IndexMember, Table } from "../../../model/design.ts";
import type { Constant } from "../../../model/document-parts.ts";
import type { Attribute, Entity, Predicate } from "../../../model/requirements.ts";
import { isWorthIt, moneyPrice } from "../bills.ts";
import type { LintContext } from "../lint-context.ts";
import { readsIn } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { whatIf, withIndex } from "../what-if.ts";
import { counted, listText, shareText } from "../words.ts";

const askedMax = 0.1;

export const denseIndexForFew: Rule = {
  id: "dense-index-for-few",
  severity: "warning",
  title: "Nine in ten entries of an index are never asked for.",
  topic: "sparse-index",
  *check(context) {
    for (const table of context.tables) {
      for (const index of table.indexes.values()) {
        for (const member of index.members.values()) {
          const few = fewOf(context, index, member);
          if (few === undefined) continue;
          const { entity, attribute, values, share } = few;
          const only = [onlyOf(attribute.name, values)];
          const members = new Map(index.members).set(member.entity, { ...member, only });
          const { saved } = whatIf(
            context,
            table,
            withIndex(context.model, table, { ...index, members }),
          );
          if (!isWorthIt(saved, context.design)) continue;
          const count = entity.count;
          yield {
            path: index.path,
            message: `Index ${index.name} of ${table.name} holds every ${entity.name}, and only those with ${attribute.name} ${listText(values.map(String))} are asked for.`,
            evidence: `They are ${shareText(share)} of ${count === undefined ? "all" : counted(count.value, "entry", "entries")}${count?.assumed ? " (assumed)" : ""}; the others are written and stored for nobody.`,
            price: moneyPrice(saved, count?.assumed ?? true),
            cure: `Make it sparse: set its key only for ${entity.name} with ${attribute.name} ${listText(values.map(String))}, and take it away when that ends.`,
            fix: fixOf(table, index, member, attribute.name, values),
          };
        }
      }
    }
  },
};

interface Few {
  readonly entity: Entity;
  readonly attribute: Attribute;
  readonly values: readonly Constant[];
  readonly share: number;
}

/** The values that all reads of an entity in an index agree on, if they are those of few items. */
function fewOf(context: LintContext, index: Index, member: IndexMember): Few | undefined {
  const entity = context.model.entities.get(member.entity);
  const reads = readsIn(context).filter(
    ({ request }) => request.index === index && request.record.entity === entity,
  );
  if (entity === undefined || reads.length === 0 || member.only !== undefined) return undefined;
  for (const attribute of entity.attributes.values()) {
    const asked = reads.map(({ pattern }) =>
      pattern.actions.flatMap(({ where }) => constantsOf(where, attribute.name)),
    );
    const known = attribute.values;
    if (known === undefined || asked.some(({ length }) => length === 0)) continue;
    const texts = new Set(asked.flat().map(String));
    const hit = known.filter(({ value }) => texts.has(String(value)));
    const share = hit.reduce((sum, one) => sum + one.share, 0);
    if (share > 0 && share < askedMax) {
      return { entity, attribute, values: hit.map(({ value }) => value), share };
    }
  }
  return undefined;
}

function constantsOf(where: readonly Predicate[], name: string): readonly Constant[] {
  const [found] = where.filter(
    ({ attribute, operator, operands }) =>
      attribute === name &&
      (operator === "equals" || operator === "one-of") &&
      operands.every(({ kind }) => kind === "constant"),
  );
  return (found?.operands ?? []).flatMap((one) => (one.kind === "constant" ? [one.value] : []));
}

function onlyOf(attribute: string, values: readonly Constant[]): Predicate {
  return {
    attribute,
    operator: values.length === 1 ? "equals" : "one-of",
    operands: values.map((value) => ({ kind: "constant", value })),
    exists: true,
  };
}

/** Where a key is made for the index it can be left out; an attribute that is there anyway cannot. */
function fixOf(
  table: Table,
  index: Index,
  { entity, sets }: IndexMember,
  attribute: string,
  values: readonly Constant[],
) {
  if (sets.length === 0) return undefined;
  const condition = values.length === 1 ? { equals: values[0] } : { "one-of": values };
  return {
    what: `makes ${index.name} of ${table.name} sparse`,
    edits: [
      {
        kind: "set" as const,
        path: [...index.path, "only", entity],
        value: { [attribute]: condition },
      },
    ],
  };
}
