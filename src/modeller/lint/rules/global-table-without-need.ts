import { moneyPrice } from "../bills.ts";
import { mentions } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { whatIf, withTable } from "../what-if.ts";
import { counted, listText } from "../words.ts";

const words = /region|replica|global|continent|worldwide|abroad|disaster|failover|latency/i;

export const globalTableWithoutNeed: Rule = {
  id: "global-table-without-need",
  severity: "warning",
  title: "A table is replicated to other Regions, and nothing says why.",
  topic: "global-tables",
  *check(context) {
    const { overview, design } = context.model;
    for (const table of context.tables) {
      const { name, path, replicas } = table;
      if (replicas.length === 0) continue;
      const decided = (design?.decisions ?? [])
        .filter(
          ({ about }) => about === path.join(".") || about === [...path, "replicas"].join("."),
        )
        .flatMap(({ chosen, why }) => [chosen, why]);
      const said = [
        ...decided,
        ...overview.context,
        ...overview.compliance,
        ...(design?.tradeoffs ?? []),
        table.purpose,
      ];
      if (mentions(said, words)) continue;
      const { saved } = whatIf(
        context,
        table,
        withTable(context.model, { ...table, replicas: [] }),
      );
      yield {
        path: [...path, "replicas"],
        message: `${name} is replicated to ${listText(replicas)}, and nothing says why.`,
        evidence: `Every write and every byte is paid for in ${counted(replicas.length + 1, "Region")}, and the last writer wins where two write at once.`,
        price: moneyPrice(saved, false),
        cure: "Keep it in one Region, with point-in-time recovery and backups; or state in the context or a decision what must be near to whom, or must survive what.",
      };
    }
  },
};
