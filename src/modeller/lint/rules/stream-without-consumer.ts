import type { Table } from "../../../model/design.ts";
import type { LintContext } from "../lint-context.ts";
import type { Rule } from "../rule.ts";
import { sumOf } from "../traffic.ts";
import { amountText } from "../words.ts";

export const streamWithoutConsumer: Rule = {
  id: "stream-without-consumer",
  severity: "warning",
  title: "A table has a stream that nobody reads.",
  topic: "streams",
  *check(context) {
    for (const table of context.tables) {
      const { name, path, stream, consumers, aggregates, replicas, placements } = table;
      if (stream === undefined || consumers.length > 0 || replicas.length > 0) continue;
      if (aggregates.some(({ by }) => by === "stream") || isFed(context, table)) continue;
      const writes = [...placements.keys()].flatMap((entity) => context.writesOf(entity));
      yield {
        path: [...path, "stream"],
        message: `${name} has a stream, and nothing reads it.`,
        evidence: `${amountText(sumOf(writes).average)} changes per second are kept for 24 hours, for no consumer, aggregate or service; a provisioned table with a stream also loses the isolation of hot items.`,
        cure: "Name the consumer, or take the stream out until there is one.",
        fix: {
          what: `takes the stream of ${name} out`,
          edits: [{ kind: "delete", path: [...path, "stream"] }],
        },
      };
    }
  },
};

/** Another service gets what is changed here. */
function isFed({ model }: LintContext, { placements }: Table): boolean {
  const services = model.design?.services ?? [];
  return [...model.patterns.values()].some((pattern) => {
    const via = [
      pattern.alternative?.via,
      ...services.filter((one) => one.for.includes(pattern.id)).map((one) => one.via),
    ];
    return (
      via.some((one) => one !== undefined && /stream/i.test(one)) &&
      pattern.actions.some(({ entity }) => placements.has(entity))
    );
  });
}
