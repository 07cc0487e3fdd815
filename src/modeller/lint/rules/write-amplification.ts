import { moneyPrice } from "../bills.ts";
import { monthly } from "../money.ts";
import type { Rule } from "../rule.ts";
import { listText, numberText, shareText } from "../words.ts";

/** Of all write units: indexes take twice what the table takes. */
const shareMin = 2 / 3;
/** Below this the table is hardly written at all. */
const unitsMin = 1;

export const writeAmplification: Rule = {
  id: "write-amplification",
  severity: "warning",
  title: "The indexes of a table take more than two thirds of its write units.",
  topic: "index-writes",
  *check(context) {
    for (const table of context.tables) {
      const loads = context.keyLoads.filter((load) => load.table === table);
      const own = loads.find(({ index }) => index === undefined)?.write.average ?? 0;
      const indexes = loads.flatMap(({ index, write }) =>
        index === undefined || write.average === 0 ? [] : [{ name: index.name, write }],
      );
      const extra = indexes.reduce((sum, { write }) => sum + write.average, 0);
      const share = extra / (own + extra);
      if (extra < unitsMin || !(share > shareMin)) continue;
      const parts = indexes
        .toSorted((a, b) => b.write.average - a.write.average)
        .map(({ name, write }) => `${name} ${numberText(write.average)}`);
      yield {
        path: [...table.path, "indexes"],
        message: `The indexes of ${table.name} take ${shareText(share)} of its write units.`,
        evidence: `${numberText(own)} write units per second go to the table and ${numberText(extra)} to its indexes (${listText(parts)}); each write costs ${numberText((own + extra) / own)} times what the table alone would.`,
        price: moneyPrice(monthly(context.prices, table, { writes: extra }), false),
        cure: "Take out indexes that few patterns need, project less, keep attributes that change out of their keys, and make those sparse that few items belong in.",
      };
    }
  },
};
