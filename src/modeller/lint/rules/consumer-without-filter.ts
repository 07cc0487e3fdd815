import type { Rule } from "../rule.ts";
import { sumOf } from "../traffic.ts";
import { counted, listText, numberText, shareText } from "../words.ts";

export const consumerWithoutFilter: Rule = {
  id: "consumer-without-filter",
  severity: "hint",
  title: "A function is called for every change of a table, also for those that it throws away.",
  topic: "streams",
  *check(context) {
    for (const table of context.tables) {
      const { name, path, consumers, placements, aggregates } = table;
      if (placements.size < 2) continue;
      const rates = [...placements.keys()].map((entity) => ({
        entity,
        rate: sumOf(context.writesOf(entity)).average.value,
      }));
      const total = rates.reduce((sum, { rate }) => sum + rate, 0);
      const wanted = new Set(aggregates.filter(({ by }) => by === "stream").map(({ of }) => of));
      for (const [i, consumer] of consumers.entries()) {
        if (consumer.filter !== undefined || total === 0) continue;
        const parts = rates.map(({ entity, rate }) => `${entity} ${shareText(rate / total)}`);
        yield {
          path: [...path, "consumers", i],
          message: `${consumer.name} reads the whole stream of ${name}, which holds ${counted(placements.size, "entity", "entities")}.`,
          evidence: `${numberText(total)} changes per second: ${listText(parts)}${wanted.size === 0 ? "" : `; the numbers that the stream keeps are of ${listText([...wanted])}`}.`,
          cure: "State a filter on the kind of item or the event: what does not match calls no function and costs nothing.",
        };
      }
    }
  },
};
