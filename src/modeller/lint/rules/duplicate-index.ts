import type { Index, Table } from "../../../model/design.ts";
import { moneyPrice, upkeepOf } from "../bills.ts";
import type { EntityKey } from "../keys.ts";
import type { LintContext } from "../lint-context.ts";
import type { Rule } from "../rule.ts";
import { counted, listText } from "../words.ts";
import { dropIndex } from "./unused-index.ts";

export const duplicateIndex: Rule = {
  id: "duplicate-index",
  severity: "warning",
  title: "Two indexes of a table have the same key, or one begins like the other.",
  topic: "global-index",
  *check(context) {
    for (const table of context.tables) {
      const dropped = new Set<Index>();
      const all = [...table.indexes.values()];
      // Of two that are alike, the later one is in excess.
      for (const index of all.toReversed()) {
        const other = all.find(
          (one) => one !== index && !dropped.has(one) && covers(context, table, one, index),
        );
        if (other === undefined) continue;
        dropped.add(index);
        const items = context.design.loads.loads.find(
          (one) => one.table === table.name && one.index === index.name,
        )?.items;
        yield {
          path: index.path,
          message: `Index ${index.name} of ${table.name} holds nothing that index ${other.name} does not hold in the same order.`,
          evidence: `Both are by ${listText(keyNames(index))}${other.sort.length > index.sort.length ? `, ${other.name} also by ${listText(keyNames(other).slice(keyNames(index).length))}` : ""}; ${counted(Math.round(items ?? 0), "entry", "entries")} are stored and written twice.`,
          price: moneyPrice(upkeepOf(context.design, table, index), false),
          cure: `Take ${index.name} out and read ${other.name} instead.`,
          fix: dropIndex(table, index),
        };
      }
    }
  },
};

const keyNames = ({ partition, sort }: Index): readonly string[] =>
  [...partition, ...sort].map(({ name }) => name);

/** Whatever is asked of the second can be asked of the first. */
function covers({ keys }: LintContext, table: Table, first: Index, second: Index): boolean {
  if (first.local !== second.local || !projects(first, second)) return false;
  const ofFirst = keys.filter((key) => key.table === table && key.index === first);
  const ofSecond = keys.filter((key) => key.table === table && key.index === second);
  return (
    ofSecond.length === ofFirst.length &&
    ofSecond.every((key) => {
      const same = ofFirst.find(({ entity }) => entity === key.entity);
      const [one, two] = [first, second].map(({ members }) =>
        JSON.stringify(members.get(key.entity.name)?.only ?? []),
      );
      return same !== undefined && one === two && begins(same, key);
    })
  );
}

function begins(long: EntityKey, short: EntityKey): boolean {
  const texts = (sides: EntityKey["sort"]): readonly string[] => sides.map(({ text }) => text.text);
  const [all, some] = [texts(long.sort), texts(short.sort)];
  return (
    JSON.stringify(texts(long.partition)) === JSON.stringify(texts(short.partition)) &&
    some.every((text, i) => text === all[i])
  );
}

function projects({ projection: first }: Index, { projection: second }: Index): boolean {
  if (first === "all" || second === "keys") return true;
  if (first === "keys" || second === "all") return false;
  return second.every((name) => first.includes(name));
}
